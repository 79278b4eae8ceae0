import {
  type Capability,
  fileSetOf,
  isJsonObject,
  type Json,
  jsonText,
  ownMember,
  plainText,
  shellWord,
} from '@ambit/core';

/** Details of a capability besides its words: sizes, targets, command lines. Not escaped. */
export function capabilityDetails(
  capability: Capability,
  words: string,
  /** Shown before other members. */
  deciding: readonly string[],
): readonly string[] {
  return Object.entries(capability).flatMap(([fact, value]) => {
    if (unsaid.includes(fact) || (typeof value === 'string' && words.includes(value))) return [];
    const files = fact === 'path' ? filesText(value, deciding, words) : null;
    if (files !== null) return files === '' ? [] : [files];
    const say = ownMember(said, fact);
    const text = say?.(value, capability) ?? `${fact} ${plainText(value)}`;
    return text === '' || words.includes(text) ? [] : [text];
  });
}

/** The digest binds the answer, and is not shown. The words say what is unknown. */
const unsaid: readonly string[] = ['name', 'sha256', 'unknown'];

const said: Readonly<Record<string, (value: Json, capability: Capability) => string>> = {
  // Values bound by the digest are named.
  files: (value, { cwd }) =>
    Array.isArray(value)
      ? `as it is now: ${fewOf(value.map((file) => pathOf(file as Json, cwd)))}`
      : jsonText(value),
  by: (value) => {
    if (typeof value !== 'string') return `by ${jsonText(value)}`;
    // The question names the tool.
    return value.startsWith('toolset:') ? '' : `by ${value}`;
  },
  bytes: (value) => `${jsonText(value)} byte${value === 1 ? '' : 's'}`,
  exists: (value) => (value === true ? 'it exists' : 'a new one'),
  attachments: (value) => `${jsonText(value)} attachment${value === 1 ? '' : 's'}`,
  argv: (value) =>
    Array.isArray(value) ? value.map((word) => wordText(word as Json)).join(' ') : jsonText(value),
  cwd: (value) => `in ${plainText(value)}`,
  toolsets: (value) =>
    Array.isArray(value) && value.length === 0
      ? 'no toolsets'
      : `with ${Array.isArray(value) ? value.join(', ') : jsonText(value)}`,
  read_only: (value) => hint(value, 'says that it only reads'),
  destructive: (value) => hint(value, 'may destroy'),
  open_world: (value) => hint(value, 'reaches the outside'),
};

/** The approved arguments bind all of them; the log has each. */
function fewOf(files: readonly string[]): string {
  const more = files.length - mostFiles;
  return `${files.slice(0, mostFiles).join(', ')}${more > 0 ? ` and ${more} more files` : ''}`;
}

/** As seen from the working folder, which is named before. */
function pathOf(file: Json, cwd: Json | undefined): string {
  if (!isJsonObject(file) || typeof file.path !== 'string') return jsonText(file);
  const folder = typeof cwd === 'string' ? `${cwd}/` : '';
  return file.path.startsWith(folder) ? file.path.slice(folder.length) : file.path;
}

const mostFiles = 7;

/** The other members, deciding ones first; null without a set. */
function filesText(value: Json, deciding: readonly string[], words: string): string | null {
  const set = fileSetOf(value);
  if (set === null) return null;
  const isNamed = (path: string) => `${words},`.includes(` ${path},`);
  const rest = set.paths.filter((path) => !isNamed(path));
  const first = rest.filter((path) => deciding.includes(path));
  const shown = [...new Set([...first, ...rest.slice(0, mostFiles)])].slice(0, mostFiles);
  if (shown.length === 0) return '';
  const more = rest.length > shown.length ? ` and ${rest.length - shown.length} more` : '';
  return `also ${shown.join(', ')}${more}`;
}

function hint(value: Json, words: string): string {
  return value === true ? words : '';
}

function wordText(word: Json): string {
  return typeof word === 'string' ? shellWord(word) : isJsonObject(word) ? '(unknown)' : jsonText(word);
}
