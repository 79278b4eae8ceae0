import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { posix } from 'node:path';

type Identity = Pick<Stats, 'dev' | 'ino'>;

/** What is read to find a file's name. */
export interface Entries {
  /** Null if it is missing. */
  readonly stat: (path: string) => Identity | null;
  readonly names: (folder: string) => readonly string[];
}

/**
 * The name of a file in its folder. Some file systems find a file by another case or Unicode spelling; rules
 * use the stored name.
 */
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
  stat: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) ?? null;
    } catch {
      return null;
    }
  },
  names: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/** Other names that find it, where names are folded; empty if there are none. */
function otherSpellings(name: string): readonly string[] {
  const spellings = [swapped(name), name.normalize('NFC'), name.normalize('NFD')];
  return [...new Set(spellings)].filter((other) => other !== name && !other.includes('/'));
}

/** The first letter that has one, in the other case. */
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
