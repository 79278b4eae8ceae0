import { type Capability, isJsonObject, type Json } from '@ambit/runtime';
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
  by: (value) => (typeof value === 'string' && value.startsWith('toolset:') ? '' : `by ${jsonText(value)}`),
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

function hint(value: Json, words: string): string {
  return value === true ? words : '';
}

function wordText(word: Json): string {
  return typeof word === 'string' ? shellWord(word) : isJsonObject(word) ? '(unknown)' : jsonText(word);
}
