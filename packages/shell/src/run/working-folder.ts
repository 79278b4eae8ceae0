import { cannotTouch, isRealPlace, type Place, placeOf, type RealPlace, type Roots } from '@ambit/toolsets';

export type WorkingFolder =
  | { readonly place: RealPlace; readonly cannot: null }
  | { readonly place: Place; readonly cannot: string };

/** Finds the working folder of a call. It lies in a root, and commands run in its real path. */
export async function workingFolder(cwd: string | undefined, roots: Roots): Promise<WorkingFolder> {
  const place = await placeOf(cwd ?? usualFolder(roots), roots);
  const cannot = cannotTouch(place, 'list', roots);
  if (cannot !== null) return { place, cannot };
  if (isRealPlace(place)) return { place, cannot };
  return { place, cannot: `\`${place.shown}\` cannot be followed: ${place.lost ?? 'it is not a path'}` };
}

/** The first writable root, or the first root. */
function usualFolder({ list, naming }: Roots): string {
  if (naming === 'by_path') return '.';
  return (list.find(({ mode }) => mode === 'rw') ?? list[0])?.name ?? '.';
}
