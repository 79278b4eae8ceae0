/** A machine that reads a text character by character (code points) and says what class the text so far is in. */
export interface Automaton {
  readonly start: number;
  step(state: number, character: string): number;
  /** The class of a text that ends here; 0 for the texts that are asked for nothing. */
  label(state: number): number;
  /** The characters that do not all lead to one state, as every other character does. */
  specials(state: number): readonly string[];
  /** Whether every longer text has the label of this one. */
  isSettled(state: number): boolean;
  /** How many steps it has taken so far to be made, where that may be many. */
  effort?(): number;
}

/** A machine that may be in several positions at once. */
export interface Positions {
  readonly start: readonly number[];
  step(position: number, character: string): readonly number[];
  specials(position: number): readonly string[];
  accepts(position: number): boolean;
  /** Whether this position accepts whatever follows. */
  acceptsAll(position: number): boolean;
  /** Positions that add nothing beside others may be left out. */
  reduce?(positions: readonly number[]): readonly number[];
}

const [nowhere, everything] = [0, 1];

/** The machine whose states are sets of positions, made as they are met. */
export function determinise(positions: Positions): Automaton {
  const states: { at: readonly number[]; next: Map<string, number>; specials: readonly string[] }[] = [
    { at: [], next: new Map(), specials: [] },
    { at: [], next: new Map(), specials: [] },
  ];
  const ids = new Map<string, number>();
  let effort = 0;
  const enter = (at: readonly number[]): number => {
    effort += at.length;
    if (at.length === 0) return nowhere;
    if (at.some((position) => positions.acceptsAll(position))) return everything;
    const distinct = [...new Set(at)].sort((one, other) => one - other);
    const reduced = positions.reduce?.(distinct) ?? distinct;
    const key = reduced.join(',');
    const known = ids.get(key);
    if (known !== undefined) return known;
    const specials = [...new Set(reduced.flatMap((position) => positions.specials(position)))];
    ids.set(key, states.length);
    return states.push({ at: reduced, next: new Map(), specials }) - 1;
  };
  return {
    start: enter(positions.start),
    step(state, character) {
      if (state <= everything) return state;
      const from = states[state] as (typeof states)[number];
      const kind = from.specials.includes(character) ? character : '';
      const known = from.next.get(kind);
      if (known !== undefined) return known;
      const next = enter(from.at.flatMap((position) => positions.step(position, character)));
      from.next.set(kind, next);
      return next;
    },
    label: (state) =>
      state === everything || (states[state]?.at ?? []).some((position) => positions.accepts(position))
        ? 1
        : 0,
    specials: (state) => states[state]?.specials ?? [],
    isSettled: (state) => state <= everything,
    effort: () => effort,
  };
}
