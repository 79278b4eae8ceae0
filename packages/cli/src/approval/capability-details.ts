import { type Capability, fileSetOf, isJsonObject, type Json } from '@ambit/runtime';
import { jsonText } from '../json-text.js';
import { shellWord } from '../shell-word.js';

/** What a capability says besides its words: sizes, targets, command lines. Not escaped. */
export function capabilityDetails(capability: Capability, words: string): readonly string[] {
  return Object.entries(capability).flatMap(([fact, value]) => {
    if (unsaid.includes(fact) || (typeof value === 'string' && words.includes(value))) return [];
    const say = Object.hasOwn(said, fact) ? said[fact] : undefined;
    const text = say?.(value as Json) ?? `${fact} ${typeof value === 'string' ? value : jsonText(value)}`;
    return text === '' || words.includes(text) ? [] : [text];
  });
}

/** The digest binds the answer; nobody reads it. What is unknown, the words say. */
const unsaid: readonly string[] = ['name', 'sha256', 'unknown'];

const said: Readonly<Record<string, (value: Json) => string>> = {
  // The question names the tool.
  by: (value) => {
    if (typeof value !== 'string') return `by ${jsonText(value)}`;
    return value.startsWith('toolset:') ? '' : `by ${value}`;
  },
  path: (value) => filesText(value),
  bytes: (value) => `${jsonText(value)} byte${value === 1 ? '' : 's'}`,
  exists: (value) => (value === true ? 'it exists' : 'a new one'),
  attachments: (value) => `${jsonText(value)} attachment${value === 1 ? '' : 's'}`,
  argv: (value) =>
    Array.isArray(value) ? value.map((word) => wordText(word as Json)).join(' ') : jsonText(value),
  cwd: (value) => `in ${typeof value === 'string' ? value : jsonText(value)}`,
  toolsets: (value) =>
    Array.isArray(value) && value.length === 0
      ? 'no toolsets'
      : `with ${Array.isArray(value) ? value.join(', ') : jsonText(value)}`,
  read_only: (value) => hint(value, 'says that it only reads'),
  destructive: (value) => hint(value, 'may destroy'),
  open_world: (value) => hint(value, 'reaches the outside'),
};

/** The most members of a file set that are shown besides those that the words name. */
const mostFiles = 20;

function filesText(value: Json): string {
  const set = fileSetOf(value);
  if (set === null) return `path ${typeof value === 'string' ? value : jsonText(value)}`;
  // The words name three.
  const rest = set.paths.slice(3);
  if (rest.length === 0) return '';
  const more = rest.length > mostFiles ? ` and ${rest.length - mostFiles} more` : '';
  return `also ${rest.slice(0, mostFiles).join(', ')}${more}`;
}

function hint(value: Json, words: string): string {
  return value === true ? words : '';
}

function wordText(word: Json): string {
  return typeof word === 'string' ? shellWord(word) : isJsonObject(word) ? '(unknown)' : jsonText(word);
}
