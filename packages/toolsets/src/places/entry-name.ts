import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';

type Identity = Pick<Stats, 'dev' | 'ino'>;

export interface Entries {
  /** Null if it is missing. */
  readonly stat: (path: string) => Identity | null;
  readonly names: (folder: string) => readonly string[];
}

/** The stored name of a file. Some file systems ignore case or Unicode spelling. */
export function entryNameOf(path: string, own: Identity | null, { stat, names }: Entries = system): string {
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  const isFolding =
    own !== null && otherSpellings(name).some((other) => isSame(stat(posix.join(folder, other)), own));
  if (!isFolding) return name;
  const entries = names(folder);
  if (entries.includes(name)) return name;
  const alike = entries.filter((entry) => folded(entry) === folded(name));
  return alike.find((entry) => isSame(stat(posix.join(folder, entry)), own)) ?? name;
}

const system: Entries = {
  stat: (path) => orNull(() => lstatSync(path, { throwIfNoEntry: false }) ?? null),
  names: (folder) => orNull(() => readdirSync(folder)) ?? [],
};

function otherSpellings(name: string): readonly string[] {
  const spellings = [swapped(name), name.normalize('NFC'), name.normalize('NFD')];
  return [...new Set(spellings)].filter((other) => other !== name && !other.includes('/'));
}

function swapped(name: string): string {
  for (const letter of name) {
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    if (other !== letter) return name.replace(letter, () => other);
  }
  return name;
}

function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function isSame(one: Identity | null, other: Identity): boolean {
  return one !== null && one.dev === other.dev && one.ino === other.ino;
}
