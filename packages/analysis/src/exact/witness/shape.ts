import { isCanonicalHost, isCanonicalPath } from '@ambit/core';
import type { Automaton } from './automaton.js';

/** A form of texts: a machine, and an exact test. */
export interface Shape extends Automaton {
  /** Characters that the machine takes as one; null for any. */
  readonly classes: readonly string[] | null;
  /** The machine may accept further texts. */
  readonly isReal: (text: string) => boolean;
}

/** Each state has its label, its transitions, and the transition of other characters. */
type States = Readonly<
  Record<string, readonly [label: number, to: Readonly<Record<string, string>>, otherwise?: string]>
>;

function machineOf(states: States): Automaton {
  const names = ['dead', ...Object.keys(states)];
  const rows = names.map((name) => states[name] ?? ([0, {}] as const));
  const number = (name = 'dead') => names.indexOf(name);
  const maps = rows.map(
    ([, to]) =>
      new Map(Object.entries(to).flatMap(([all, name]) => [...all].map((each) => [each, number(name)]))),
  );
  return {
    start: 1,
    step: (state, character) => maps[state]?.get(character) ?? number(rows[state]?.[2]),
    label: (state) => rows[state]?.[0] ?? 0,
    specials: (state) => [...(maps[state]?.keys() ?? [])],
    isSettled: (state) => state === 0,
  };
}

/** What follows a slash; the root has a class of its own, because it has no segments. */
const inPath: States = {
  slash: [0, { '/\0': 'dead', '.': 'dot' }, 'segment'],
  dot: [0, { '/\0': 'dead', '.': 'dots' }, 'segment'],
  dots: [0, { '/\0': 'dead' }, 'segment'],
  segment: [1, { '/': 'slash', '\0': 'dead' }, 'segment'],
};

export const pathShape: Shape = {
  ...machineOf({
    begin: [0, { '/': 'root' }],
    root: [2, { '/\0': 'dead', '.': 'dot' }, 'segment'],
    ...inPath,
  }),
  classes: null,
  isReal: isCanonicalPath,
};

export const programShape: Shape = {
  ...machineOf({
    begin: [0, { '/': 'slash', '.': 'bare-dot', '\0': 'dead' }, 'bare'],
    'bare-dot': [0, { '/\0': 'dead', '.': 'bare-dots' }, 'bare'],
    'bare-dots': [0, { '/\0': 'dead' }, 'bare'],
    bare: [1, { '/\0': 'dead' }, 'bare'],
    ...inPath,
  }),
  classes: null,
  isReal: (text) => (text.includes('/') ? text !== '/' && isCanonicalPath(text) : text !== ''),
};

const letters = 'xyzwvutsrqponmlkjihg';
const hex = 'abcdef';
const numerals = '123456789';
const digits = `0${numerals}`;
const within = { '-': 'dash', '.': 'label' };

/** Host names; the last label is not numeric. */
export const nameShape: Shape = {
  ...machineOf({
    label: [0, { 0: 'zero', [numerals]: 'digits', [`${letters}${hex}_`]: 'name' }],
    zero: [0, { [digits]: 'digits', x: 'hex', [`${letters.slice(1)}${hex}_`]: 'name', ...within }],
    digits: [0, { [digits]: 'digits', [`${letters}${hex}_`]: 'name', ...within }],
    hex: [0, { [`${digits}${hex}`]: 'hex', [`${letters}_`]: 'name', ...within }],
    name: [1, { [`${digits}${letters}${hex}_`]: 'name', ...within }],
    dash: [0, { [`${digits}${letters}${hex}_`]: 'name', '-': 'dash' }],
  }),
  classes: ['x', letters.slice(1), hex, '0', numerals, '_', '-', '.'],
  isReal: isCanonicalHost,
};

/** 0 to 255. After `few` one more digit may follow, after `full` none, after `limit` 0 to 5. */
function octet(index: number): States {
  const next: Record<string, string> = index < 3 ? { '.': `start${index + 1}` } : {};
  const label = index === 3 ? 1 : 0;
  const [few, full, limit] = [`few${index}`, `full${index}`, `limit${index}`];
  return {
    [`start${index}`]: [0, { 0: full, 1: `one${index}`, 2: `two${index}`, 3456789: few }],
    [`one${index}`]: [label, { [digits]: few, ...next }],
    [`two${index}`]: [label, { '01234': few, 5: limit, 6789: full, ...next }],
    [limit]: [label, { '012345': full, ...next }],
    [few]: [label, { [digits]: full, ...next }],
    [full]: [label, next],
  };
}

export const v4Shape: Shape = {
  ...machineOf({ ...octet(0), ...octet(1), ...octet(2), ...octet(3) }),
  classes: ['0', '1', '2', '34', '5', '6789', '.'],
  isReal: isCanonicalHost,
};

/** Hexadecimal groups; zeros are checked afterwards. */
function groupsOfV6(): States {
  const group = (number: number, side: string) => ({
    0: `zero ${number} ${side}`,
    [`${numerals}${hex}`]: `one ${number} ${side}`,
  });
  const states: Record<string, States[string]> = {
    begin: [0, { ...group(1, 'whole'), ':': 'colon' }],
    colon: [0, { ':': 'gap 0' }],
  };
  for (let groups = 0; groups <= 6; groups += 1)
    states[`gap ${groups}`] = [1, groups === 6 ? {} : group(groups + 1, 'open')];
  for (const side of ['whole', 'open']) {
    for (let groups = 1; groups <= 8; groups += 1) {
      const isWhole = side === 'whole';
      const label = (isWhole ? groups === 8 : groups <= 6) ? 1 : 0;
      const next: Record<string, string> =
        groups < (isWhole ? 8 : 6) ? { ':': `next ${groups} ${side}` } : {};
      states[`zero ${groups} ${side}`] = [label, next];
      ['one', 'two', 'three', 'four'].forEach((place, index, places) => {
        const longer = index === 3 ? {} : { [`${digits}${hex}`]: `${places[index + 1]} ${groups} ${side}` };
        states[`${place} ${groups} ${side}`] = [label, { ...longer, ...next }];
      });
      states[`next ${groups} ${side}`] = [
        0,
        {
          ...(groups < 8 ? group(groups + 1, side) : {}),
          ...(isWhole && groups <= 6 ? { ':': `gap ${groups}` } : {}),
        },
      ];
    }
  }
  return states;
}

export const v6Shape: Shape = {
  ...machineOf(groupsOfV6()),
  classes: ['0', numerals, hex, ':'],
  isReal: isCanonicalHost,
};

export const anyShape: Shape = {
  start: 1,
  step: () => 1,
  label: () => 1,
  specials: () => [],
  isSettled: () => true,
  classes: null,
  isReal: () => true,
};
