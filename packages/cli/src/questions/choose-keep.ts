import { exampleInWords, type Keeping, ladder, parseMinute, type Question, type Rung } from '@ambit/core';
import { type Looks, styled, wrapped } from '../view/text.js';

interface Choosing {
  readonly key: (prompt: string, keys: readonly string[]) => Promise<string>;
  /** Null if the person goes back. */
  readonly line: (prompt: string) => Promise<string | null>;
  /** Escaped. */
  readonly say: (text: string) => void;
  readonly looks: () => Looks;
  readonly now: () => number;
}

/** How far an answer reaches, then how long it is kept. Null if the person goes back. */
export async function chooseKeep(question: Question, choosing: Choosing): Promise<Keeping | null> {
  for (;;) {
    const rung = await chooseReach(question, choosing);
    if (rung === null) return null;
    const howLong = await chooseTime(question, choosing);
    if (howLong !== null) return { ...howLong, reach: rung.reach };
  }
}

async function chooseReach(question: Question, choosing: Choosing): Promise<Rung | null> {
  const rungs = rungsOf(question);
  const looks = choosing.looks();
  const lines = rungs.flatMap((rung, index) =>
    rungLines(question, rung, { ...looks, first: `  ${index + 1}  ` }),
  );
  const title = wrapped(`How far? Yes to this call, and to ${laterCalls(question)}`, looks.width);
  const keys = rungs.map((_, index) => String(index + 1));
  const prompt = `\n${title.join('\n')}\n\n${lines.join('\n')}\n\n  b  back to the question\n> `;
  const key = await choosing.key(prompt, [...keys, 'b']);
  return rungs[keys.indexOf(key)] ?? null;
}

type Time = Omit<Keeping, 'reach'>;

async function chooseTime({ keep }: Question, choosing: Choosing): Promise<Time | null> {
  const isAlways = keep?.remember === 'always';
  const lines = [
    '  r  for this run',
    ...(isAlways
      ? ['  a  always: in later runs too, until it is revoked, or the tool or a policy changes']
      : []),
    `  u  until a time that you give, ${isAlways ? 'in later runs too' : 'or to the end of this run'}`,
    '  b  back: how far',
  ];
  const looks = choosing.looks();
  const prompt = `\nFor how long?\n${lines.flatMap((line) => wrapped(line.slice(5), looks.width, line.slice(0, 5))).join('\n')}\n> `;
  for (;;) {
    const key = await choosing.key(prompt, ['r', ...(isAlways ? ['a'] : []), 'u', 'b']);
    if (key === 'r') return { remember: 'run' };
    if (key === 'a') return { remember: 'always' };
    if (key === 'b') return null;
    const until = await askUntil(choosing);
    if (until !== null) return { remember: isAlways ? 'always' : 'run', until };
  }
}

async function askUntil({ line, say, now }: Choosing): Promise<number | null> {
  for (;;) {
    const text = await line('until when? 30m, 8h, 2d, or 2026-11-20T18:00Z (ctrl-D goes back)\n> ');
    if (text === null) return null;
    const until = readUntil(text, now());
    if (typeof until === 'number') return until;
    say(until);
  }
}

/** `30m`, `8h` or `2d` from now, or a time with its zone, in milliseconds since 1970; or why it is invalid. */
export function readUntil(text: string, now: number): number | string {
  const said = text.trim();
  const [, count, unit] = /^(\d{1,6})\s*([mhd])$/.exec(said) ?? [];
  const until =
    count !== undefined && unit !== undefined ? now + Number(count) * (units[unit] ?? 0) : parseMinute(said);
  if (until === null) return 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z';
  return until <= now ? 'that time is in the past' : until;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The possible reach of an answer to this question; nothing if it holds for its call only. */
export function rungsOf(question: Question): readonly Rung[] {
  return question.keep === null ? [] : ladder(shownCall(question), question.keep.reach);
}

/** The coverage of an answer: in words after `first`, with examples. */
export function rungLines(
  question: Question,
  { words, covers, not }: Rung,
  { first, ...looks }: Looks & { readonly first: string },
): readonly string[] {
  const example = (one: Rung['not']) => exampleInWords(shownCall(question), one);
  return [
    ...wrapped(words, looks.width, first).map((line) => styled(line, 'bold', looks)),
    ...covers.flatMap((one) => wrapped(example(one), looks.width, '       covers  ')),
    ...wrapped(example(not), looks.width, '       not     ').map((line) => styled(line, 'yellow', looks)),
  ];
}

export function laterCalls({ chain, tool }: Question): string {
  return `later calls of ${tool} by ${chain.join(' › ')}`;
}

function shownCall({ chain, tool, args, capabilities: [first, ...others] }: Question) {
  const shown = [first.capability, ...others.map(({ capability }) => capability)] as const;
  return { chain, tool, args, capabilities: shown };
}
