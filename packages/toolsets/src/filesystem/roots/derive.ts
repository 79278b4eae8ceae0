import { isContained, isRealPlace, placeOf, rootsInWords } from './place.js';
import { openRoots, type Root, type Roots, rootsAt } from './root.js';

export interface DerivedRoot extends Omit<Root, 'folder' | 'mode'> {
  /** `ROOT/rest` of the parent. */
  readonly path: string;
  /** The parent's by default. */
  readonly mode?: Root['mode'];
}

/** A sandbox within its parent's. Throws for a folder outside, a file, and `rw` in a read-only root. */
export async function deriveRoots(parent: Roots, wanted: readonly DerivedRoot[]): Promise<Roots> {
  const roots = await Promise.all(wanted.map((root) => derived(root, parent)));
  const { homes, guarded, descriptors } = parent;
  // Homes and guarded places cannot be chosen.
  return { ...openRoots(roots, { guarded, descriptors, parent }), homes };
}

async function derived({ path, ...own }: DerivedRoot, parent: Roots): Promise<Root> {
  const place = await placeOf(path, parent);
  if (place.problem !== null || !isRealPlace(place) || !isContained(place, parent))
    throw new TypeError(
      `the root \`${own.name}\` would lie outside of its parent's: ${rootsInWords(parent)}`,
    );
  if (place.stat !== null && !place.stat.isDirectory())
    throw new TypeError(`the root \`${own.name}\` would be a file: a root is a folder`);
  const above = [place.named, place.real].flatMap((each) => rootsAt(each, parent));
  const isReadOnly = above.some(({ mode }) => mode === 'ro');
  if (own.mode === 'rw' && isReadOnly)
    throw new TypeError(`the root \`${own.name}\` cannot be \`rw\`: it lies in one that is read only`);
  const suffixes = above.reduce<Suffixes>((few, root) => commonSuffixes(few, root.suffixes), own.suffixes);
  const bytes = above.flatMap(({ max_file_bytes = [] }) => max_file_bytes);
  return {
    name: own.name,
    folder: place.named,
    mode: own.mode === 'ro' || isReadOnly ? 'ro' : 'rw',
    ...(suffixes != null && { suffixes }),
    ...limitOf([...bytes, ...(own.max_file_bytes === undefined ? [] : [own.max_file_bytes])]),
    untrusted: own.untrusted === true || above.some(({ untrusted }) => untrusted === true),
  };
}

function limitOf(limits: readonly number[]): Pick<Root, 'max_file_bytes'> {
  return limits.length === 0 ? {} : { max_file_bytes: Math.min(...limits) };
}

type Suffixes = readonly string[] | null | undefined;

/** The suffixes that end in one of each list; without a list, every suffix. */
export function commonSuffixes(one: Suffixes, other: Suffixes): readonly string[] | null {
  if (one == null || other == null) return one ?? other ?? null;
  const longer = one.flatMap((mine) =>
    other.flatMap((theirs) => {
      const [short, long] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine];
      return long.toLowerCase().endsWith(short.toLowerCase()) ? [long] : [];
    }),
  );
  return [...new Set(longer)];
}
