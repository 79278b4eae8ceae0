import { isCanonicalHost, isCanonicalPath } from '@ambit/core';
import type { Automaton } from './automaton.js';

/** A form that texts have; a machine that knows it, and what makes sure of it. */
export interface Shape extends Automaton {
  /** Characters that the machine takes as one, where it takes few; null where any character may stand. */
  readonly classes: readonly string[] | null;
  /** Whether the text has the form; the machine may take some texts that do not. */
  readonly isReal: (text: string) => boolean;
}

/** Reads a table: from each state, characters and where they lead. */
interface Table {
  readonly start: string;
  readonly states: Readonly<
    Record<
      string,
      {
        readonly label: number;
        readonly to: readonly (readonly [string, string])[];
        readonly otherwise?: string;
      }
    >
  >;
}

function fromTable({ start, states }: Table): Automaton {
  const names = ['dead', ...Object.keys(states)];
  const rows = names.map((name) => states[name] ?? { label: 0, to: [] });
  const number = (name: string | undefined) => (name === undefined ? 0 : names.indexOf(name));
  const maps = rows.map(
    ({ to }) =>
      new Map(
        to.flatMap(([characters, name]) => [...characters].map((each) => [each, number(name)] as const)),
      ),
  );
  return {
    start: number(start),
    step: (state, character) => maps[state]?.get(character) ?? number(rows[state]?.otherwise),
    label: (state) => rows[state]?.label ?? 0,
    specials: (state) => [...(maps[state]?.keys() ?? [])],
    isSettled: (state) => state === 0,
  };
}

/** What follows a slash; the root has a class of its own, because it has no segments. */
const inPath = {
  slash: {
    label: 0,
    to: [
      ['/\0', 'dead'],
      ['.', 'dot'],
    ],
    otherwise: 'segment',
  },
  dot: {
    label: 0,
    to: [
      ['/\0', 'dead'],
      ['.', 'dots'],
    ],
    otherwise: 'segment',
  },
  dots: { label: 0, to: [['/\0', 'dead']], otherwise: 'segment' },
  segment: {
    label: 1,
    to: [
      ['/', 'slash'],
      ['\0', 'dead'],
    ],
    otherwise: 'segment',
  },
} as const;

export const pathShape: Shape = {
  ...fromTable({
    start: 'begin',
    states: { begin: { label: 0, to: [['/', 'root']] }, root: { ...inPath.slash, label: 2 }, ...inPath },
  }),
  classes: null,
  isReal: isCanonicalPath,
};

export const programShape: Shape = {
  ...fromTable({
    start: 'begin',
    states: {
      begin: {
        label: 0,
        to: [
          ['/', 'slash'],
          ['.', 'bare-dot'],
          ['\0', 'dead'],
        ],
        otherwise: 'bare',
      },
      'bare-dot': {
        label: 0,
        to: [
          ['/\0', 'dead'],
          ['.', 'bare-dots'],
        ],
        otherwise: 'bare',
      },
      'bare-dots': { label: 0, to: [['/\0', 'dead']], otherwise: 'bare' },
      bare: { label: 1, to: [['/\0', 'dead']], otherwise: 'bare' },
      ...inPath,
    },
  }),
  classes: null,
  isReal: (text) => (text.includes('/') ? text !== '/' && isCanonicalPath(text) : text !== ''),
};

const letters = 'xyzwvutsrqponmlkjihg';
const hex = 'abcdef';
const numerals = '123456789';

/** Names of hosts; the last label is none that the standard takes for a number. */
export const nameShape: Shape = {
  ...fromTable({
    start: 'label',
    states: {
      label: {
        label: 0,
        to: [
          ['0', 'zero'],
          [numerals, 'digits'],
          [`${letters}${hex}_`, 'name'],
        ],
      },
      zero: {
        label: 0,
        to: [
          [`0${numerals}`, 'digits'],
          ['x', 'hex'],
          [`${letters.replace('x', '')}${hex}_`, 'name'],
          ['-', 'dash'],
          ['.', 'label'],
        ],
      },
      digits: {
        label: 0,
        to: [
          [`0${numerals}`, 'digits'],
          [`${letters}${hex}_`, 'name'],
          ['-', 'dash'],
          ['.', 'label'],
        ],
      },
      hex: {
        label: 0,
        to: [
          [`0${numerals}${hex}`, 'hex'],
          [`${letters}_`, 'name'],
          ['-', 'dash'],
          ['.', 'label'],
        ],
      },
      name: {
        label: 1,
        to: [
          [`0${numerals}${letters}${hex}_`, 'name'],
          ['-', 'dash'],
          ['.', 'label'],
        ],
      },
      dash: {
        label: 0,
        to: [
          [`0${numerals}${letters}${hex}_`, 'name'],
          ['-', 'dash'],
        ],
      },
    },
  }),
  classes: ['x', letters.slice(1), hex, '0', numerals, '_', '-', '.'],
  isReal: isCanonicalHost,
};

function octetTable(index: number) {
  const next = index < 3 ? ([['.', `start${index + 1}`]] as const) : [];
  const label = index === 3 ? 1 : 0;
  const name = (place: string) => `${place}${index}`;
  return {
    [name('start')]: {
      label: 0,
      to: [
        ['0', name('full')],
        ['1', name('one')],
        ['2', name('two')],
        ['3456789', name('few')],
      ],
    },
    [name('one')]: { label, to: [[`0${numerals}`, name('few')], ...next] },
    [name('two')]: {
      label,
      to: [['01234', name('few')], ['5', name('limit')], ['6789', name('full')], ...next],
    },
    [name('limit')]: { label, to: [['012345', name('full')], ...next] },
    [name('few')]: { label, to: [[`0${numerals}`, name('full')], ...next] },
    [name('full')]: { label, to: [...next] },
  } as Table['states'];
}

// After `1` two more digits may follow, after `3` to `9` one: `few` is what one more may follow.
const v4Table: Table = {
  start: 'start0',
  states: Object.assign({}, ...[0, 1, 2, 3].map(octetTable)) as Table['states'],
};

export const v4Shape: Shape = {
  ...fromTable(v4Table),
  classes: ['0', '1', '2', '34', '5', '6789', '.'],
  isReal: isCanonicalHost,
};

/** Texts of hexadecimal groups, and nearly only addresses: where zeros are put together is made sure of afterwards. */
function v6Table(): Table {
  const states: Record<string, Table['states'][string]> = {};
  const add = (name: string, label: number, to: readonly (readonly [string, string])[]) => {
    states[name] = { label, to };
  };
  add('begin', 0, [
    ['0', 'zero 1 whole'],
    [`${numerals}${hex}`, 'one 1 whole'],
    [':', 'colon'],
  ]);
  add('colon', 0, [[':', 'gap 0']]);
  for (let groups = 0; groups <= 6; groups += 1)
    add(
      `gap ${groups}`,
      1,
      groups === 6
        ? []
        : [
            ['0', `zero ${groups + 1} open`],
            [`${numerals}${hex}`, `one ${groups + 1} open`],
          ],
    );
  for (const side of ['whole', 'open']) {
    for (let groups = 1; groups <= 8; groups += 1) {
      const isEnd = side === 'whole' ? groups === 8 : groups <= 6;
      const goesOn = side === 'whole' ? groups < 8 : groups < 6;
      const ends = goesOn
        ? ([[':', `next ${groups} ${side}`]] as const)
        : groups <= 6 && side === 'whole'
          ? ([[':', `next ${groups} ${side}`]] as const)
          : [];
      const label = isEnd ? 1 : 0;
      add(`zero ${groups} ${side}`, label, ends);
      ['one', 'two', 'three', 'four'].forEach((place, index, places) => {
        const longer = places[index + 1];
        add(`${place} ${groups} ${side}`, label, [
          ...(longer === undefined ? [] : [[`0${numerals}${hex}`, `${longer} ${groups} ${side}`] as const]),
          ...ends,
        ]);
      });
      add(`next ${groups} ${side}`, 0, [
        ...(groups < 8
          ? ([
              ['0', `zero ${groups + 1} ${side}`],
              [`${numerals}${hex}`, `one ${groups + 1} ${side}`],
            ] as const)
          : []),
        ...(side === 'whole' && groups <= 6 ? ([[':', `gap ${groups}`]] as const) : []),
      ]);
    }
  }
  return { start: 'begin', states };
}

export const v6Shape: Shape = {
  ...fromTable(v6Table()),
  classes: ['0', numerals, hex, ':'],
  isReal: isCanonicalHost,
};

/** Any text. */
export const anyShape: Shape = {
  start: 1,
  step: () => 1,
  label: () => 1,
  specials: () => [],
  isSettled: () => true,
  classes: null,
  isReal: () => true,
};
