import { equalJson } from '@ambit/core';
import { expectKind, type Reading, readKeys, readText, reportMissing } from '../../grammar/reading.js';
import { quote } from '../../text/escape.js';
import type { Span } from '../../text/place.js';
import { collectProblems } from '../../text/problems.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { Expectation, WrittenCall } from '../suite.js';
import { fill, type Row } from './fill.js';
import { readCall } from './read-call.js';
import { type ReadExpectation, readExpectation } from './read-expectation.js';
import { mostCases, readRows } from './read-rows.js';

/** One case, or one row of a parametrised one, as it was written. */
export interface ReadCase {
  readonly name: string;
  /** Where the case begins; a row of `for` has no place of its own. */
  readonly start: Span;
  readonly nameSpan: Span;
  /** Why it is skipped, or null. */
  readonly skip: string | null;
  readonly call: WrittenCall;
  readonly callSpan: Span;
  readonly expect: Expectation;
  readonly rules: ReadExpectation['rules'];
}

const keys = ['name', 'call', 'expect', 'for', 'skip'] as const;

/** What one suite may write out, in characters of its cases for each row. */
const mostWritten = 50_000_000;

/** The cases that an entry of `cases` stands for. What is wrong is reported. */
export function readCase(node: Node, reading: Reading): readonly ReadCase[] {
  const problems = collectProblems();
  const cases = readEntry(node, { ...reading, problems });
  for (const { code, span, message, help } of problems.sorted())
    reading.problems.add(code, span, { message, help });
  return cases;
}

function readEntry(node: Node, reading: Reading): readonly ReadCase[] {
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return [];
  const entries = readKeys(map, keys, reading);
  const { name, call, expect } = entries;
  if (name === undefined) reportMissing('name', map, { reading, help: 'what this case is about, in words' });
  if (call === undefined)
    reportMissing('call', map, {
      reading,
      help: 'a call as `ambit decide` takes it: `{ tool: toolset.tool }`',
    });
  if (expect === undefined)
    reportMissing('expect', map, { reading, help: '`expect: blocked`, or `expect: { decision, rules }`' });
  const skip = readText(entries.skip, reading) ?? null;
  const rows = entries.for === undefined ? [new Map()] : readRows(entries.for, reading);
  if (rows === null || name === undefined || call === undefined || expect === undefined) return [];
  if (isTooMuch(map, rows.length, reading)) return [];
  const used = new Set<string>();
  const cases = rows.flatMap((row) => {
    const read = readRow({ name, call, expect }, row, { used, reading });
    return read === undefined ? [] : [{ ...read, skip, start: map.span }];
  });
  // After a mistake, what is left unused and alike is so because of it.
  if (reading.problems.isEmpty) refuseUnused(entries.for, { used, reading });
  if (reading.problems.isEmpty) refuseRepetition(cases, reading);
  return cases;
}

function isTooMuch({ span }: MapNode, rows: number, { problems }: Reading): boolean {
  if (rows <= mostCases && rows * (span.end - span.start) <= mostWritten) return false;
  problems.add('TOO_MANY_CASES', span, { message: `${rows} cases of this length are too many` });
  return true;
}

interface Filled {
  readonly used: Set<string>;
  readonly reading: Reading;
}

function readRow(
  entries: { readonly name: Entry; readonly call: Entry; readonly expect: Entry },
  row: Row,
  { used, reading }: Filled,
): Omit<ReadCase, 'skip' | 'start'> | undefined {
  const filling = { row, used, problems: reading.problems };
  // The name alone makes no use of a value: the call is what is tested.
  const named = fill(entries.name.value, { ...filling, used: new Set() });
  const name = readText({ ...entries.name, value: asText(named) }, reading);
  const call = readCall(fill(entries.call.value, filling), reading);
  const read = readExpectation(fill(entries.expect.value, filling), reading);
  if (name === undefined || call === undefined || read === undefined) return undefined;
  const isNamedAlike = row.size > 0 && toJson(named) === toJson(entries.name.value);
  return {
    name: isNamedAlike ? `${name} [${rowInWords(row)}]` : name,
    nameSpan: entries.name.value.span,
    call,
    callSpan: entries.call.value.span,
    expect: read.expectation,
    rules: read.rules,
  };
}

/** A name that is nothing but a placeholder may be a number. */
function asText(node: Node): Node {
  return node.kind === 'number' || node.kind === 'boolean'
    ? { kind: 'text', span: node.span, value: String(node.value) }
    : node;
}

function rowInWords(row: Row): string {
  const text = [...row]
    .map(([key, value]) => `${key}: ${value.kind === 'text' ? value.value : JSON.stringify(toJson(value))}`)
    .join(', ');
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

function refuseUnused(entry: Entry | undefined, { used, reading }: Filled): void {
  const first = entry?.value.kind === 'list' ? entry.value.items[0] : entry?.value;
  if (first?.kind !== 'map') return;
  for (const { key, keySpan } of first.entries)
    if (!used.has(key))
      reading.problems.add('UNUSED_PLACEHOLDER', keySpan, {
        message: `${quote(`{${key}}`)} stands neither in the call nor in what is expected`,
        help: 'put it in, or take its values away',
      });
}

/** Rows that test the same call for the same are one case that looks like several. */
function refuseRepetition(cases: readonly ReadCase[], { problems }: Reading): void {
  const seen = new Map<string, ReadCase[]>();
  for (const read of cases) {
    const key = JSON.stringify(read.expect);
    const alike = seen.get(key) ?? [];
    if (alike.some((other) => isSameCase(other, read)))
      problems.add('DUPLICATE_CASE', read.nameSpan, {
        message: `two rows make the same case: ${quote(read.name)}`,
        help: 'take one of the rows away',
      });
    alike.push(read);
    seen.set(key, alike);
  }
}

/** Whether two test the same call for the same. */
export function isSameCase(one: ReadCase, other: ReadCase): boolean {
  return JSON.stringify(one.expect) === JSON.stringify(other.expect) && equalJson(one.call, other.call);
}
