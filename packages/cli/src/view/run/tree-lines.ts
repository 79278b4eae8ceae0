import { columnsOf, counted } from '@ambit/core';
import {
  cut,
  inRows,
  type Looks,
  moneyText,
  type Style,
  shown,
  styled,
  sumOfCosts,
  tokenText,
} from '../text.js';
import type { CallNode, RunTree, WorkerNode } from './run-tree.js';

export interface Line {
  readonly text: string;
  readonly columns: number;
}

export interface TreeLooks extends Looks {
  /** Null for any number. */
  readonly height: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Rows with higher weights stay longer. */
const weights = { done: 0, worker: 1, refused: 2, active: 3, asking: 4 } as const;

/** Columns. */
const shortestModel = 16;

interface Row {
  /** The branches before it: `│  ├─ `. */
  readonly guide: string;
  readonly mark: string;
  readonly label: string;
  /** Dropped first if there is too little room. */
  readonly model: string;
  /** After these: its status. */
  readonly said: string;
  readonly style: Style | null;
  weight: number;
}

const looksOfState: Readonly<Record<CallNode['state'], readonly [mark: string, style: Style | null]>> = {
  asking: ['?', 'yellow'],
  running: ['›', 'bold'],
  done: ['✓', 'dim'],
  refused: ['✗', 'red'],
  failed: ['!', 'red'],
};

/** Never exceeds the room. */
export function treeLines(tree: RunTree, looks: TreeLooks): readonly Line[] {
  const rows = tree.workers.flatMap((worker) =>
    workerRows(worker, { guide: { first: '', rest: '' }, caller: null, now: looks.now }),
  );
  if (rows.length === 0) return [];
  const summary = inRows(summaryParts(tree), looks.width, ' · ');
  const room = looks.height === null ? rows.length : Math.max(0, looks.height - summary.length);
  const { kept, left } = keepRows(rows, room);
  const lines = [
    ...(left === 0 ? [] : [dimLine(`… ${counted(left, 'line')} more`, looks)]),
    ...kept.map((row) => lineOf(row, looks)),
    ...summary.map((text) => dimLine(text, looks)),
  ];
  return looks.height === null ? lines : lines.slice(Math.max(0, lines.length - looks.height));
}

interface Guide {
  readonly first: string;
  readonly rest: string;
}

interface Hanging {
  readonly guide: Guide;
  readonly caller: WorkerNode | null;
  readonly now: number;
}

function workerRows(worker: WorkerNode, at: Hanging): readonly Row[] {
  const { guide, caller } = at;
  const below = worker.calls.flatMap((call, index) =>
    callRows(call, {
      ...at,
      guide: guideBelow(guide.rest, index === worker.calls.length - 1),
      caller: worker,
    }),
  );
  const { input, output } = worker.tokens;
  const said = [
    ...(input + output === 0 ? [] : [`${tokenText(input)} in, ${tokenText(output)} out`]),
    ...(worker.costs === null ? [] : [moneyText(worker.costs)]),
    ...(worker.state === 'ended' ? ['ended'] : []),
  ].join(' · ');
  const own = worker.state === 'works' ? weights.active : weights.worker;
  const style: Style | null = worker.state === 'works' ? 'bold' : worker.state === 'ended' ? 'red' : null;
  // A call of an earlier process is unknown here, so the worker shows its chain.
  const label = caller === null ? worker.chain.map(shown).join(' › ') : worker.name;
  const model = worker.model === caller?.model ? '' : worker.model;
  const row: Row = { guide: guide.first, mark: '', label, model, said, style, weight: own };
  return withWeight(row, below);
}

function callRows(call: CallNode, at: Hanging): readonly Row[] {
  const { rest, first } = at.guide;
  const parts = [
    ...call.calls.map((inner) => (guide: Guide) => callRows(inner, { ...at, guide })),
    ...call.workers.map((worker) => (guide: Guide) => workerRows(worker, { ...at, guide })),
  ];
  const below = parts.flatMap((rowsAt, index) => rowsAt(guideBelow(rest, index === parts.length - 1)));
  const [mark, style] = looksOfState[call.state];
  const label = `${call.tool}${call.subject === '' ? '' : ` ${call.subject}`}`;
  const said = saidOf(call, at.now);
  const row: Row = { guide: first, mark, label, model: '', said, style, weight: weightOf(call) };
  return withWeight(row, below);
}

function saidOf(call: CallNode, now: number): string {
  if (call.state === 'asking') return 'asks';
  if (call.state === 'done') return call.approved;
  if (call.state === 'failed') return `failed: ${call.why}`;
  if (call.state === 'refused') return call.why === '' ? 'refused' : call.why;
  const seconds = Math.floor((now - call.since) / 1000);
  return [...(call.approved === '' ? [] : [call.approved]), ...(seconds < 2 ? [] : [`${seconds} s`])].join(
    ', ',
  );
}

function weightOf({ state }: CallNode): number {
  if (state === 'asking') return weights.asking;
  if (state === 'running') return weights.active;
  return state === 'done' ? weights.done : weights.refused;
}

function withWeight(row: Row, below: readonly Row[]): readonly Row[] {
  row.weight = Math.max(row.weight, ...below.map(({ weight }) => weight));
  return [row, ...below];
}

function guideBelow(rest: string, isLast: boolean): Guide {
  return isLast ? { first: `${rest}└ `, rest: `${rest}  ` } : { first: `${rest}├ `, rest: `${rest}│ ` };
}

/** The most valuable rows in order, and the number of the others. */
function keepRows(
  rows: readonly Row[],
  room: number,
): { readonly kept: readonly Row[]; readonly left: number } {
  if (rows.length <= room) return { kept: rows, left: 0 };
  const most = Math.max(0, room - 1);
  const places = rows
    .map(({ weight }, index) => ({ weight, index }))
    .sort((one, other) => other.weight - one.weight || other.index - one.index)
    .slice(0, most);
  const kept = new Set(places.map(({ index }) => index));
  return { kept: rows.filter((_, index) => kept.has(index)), left: rows.length - kept.size };
}

/** The label keeps at least half of the line. */
function lineOf({ guide, mark, label, model, said, style }: Row, looks: TreeLooks): Line {
  const head = cut(`${guide}${mark === '' ? '' : `${mark} `}`, Math.floor(looks.width / 2));
  const room = looks.width - columnsOf(head);
  const rest = said === '' ? '' : ` · ${said}`;
  const left = room - columnsOf(label) - columnsOf(rest) - columnsOf(' · ');
  const named = model === '' ? '' : ` · ${cut(model, Math.max(shortestModel, left))}`;
  const behind = `${named}${rest}`;
  const labelled = cut(label, Math.max(room - columnsOf(behind), Math.ceil(room / 2)));
  const tail = cut(behind, room - columnsOf(labelled));
  return {
    text: `${styled(head, 'dim', looks)}${style === null ? labelled : styled(labelled, style, looks)}${styled(tail, 'dim', looks)}`,
    columns: columnsOf(head) + columnsOf(labelled) + columnsOf(tail),
  };
}

function dimLine(text: string, looks: TreeLooks): Line {
  const line = cut(text, looks.width);
  return { text: styled(line, 'dim', looks), columns: columnsOf(line) };
}

function summaryParts({ calls, allWorkers, ended }: RunTree): readonly string[] {
  const count = (state: CallNode['state']) => calls.filter((call) => call.state === state).length;
  const counts = (['asking', 'running', 'refused', 'failed'] as const).flatMap((state) =>
    count(state) === 0 ? [] : [`${count(state)} ${state}`],
  );
  const talking = allWorkers.filter(({ turns }) => turns > 0);
  const input = talking.reduce((sum, { tokens }) => sum + tokens.input, 0);
  const output = talking.reduce((sum, { tokens }) => sum + tokens.output, 0);
  const [first, ...others] = talking;
  const costs = others.reduce((sum, worker) => sumOfCosts(sum, worker.costs), first?.costs ?? null);
  return [
    ...(ended === null ? [] : [`${ended.status}${ended.why === null ? '' : `: ${ended.why}`}`]),
    `${counted(calls.length, 'call')}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
    ...(input + output === 0 ? [] : [`${tokenText(input)} tokens in, ${tokenText(output)} out`]),
    ...(costs === null ? [] : [moneyText(costs)]),
  ];
}
