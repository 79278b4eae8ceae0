import { type Capability, printable } from '@ambit/core';
import { coversAnything, missesOf } from './cover.js';
import { describeLine } from './describe.js';
import type { Event } from './events.js';
import { makeFixture, restore } from './fixture.js';
import { generatorOf } from './generate/line.js';
import { runLine } from './run-line.js';
import { shrunk } from './shrink.js';

/** The output of one worker: one JSON object per line of output. */
export interface Miss {
  readonly index: number;
  readonly line: string;
  readonly original: string;
  readonly misses: readonly string[];
  readonly capabilities: readonly Capability[];
}

interface Checked {
  readonly capabilities: readonly Capability[];
  readonly misses: readonly Event[];
  readonly problem: string | null;
  readonly isCut: boolean;
  readonly events: number;
}

async function check(line: string): Promise<Checked> {
  let capabilities: readonly Capability[] = [];
  try {
    capabilities = await describeLine(line);
  } catch (error) {
    const problem = `describing throws: ${error instanceof Error ? error.message : String(error)}`;
    return { capabilities, misses: [], problem, isCut: false, events: 0 };
  }
  // The description covers every effect.
  if (coversAnything(capabilities))
    return { capabilities, misses: [], problem: null, isCut: false, events: 0 };
  const { events, isCut } = runLine(line);
  restore(events.flatMap((event) => ('path' in event && isChange(event) ? [event.path] : [])));
  // A line that is stopped early leaves files that its programs would have renamed or removed.
  const isLeft = (event: Event) => isCut && 'call' in event && event.call.includes('O_EXCL');
  const misses = missesOf(line, events, capabilities).filter((event) => !isLeft(event));
  return { capabilities, misses, problem: null, isCut, events: events.length };
}

function isChange({ kind }: Event): boolean {
  return kind === 'write' || kind === 'delete' || kind === 'meta';
}

function shown(event: Event): string {
  const by = event.programs.at(-1) ?? 'bash';
  if (event.kind === 'exec') return `exec ${event.path} ${JSON.stringify(event.argv)} in ${event.cwd}`;
  if ('path' in event) return `${event.kind} ${event.path} by ${by}: ${event.call}`;
  return `${event.kind} ${event.host}:${event.port} by ${by}`;
}

function isFailed({ misses, problem }: Checked): boolean {
  return misses.length > 0 || problem !== null;
}

/** Kinds and causes of failures that are shrunk in full only once. */
const seen = new Map<string, number>();

async function main(): Promise<void> {
  const [seed = '1', from = '0', step = '1', end = '100', ...lines] = process.argv.slice(2);
  makeFixture();
  const write = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
  const make = lines.length > 0 ? null : generatorOf(Number(seed));
  const count = { lines: 0, opaque: 0, cut: 0, failed: 0, idle: 0, untraced: 0 };
  const last = make === null ? lines.length : Number(end);
  for (let index = Number(from); index < last; index += Number(step)) {
    const line = make === null ? (lines[index] ?? '') : make(index);
    let checked: Checked;
    try {
      checked = await check(line);
    } catch (error) {
      count.untraced += 1;
      write({ untraced: error instanceof Error ? error.message : String(error), line });
      continue;
    }
    count.lines += 1;
    if (checked.capabilities.some(({ name }) => name === 'proc.exec.opaque')) count.opaque += 1;
    if (checked.isCut) count.cut += 1;
    if (checked.events === 0) count.idle += 1;
    if (isFailed(checked)) {
      count.failed += 1;
      write({ miss: await missOf(line, index, checked) });
    }
    if (count.lines % 200 === 0) write({ progress: count });
  }
  write({ done: count });
}

/** The first event that the description misses, and the program that caused it. */
function causeOf({ problem, misses }: Checked): string {
  const [first] = misses;
  return problem ?? (first === undefined ? '' : `${first.kind} ${first.programs.at(-1) ?? 'bash'}`);
}

async function missOf(line: string, index: number, checked: Checked): Promise<Miss> {
  const cause = causeOf(checked);
  const before = seen.get(cause) ?? 0;
  seen.set(cause, before + 1);
  let small = { line, checked };
  const fails = async (candidate: string) => {
    const again = await check(candidate).catch(() => null);
    if (again === null || !isFailed(again) || causeOf(again) !== cause) return false;
    small = { line: candidate, checked: again };
    return true;
  };
  if (before < 5) await shrunk(line, fails);
  const { misses, problem, capabilities } = small.checked;
  const told = problem === null ? misses.slice(0, 5).map(shown) : [problem];
  return { index, line: small.line, original: printable(line), misses: told, capabilities };
}

await main();
