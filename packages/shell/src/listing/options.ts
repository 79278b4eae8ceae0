import type { Access, Effect } from '../effect.js';
import type { Reading } from '../programs/reading.js';
import { isMany } from '../programs/words.js';
import { text, textOf, type Word } from '../word.js';
import { addMember, addOpen, type Collected, collected, effectsOf } from './collected.js';
import type { Member, Members } from './members.js';

export function has({ given }: Reading, names: string): boolean {
  return names.split(' ').some((name) => given.has(name));
}

/** The values of these options, in the order in which they are given. */
export function valuesOf({ options }: Reading, names: string): readonly Word[] {
  const wanted = new Set(names.split(' '));
  return options
    .filter(({ entry }) => entry.names.some((name) => wanted.has(name)))
    .flatMap(({ values }) => values);
}

/** The last given number; the default if there is none or it is unknown. */
export function numberOf(reading: Reading, names: string, otherwise: number): number {
  const word = valuesOf(reading, names).at(-1);
  const text = textOf(word) ?? '';
  return /^\d+$/.test(text) ? Number(text) : otherwise;
}

/** Whether only these options are given, so that the output is known. */
export function hasOnly({ options, open }: Reading, names: string): boolean {
  const known = new Set(names.split(/\s+/));
  return open === null && options.every(({ entry }) => entry.names.some((name) => known.has(name)));
}

/** The program touches the files that words name. With `hasDash`, `-` means a standard stream. */
export function pathEffects(access: Access, words: readonly Word[], more: PathMore = {}): readonly Effect[] {
  const { hasDash = false, ...rest } = more;
  const named = words.filter((word) => textOf(word) !== '' && !(hasDash && textOf(word) === '-'));
  return named.map((word): Effect => ({ kind: 'path', access, word, by: 'program', ...rest }));
}

/** The operands after the pattern. A word of several arguments is more than the pattern. */
export function afterPattern(operands: readonly Word[]): readonly Word[] {
  const [first] = operands;
  return first !== undefined && isMany(first) ? operands : operands.slice(1);
}

export function mayBeNone(operands: readonly Word[]): boolean {
  return operands.every(isMany);
}

/** Words, and the program's folder if there may be no word. */
export function orHere(words: readonly Word[]): readonly Word[] {
  return mayBeNone(words) ? [...words, text('.')] : words;
}

interface PathMore {
  readonly hasDash?: boolean;
  readonly deep?: boolean;
  readonly mayLink?: boolean;
  readonly isLook?: boolean;
}

/** The effects of walking through folders: folders that are listed, and files that are read. */
export interface Walked {
  readonly folders: Collected;
  readonly files: Collected;
}

export function walked(): Walked {
  return { folders: collected(), files: collected() };
}

/** Adds the files found from a start. `under` is null for unknown files if links are followed. */
export function addFound({ folders, files }: Walked, found: Members, how: WalkOptions): void {
  const { start, list, open } = found;
  const { reads = () => false, follows = false } = how;
  // A missing file is looked up, and would be read.
  if (start.real === null || list.length === 0)
    for (const into of how.reads === undefined ? [folders] : [folders, files])
      into.paths.add(start.named).add(start.real ?? start.named);
  for (const member of list) {
    if (member.kind === 'folder' || member.kind === null || member.depth === 0)
      addMember(folders, member, start);
    if (member.kind === null || reads(member)) addMember(files, member, start);
  }
  // A file that cannot be listed may be a link.
  const hasLink = open || list.some(({ kind, depth }) => kind === null || (kind === 'link' && depth > 0));
  const isLed = follows && hasLink;
  if (!open && !isLed) return;
  const under = isLed ? null : start.real;
  addOpen(folders, under);
  if (how.reads !== undefined) addOpen(files, under);
}

interface WalkOptions {
  readonly reads?: (member: Member) => boolean;
  readonly follows?: boolean;
}

export function addUnknown({ folders, files }: Walked): void {
  addOpen(folders, null);
  addOpen(files, null);
}

export function walkEffects({ folders, files }: Walked): readonly Effect[] {
  return [...effectsOf('list', folders), ...effectsOf('read', files)];
}
