import { remembered } from '@ambit/core';

/** Reads a text by code points, and labels it. */
export interface Automaton {
  readonly start: number;
  step(state: number, character: string): number;
  /** 0 for unlabelled texts. */
  label(state: number): number;
  /** Characters that lead to other states than the rest. */
  specials(state: number): Iterable<string>;
  /** Whether every longer text has the label of this one. */
  isSettled(state: number): boolean;
  /** Steps so far, where there may be many. */
  effort?(): number;
}

export interface Positions {
  readonly start: readonly number[];
  step(position: number, character: string): readonly number[];
  specials(position: number): readonly string[];
  accepts(position: number): boolean;
  /** Whether this position accepts whatever follows. */
  acceptsAll(position: number): boolean;
  /** Drops redundant positions. */
  reduce?(positions: readonly number[]): readonly number[];
}

const [nowhere, everything] = [0, 1];

/** States are sets of positions, built on demand. */
export function determinise(positions: Positions): Automaton {
  const states: { at: readonly number[]; next: Map<string, number>; specials: ReadonlySet<string> }[] = [
    { at: [], next: new Map(), specials: new Set() },
    { at: [], next: new Map(), specials: new Set() },
  ];
  const ids = new Map<string, number>();
  let effort = 0;
  const enter = (at: readonly number[]): number => {
    effort += at.length;
    if (at.length === 0) return nowhere;
    if (at.some((position) => positions.acceptsAll(position))) return everything;
    const distinct = [...new Set(at)].sort((one, other) => one - other);
    const reduced = positions.reduce?.(distinct) ?? distinct;
    return remembered(ids, reduced.join(','), () => {
      const specials = new Set(reduced.flatMap((position) => positions.specials(position)));
      return states.push({ at: reduced, next: new Map(), specials }) - 1;
    });
  };
  return {
    start: enter(positions.start),
    step(state, character) {
      if (state <= everything) return state;
      const from = states[state] as (typeof states)[number];
      const kind = from.specials.has(character) ? character : '';
      return remembered(from.next, kind, () =>
        enter(from.at.flatMap((position) => positions.step(position, character))),
      );
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
