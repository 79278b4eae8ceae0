import type { Effect } from '../effect.js';
import type { Changes, Described, World } from '../world.js';

interface Settling {
  /** The effect of the program after these changes by earlier commands. */
  readonly describedIn: (changes: Changes) => Described | null;
  /** Its changes are those of the whole line; applying effects adds to them. */
  readonly world: World;
  readonly apply: (effects: readonly Effect[]) => void;
}

/** How often a program's files are listed again because its own commands create more. */
const mostRounds = 3;

/** Applies the effects of a program. One that lists files also finds those that its own commands create. */
export function settle(
  described: Described,
  { describedIn, world: { changes, listing }, apply }: Settling,
): void {
  const known = { ...changes, created: new Set(changes.created), open: new Set(changes.open) };
  apply(described.effects);
  if (!startsWhileListing(described)) return;
  for (let round = 0; ; round += 1) {
    const created = [...changes.created].filter(
      (path) => !known.created.has(path) && listing.kind(path) === null,
    );
    const open = [...changes.open].filter((path) => !known.open.has(path));
    if (created.length + open.length === 0) return;
    for (const path of created) known.created.add(path);
    // If each round creates new files, the end is unknown.
    for (const path of round < mostRounds ? open : ['/']) known.open.add(path);
    apply(describedIn(known)?.effects ?? []);
    if (known.open.has('/')) return;
  }
}

function startsWhileListing({ effects }: Described): boolean {
  const lists = effects.some((effect) => effect.kind === 'files' && effect.access === 'list');
  return lists && effects.some(({ kind }) => kind === 'run');
}
