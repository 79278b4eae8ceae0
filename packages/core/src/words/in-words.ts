import type { Capability } from './capability.js';
import { fileSetOf, listedSetOf } from './files/file-set.js';
import { filesInWords, listedInWords } from './files/files-in-words.js';
import { isJsonObject, type Json, ownMember } from './json.js';
import { type CapabilityDefinition, vocabulary } from './vocabulary.js';

/** The author's words, else name and facts. `first` files are named first. Not escaped. */
export function inWords(
  capability: Capability,
  own: readonly CapabilityDefinition[] = [],
  first: readonly string[] = [],
): string {
  const definition = [...vocabulary, ...own].find(({ name }) => name === capability.name);
  if (definition === undefined) {
    const { name, ...facts } = capability;
    const said = Object.entries(facts).map(([fact, value]) => `${fact}=${valueInWords(value, first)}`);
    return [name, ...said].join(' ');
  }
  return definition.words.replace(/\{([a-z0-9_]+)\}/g, (_, fact: string) =>
    factInWords(capability, fact, first),
  );
}

function factInWords(capability: Capability, fact: string, first: readonly string[]): string {
  if (Object.hasOwn(capability, fact)) return valueInWords(capability[fact] as Json, first);
  const { unknown } = capability;
  const why = isJsonObject(unknown) ? ownMember(unknown, fact) : undefined;
  return why === undefined ? `(${fact} unknown)` : `(${fact} unknown: ${valueInWords(why)})`;
}

/** A text as it is, a file set in words, anything else as JSON. Not escaped. */
export function valueInWords(value: Json, first: readonly string[] = []): string {
  const set = fileSetOf(value);
  if (set !== null) return filesInWords(set, first);
  const listed = listedSetOf(value);
  if (listed !== null) return listedInWords(listed);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
