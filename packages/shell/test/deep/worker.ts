import { type Capability, printable } from '@ambit/core';
import { shrunk } from './shrink.js';

/** What a worker found out about a line. */
export interface Checked {
  readonly capabilities: readonly Capability[];
  /** What is wrong, each in a sentence; none if the line is as it should be. */
  readonly misses: readonly string[];
  /** Lines that fail for the same cause are shrunk in full only a few times. */
  readonly cause: string;
  readonly isRun: boolean;
  readonly isCut: boolean;
}

/** The output of a worker: one JSON object per line of output. */
interface Miss {
  readonly index: number;
  readonly line: string;
  readonly original: string;
  readonly misses: readonly string[];
  readonly capabilities: readonly Capability[];
}

type Check = (line: string) => Promise<Checked>;

/** Checks lines of a seed, or those given: its arguments are SEED FROM STEP END [LINE…]. */
export async function work(generatorOf: (seed: number) => (index: number) => string, check: Check) {
  const [seed = '1', from = '0', step = '1', end = '100', ...lines] = process.argv.slice(2);
  const write = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
  const make = lines.length > 0 ? null : generatorOf(Number(seed));
  const count = { lines: 0, opaque: 0, run: 0, cut: 0, failed: 0, untraced: 0 };
  const last = make === null ? lines.length : Number(end);
  const seen = new Map<string, number>();
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
    if (checked.isRun) count.run += 1;
    if (checked.isCut) count.cut += 1;
    if (checked.misses.length > 0) {
      count.failed += 1;
      const before = seen.get(checked.cause) ?? 0;
      seen.set(checked.cause, before + 1);
      write({ miss: await missOf({ line, index, checked, check, isShrunk: before < 5 }) });
    }
    if (count.lines % 200 === 0) write({ progress: count });
  }
  write({ done: count });
}

interface Failed {
  readonly line: string;
  readonly index: number;
  readonly checked: Checked;
  readonly check: Check;
  readonly isShrunk: boolean;
}

async function missOf({ line, index, checked, check, isShrunk }: Failed): Promise<Miss> {
  let small = { line, checked };
  const fails = async (candidate: string) => {
    const again = await check(candidate).catch(() => null);
    if (again === null || again.misses.length === 0 || again.cause !== checked.cause) return false;
    small = { line: candidate, checked: again };
    return true;
  };
  if (isShrunk) await shrunk(line, fails);
  const { misses, capabilities } = small.checked;
  return { index, line: small.line, original: printable(line), misses: misses.slice(0, 5), capabilities };
}
