import { messageOf } from '@ambit/core';
import { RE2JS } from 're2js';
import { SchemaFault } from './check.js';

/** The limits of a pattern: in characters, and in compiled steps. */
const longest = 1_000;
const largest = 2_500;

/** A foreign regular expression on a linear engine. Throws `SchemaFault` for an unsupported or too large one. */
export function linearPattern(source: string) {
  if (source.length > longest) throw new SchemaFault(`a \`pattern\` is longer than ${longest} characters`);
  const size = patternSize(source);
  if (size === null || size > largest) throw new SchemaFault('a `pattern` repeats too much');
  try {
    const pattern = RE2JS.compile(inOtherSpelling(source));
    return {
      matches: (text: string): boolean => pattern.matcher(text).find(),
      /** Steps of `Effort`. */
      costOf: (text: string): number => Math.ceil((text.length * (size + 4)) / stepsPerEffort),
    };
  } catch (error) {
    const why = messageOf(error);
    throw new SchemaFault(`a \`pattern\` cannot be matched in linear time: ${why.slice(0, 200)}`);
  }
}

/** A step of the engine takes about 150 ns, one of a check about 2 µs. */
const stepsPerEffort = 15;

function inOtherSpelling(source: string): string {
  return source.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|[\s\S])/g, (found, braced, four) => {
    const code: unknown = braced ?? four;
    return typeof code === 'string' ? `\\x{${code}}` : found;
  });
}

/** An upper estimate; null without one. */
export function patternSize(source: string): number | null {
  // Between these, brackets and braces have no meaning.
  if (/\\Q/.test(source)) return null;
  const open: Group[] = [{ sum: 0, last: 0 }];
  for (const [token] of source.matchAll(tokens)) {
    const group = open.at(-1) as Group;
    if (token === '(') open.push({ sum: 0, last: 0 });
    else if (token === ')') {
      if (open.length === 1) return null;
      open.pop();
      add(open.at(-1) as Group, group.sum + 2);
    } else if (/^\{\d/.test(token)) repeat(group, countOf(token));
    else if ('*+?'.includes(token)) repeat(group, 2);
    else add(group, 1);
  }
  return open.length === 1 ? (open[0]?.sum ?? null) : null;
}

interface Group {
  sum: number;
  last: number;
}

/** An escape with its braces, a class, a repetition, or one character. */
const tokens = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function add(group: Group, size: number): void {
  group.sum += size;
  group.last = size;
}

function repeat(group: Group, times: number): void {
  group.sum += group.last * (times - 1) + 1;
  group.last = group.last * times + 1;
}

function countOf(token: string): number {
  const counts = token.slice(1, -1).split(',').map(Number);
  return Math.max(1, ...counts) + 1;
}
