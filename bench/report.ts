import { cpus, totalmem, type } from 'node:os';
import { type Comparison, contenders } from './compare.js';
import { type ConditionTimes, ownName } from './conditions.js';
import { type DrawnRun, drawnSection } from './drawn-report.js';
import { type LayerTimes, layerNames } from './layers.js';
import type { HeapOfRules } from './memory.js';
import type { ProgramTimes } from './program.js';
import { explained, floor, plain, settled } from './rivals/ambit.js';
import { casbin } from './rivals/casbin.js';
import { casl, caslPatterns } from './rivals/casl.js';
import { cedar } from './rivals/cedar.js';

export interface Results {
  readonly sizes: readonly Comparison[];
  readonly conditions: readonly ConditionTimes[];
  readonly layers: LayerTimes;
  /** The same with few rules. */
  readonly small: LayerTimes;
  readonly drawn: DrawnRun;
  readonly heap: HeapOfRules;
  readonly program: ProgramTimes;
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
}

/** The page `docs/benchmarks.md`. */
export function reportOf(results: Results): string {
  const { sizes, conditions, layers, heap, program } = results;
  return `${[
    '# Benchmarks',
    preface(results),
    ...drawnSection(results.drawn),
    '## What was aimed at',
    table(['at 1 000 rules, unless said', 'wanted', 'measured', ''], targets(results)),
    notes,
    '## The first workload',
    firstWorkload,
    sizesTable(sizes),
    sizes.map(({ rules, verified }) => `- ${spaced(rules)} rules: ${verified}.`).join('\n'),
    'Loading the file, a mistake in any line of which would be shown with its place:',
    table(
      ['rules', 'size', 'time', 'a rule'],
      sizes.map(({ rules, bytes, loadMilliseconds }) => [
        spaced(rules),
        `${spaced(Math.round(bytes / 1024))} kB`,
        `${spaced(Math.round(loadMilliseconds))} ms`,
        `${Math.round((loadMilliseconds * 1000) / rules)} µs`,
      ]),
    ),
    heap.read < 0
      ? noHeap
      : `Heap that the engine takes beside the policy, at ${spaced(heap.rules)} rules: ${Math.round(heap.read)} bytes a rule once the policy was read, ${Math.round(heap.decided)} once 10 000 calls were decided, ${Math.round(heap.explained)} once they were explained too.`,
    '## The second workload',
    secondWorkload(layers),
    table(
      ['', 'a call', 'to the floor'],
      Object.entries(layers.times).map(([name, time]) => [
        name,
        inUnits(time),
        `${ratio(time, layers.times[layerNames.floor])} x`,
      ]),
    ),
    '## Conditions',
    'One evaluation on data that is there, all contenders giving the same truth for the same 1 000 calls before the clock runs.',
    conditionsTable(conditions),
    '## The program',
    programTimes(program),
    worstCase,
  ]
    .flatMap((text) => text.split('\n\n'))
    .map((block) => (/^[#|]/.test(block) ? block : filled(block)))
    .join('\n\n')}\n`;
}

const widest = 100;

/** The text in lines of at most 100 characters; items of a list begin lines of their own. */
function filled(block: string): string {
  return block
    .split(/\n(?=- )/)
    .flatMap((item) => {
      const lines: string[] = [];
      for (const word of item.split(/\s+/)) {
        const last = lines.at(-1);
        const indent = item.startsWith('- ') && lines.length > 0 ? '  ' : '';
        if (last !== undefined && last.length + word.length < widest)
          lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(`${indent}${word}`);
      }
      return lines;
    })
    .join('\n');
}

function preface({ versions, date }: Results): string {
  const [cpu] = cpus();
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Written by \`npm run bench engine\` on ${date}: ${cpus().length} x ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}, Node ${process.version}.`,
    `Against ${list.join(', ')}.`,
    '',
    'All numbers come from one process and one run, in rounds in which every contender has its turn; each is the median of nine rounds, by CPU time. The machine is',
    'shared, so times vary, most of all where they depend on caches. Compare the ratios; even they vary by half between runs.',
    '',
    '[Figures about calls and programs](call-benchmarks.md) are on a page of their own.',
  ].join('\n');
}

const firstWorkload = [
  'Of the rules 80 % allow an exact name, 15 % speak about all under a name (two of three allow, the third forbids a part), 5 % allow a name up to an amount.',
  '10 000 calls carry one to four capabilities each; a tenth of those have no rule of their own. All that a contender can prepare before it is asked is prepared before',
  'the clock runs: entities for Cedar, tagged subjects for CASL, requests for this engine and for the floor. What a name is under is looked for by the means that each has:',
  'CASL twice, with a pattern on the name for each rule about all under one, as its guide writes it, and with a subject `name.*` for each ancestor, which makes of it an index as ours is; casbin with',
  'a function in the matcher.',
].join('\n');

const noHeap =
  'The heap that the engine takes is not known from this run: more of what reading the policy had left was collected while it was measured than the engine took.';

const notes = [
  'A ratio to a contender that is faster than the floor times the wanted ratio cannot be reached by anything that looks each name up once; where that is so, the table says it.',
  'That is so of CASL when its rules are laid out as an index, with a subject for all under a name; written with patterns, as most would write it, it goes through all of them for each name.',
  '`@open-policy-agent/opa-wasm` is not in the tables: it runs policies that the program `opa` compiled, and no package of the registry brings that program. Nothing is claimed about it.',
  '`json-logic-js`, `json-logic-engine` and CEL evaluate conditions and have no rules of their own, so they are compared on conditions.',
].join('\n');

const worstCase = `## The worst case

A decision costs, for each capability of the call, one look-up for each word of its name in each layer when the name is new, one in all when it was met before, and the conditions of the rules that can
concern it; for a combination \`within: run\`, a look at each capability that the run was permitted. It does not grow with the number of rules.

- A glob takes at most as many steps as its length times the text's. A text of more than 65 536 characters, or one for which that product is above 16 777 216, leaves the rule undecided. It is never cut.
- A condition makes at most 1 000 000 steps, a text counting one for each 50 characters; then it is undecided. \`in\` leaves texts undecided whose lengths multiply to more than 67 108 864, and \`cat\` makes none of more than 1 000 000 characters.
- Conditions nested more than 100 deep are refused at load, as the rest of a file is.
- What is kept ready by name is bounded (65 536 names over all chains and tools, names of up to 200 characters), so a call that makes up names costs time, not memory.`;

function secondWorkload({ rules, verified }: LayerTimes): string {
  return [
    `Three layers with ${spaced(rules)} rules in all, each with patterns on paths; rules for a worker, in whose chain a third of the calls are; a combination within the run; a tenth of the facts missing, so that rules are undecided.`,
    `The plain definition was asked about ${verified}, and gave the same each time, explanations included.`,
  ].join('\n');
}

function programTimes({ node, program, launcher }: ProgramTimes): string {
  return [
    '`ambit decide` on one call with a policy of 100 rules, whole processes by the clock, each round one of each; the ratios above are the medians of those within a round.',
    `Installed ${program.toFixed(0)} ms; from a checkout by \`bin/ambit\`, which also looks whether the build is up to date, ${launcher.toFixed(0)} ms; \`node -e 0\` ${node.toFixed(0)} ms.`,
  ].join('\n');
}

function targets({
  sizes,
  layers,
  small,
  conditions,
  heap,
  program,
}: Results): readonly (readonly string[])[] {
  const at = (rules: number) => sizes.find((size) => size.rules === rules)?.times ?? {};
  const [ten, thousand, tenThousand] = [at(10), at(1_000), at(10_000)];
  const base = thousand[floor.name] ?? Number.NaN;
  const own = thousand[settled.name] ?? Number.NaN;
  const atLeast = (what: string, wanted: number, measured: number, possible = Number.POSITIVE_INFINITY) => [
    what,
    `${shown(wanted)} x or more`,
    `${shown(measured)} x`,
    measured >= wanted
      ? 'reached'
      : possible < wanted
        ? `not reached; the floor itself is ${shown(possible)} x`
        : 'not reached',
  ];
  const atMost = (what: string, wanted: number, measured: number, unit: string) => [
    what,
    `${shown(wanted)} ${unit} or less`,
    `${shown(measured)} ${unit}`,
    measured <= wanted ? 'reached' : 'not reached',
  ];
  const quotient = (one: number | undefined, other: number | undefined) =>
    (one ?? Number.NaN) / (other ?? Number.NaN);
  const rival = (name: string, wanted: number) =>
    atLeast(`decisions, to ${name}`, wanted, quotient(thousand[name], own), quotient(thousand[name], base));
  const ratios = conditions.map(({ times }) => quotient(times['json-logic-js'], times[ownName]));
  const mean = Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length);
  return [
    atMost('decisions, to the floor', 1.54, own / base, 'x'),
    atMost('with explanation, to the floor', 2, quotient(thousand[explained.name], base), 'x'),
    ...[layers, small].flatMap((one) => [
      atMost(
        `layers and patterns, ${one.rules} rules, to the floor`,
        one === small ? 10 : 15,
        quotient(one.times[layerNames.settled], one.times[layerNames.floor]),
        'x',
      ),
      atMost(
        'the same, explained',
        one === small ? 30 : 40,
        quotient(one.times[layerNames.explained], one.times[layerNames.floor]),
        'x',
      ),
    ]),
    rival(caslPatterns.name, 25),
    rival(casl.name, 25),
    rival(casbin.name, 1000),
    rival(cedar.name, 1000),
    atMost(
      'decisions at 10 000 rules, to those at 10',
      5,
      quotient(tenThousand[settled.name], ten[settled.name]),
      'x',
    ),
    [
      '(the floor at 10 000 rules, to that at 10)',
      '',
      `${shown(quotient(tenThousand[floor.name], ten[floor.name]))} x`,
      '',
    ],
    atLeast('conditions, to json-logic-js, the geometric mean of three', 12, mean),
    atLeast('conditions, to json-logic-js, the least of three', 12, Math.min(...ratios)),
    heap.read < 0
      ? ['heap a rule, read and 10 000 calls decided', '300 bytes or less', '', 'not known']
      : atMost('heap a rule, read and 10 000 calls decided', 300, heap.decided, 'bytes'),
    atMost('`ambit decide` on one call, to `node -e 0`', 2, program.ratio, 'x'),
    atMost('the same from a checkout, by `bin/ambit`', 2, program.launcherRatio, 'x'),
  ];
}

function sizesTable(sizes: readonly Comparison[]): string {
  const cell = (time: number | undefined, { times }: Comparison) =>
    time === undefined ? 'left out' : `${inUnits(time)} (${ratio(time, times[floor.name])} x)`;
  const rows = contenders.map(({ name }) => [name, ...sizes.map((size) => cell(size.times[name], size))]);
  return [
    table(['a call, and to the floor', ...sizes.map(({ rules }) => `${spaced(rules)} rules`)], rows),
    `Left out is what would take too long or too much memory: ${caslPatterns.name} beyond 1 000 rules, ${[plain, casbin, cedar].map(({ name }) => name).join(', ')} beyond 10 000.`,
  ].join('\n\n');
}

function conditionsTable(conditions: readonly ConditionTimes[]): string {
  const names = Object.keys(conditions[0]?.times ?? {});
  const cell = (name: string, { times }: ConditionTimes) =>
    `${inUnits(times[name] ?? Number.NaN)} (${ratio(times[name], times[ownName])} x)`;
  return table(
    ['an evaluation, and to Ambit', ...conditions.map(({ title }) => title)],
    names.map((name) => [name, ...conditions.map((condition) => cell(name, condition))]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function inUnits(nanoseconds: number): string {
  if (nanoseconds < 1_000) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(2)} µs`;
  return `${(nanoseconds / 1e6).toFixed(2)} ms`;
}

function ratio(one: number | undefined, other: number | undefined): string {
  return shown((one ?? Number.NaN) / (other ?? Number.NaN));
}

function shown(value: number): string {
  return value >= 100 ? spaced(Math.round(value)) : value.toFixed(value < 10 ? 2 : 1).replace(/\.0+$/, '');
}

function spaced(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ');
}
