import { type DrawnTimes, drawnNames } from './drawn.js';

export interface DrawnRun {
  readonly seed: number;
  readonly drawn: readonly DrawnTimes[];
}

const names = drawnNames;

/** The wanted shares of the limit, by the number of rules; the larger one from 10 000 on. */
const wanted: readonly (readonly [string, number, number])[] = [
  [names.settled, 0.65, 0.5],
  [names.explained, 0.5, 0.2],
  [names.settledWithRequest, 0.4, 0.4],
  [names.explainedWithRequest, 0.3, 0.3],
];

/** The section about drawn workloads, and what was not reached. */
export function drawnSection({ seed, drawn }: DrawnRun): readonly string[] {
  const share = ({ times }: DrawnTimes, name: string) =>
    (times[names.limit] ?? Number.NaN) / (times[name] ?? Number.NaN);
  const rows = drawn.map((one) => {
    const casl = one.times[names.casl];
    const own = one.times[names.settledWithRequest] ?? Number.NaN;
    const cells = wanted.map(([name]) => share(one, name).toFixed(2));
    return [
      one.title,
      `${(one.times[names.limit] ?? Number.NaN).toFixed(0)} ns`,
      ...cells,
      casl === undefined ? '' : `${(casl / own).toFixed(1)} x`,
    ];
  });
  const plain = drawn.filter(({ times }) => times[names.casl] !== undefined);
  const missed = plain.flatMap((one) => {
    const isLarge = Number.parseInt(one.title, 10) >= 10_000;
    const below = wanted.filter(([name, small, large]) => share(one, name) < (isLarge ? large : small));
    const list = below.map(
      ([name, small, large]) => `${name} ${share(one, name).toFixed(2)} of ${isLarge ? large : small}`,
    );
    const casl = (one.times[names.casl] ?? 0) / (one.times[names.settledWithRequest] ?? 1);
    const limit = casl / share(one, names.settledWithRequest);
    if (casl < 12)
      list.push(`against CASL ${casl.toFixed(1)} x of 12 x, and the limit ${limit.toFixed(1)} x`);
    return list.length === 0 ? [] : [`- ${one.title}: ${list.join('; ')}.`];
  });
  const head = [
    'workload',
    'the limit',
    ...wanted.map(([name]) => name),
    'CASL, to the decision with the request',
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '## Drawn workloads',
    introduction(seed, Math.min(...drawn.map(({ verified }) => verified))),
    [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'),
    missed.length === 0
      ? 'All that was wanted of names and amounts was reached.'
      : ['Not reached, of what was wanted for names and amounts:', '', ...missed].join('\n'),
  ];
}

function introduction(seed: number, verified: number): string {
  return [
    `Drawn from the seed ${seed}; \`AMBIT_SEED=${seed} npm run bench engine\` draws the same ones again.`,
    'The limit is one `Map.get` for each name, and the strictest outcome. The figures are shares of it, by CPU time: 1 is as fast.',
    'Every contender has its turn in each round, and gets calls of fresh strings, which nobody has seen before. "With the request" includes `createRequest`.',
    `The plain definition gave the same for the first calls of each workload, explanations included: at least ${verified}.`,
    'The limit does no work for patterns, conditions and layers, so workloads that have them cannot come near it.',
  ].join('\n');
}
