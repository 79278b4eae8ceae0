import { messageOf, shortened } from '@ambit/core';
import { RE2JS } from 're2js';

interface Sought {
  readonly pattern: string;
  readonly regular_expression: boolean;
  readonly ignore_case: boolean;
}

/** Tells whether a line matches. */
type LineTest = (line: string) => boolean;

/** Or why the pattern is invalid. Takes linear time. */
export function lineTest({
  pattern,
  regular_expression,
  ignore_case,
}: Sought): LineTest | { readonly problem: string } {
  if (regular_expression) return expressionTest(pattern, ignore_case);
  if (!ignore_case) return (line) => line.includes(pattern);
  const lower = pattern.toLowerCase();
  return (line) => line.toLowerCase().includes(lower);
}

/** The most steps of a compiled expression: a long line then takes about a second. */
const largest = 2_500;

function expressionTest(pattern: string, ignore_case: boolean): ReturnType<typeof lineTest> {
  try {
    const expression = RE2JS.compile(pattern, ignore_case ? RE2JS.CASE_INSENSITIVE : 0);
    if (expression.programSize() > largest)
      return { problem: 'this regular expression repeats too much: shorten its repetitions' };
    return (line) => expression.test(line);
  } catch (error) {
    const why = messageOf(error);
    return { problem: `not a regular expression of RE2: ${why.slice(0, 200)}` };
  }
}

interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** The line, cut if it is long. */
  readonly text: string;
}

interface Search {
  readonly test: LineTest;
  readonly most: number;
  /** The time after which no line is looked at. */
  readonly end: number;
}

/** Only the first part of a line is searched. */
export function linesFound(text: string, { test, most, end }: Search): readonly FoundLine[] {
  const found: FoundLine[] = [];
  let number = 0;
  for (const [line] of text.matchAll(/[^\n]*\n?/g)) {
    if (line === '' || found.length >= most || Date.now() > end) break;
    number += 1;
    const start = line.replace(/\r?\n$/, '').slice(0, longestLine);
    if (test(start)) found.push({ line: number, text: shortened(start, mostShown) });
  }
  return found;
}

const longestLine = 5000;

const mostShown = 300;
