import { remembered } from '@ambit/core';
import type { Block } from '@ambit/policy/internal';

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

/** Texts within this one. */
export function withinAutomaton(whole: string): Automaton {
  const characters = Array.from(whole);
  return determinise({
    start: Array.from({ length: characters.length + 1 }, (_, index) => index),
    step: (position, character) => (characters[position] === character ? [position + 1] : []),
    specials: (position) => characters.slice(position, position + 1),
    accepts: () => true,
    acceptsAll: () => false,
  });
}

/** Addresses in a block. Every input must be a dotted address. */
export function blockAutomaton({ base, prefix }: Block): Automaton {
  const octets = [24n, 16n, 8n, 0n].map((shift) => Number((base >> shift) & 255n));
  const masks = [0, 1, 2, 3].map((index) => (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
  const [outside, inside] = [0, 1];
  const at = (index: number, value: number) => 2 + index * 1000 + value;
  const isIn = (state: number) => {
    const [index, value] = [Math.floor((state - 2) / 1000), (state - 2) % 1000];
    const mask = masks[index] as number;
    return (value & mask) === ((octets[index] as number) & mask);
  };
  const enter = (index: number) => (prefix <= index * 8 ? inside : at(index, 0));
  const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
  return {
    start: enter(0),
    step(state, character) {
      if (state <= inside) return state;
      const [index, value] = [Math.floor((state - 2) / 1000), (state - 2) % 1000];
      if (character === '.') return isIn(state) && index < 3 ? enter(index + 1) : outside;
      const next = value * 10 + Number(character);
      return /^[0-9]$/.test(character) && next <= 255 ? at(index, next) : outside;
    },
    label: (state) => (state === inside || (state > inside && isIn(state)) ? 1 : 0),
    specials: (state) => (state <= inside ? [] : [...digits, '.']),
    isSettled: (state) => state <= inside,
  };
}
