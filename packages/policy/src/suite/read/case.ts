import { equalJson, type JsonObject, remembered, shortened } from '@ambit/core';
import { type Grammar, map } from '../../grammar/grammar.js';
import type { Reading } from '../../grammar/reading.js';
import { object, text } from '../../grammar/values.js';
import { quote } from '../../text/escape.js';
import type { Span } from '../../text/place.js';
import { collectProblems } from '../../text/problems.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { Expectation, WrittenCall } from '../suite.js';
import { call } from './call.js';
import { expectation, type ReadExpectation } from './expectation.js';
import { fill, type Row } from './fill.js';
import { mostCases, rows } from './rows.js';

export interface ReadCase {
  readonly name: string;
  /** The beginning of the case; a row of `for` has no place of its own. */
  readonly start: Span;
  readonly nameSpan: Span;
  /** Why it is skipped, or null. */
  readonly skip: string | null;
  readonly call: WrittenCall;
  readonly callSpan: Span;
  readonly expect: Expectation;
  readonly rules: ReadExpectation['rules'];
}

/** The parts that are read after placeholders are replaced. */
function readLater(...schemas: readonly JsonObject[]): Grammar<Node> {
  return {
    schema: schemas.length === 1 ? (schemas[0] as JsonObject) : { anyOf: schemas },
    read: (node) => node,
  };
}

// A placeholder may replace any value, but no key of a case.
const placeholder = { type: 'string', pattern: '\\{[A-Za-z_]\\w*\\}' };

const caseKeys = map({
  name: {
    is: readLater(text.schema),
    about: 'unique in the suite',
    missing: 'what this case is about, in words',
  },
  call: {
    is: readLater(call.schema, placeholder, object.schema),
    missing: 'a call as `ambit decide` takes it: `{ tool: toolset.tool }`',
  },
  expect: {
    is: readLater(expectation.schema, placeholder, object.schema),
    missing: '`expect: blocked`, or `expect: { decision, rules }`',
  },
  for: { is: rows },
  skip: { is: text, about: 'why the case is not run; it is reported and counted' },
});

export const caseSchema = caseKeys.schema;

const mostWritten = 50_000_000;

export function readCase(node: Node, reading: Reading): readonly ReadCase[] {
  const problems = collectProblems();
  const cases = readEntry(node, { ...reading, problems });
  for (const { code, span, message, help } of problems.sorted())
    reading.problems.add(code, span, { message, help });
  return cases;
}

function readEntry(node: Node, reading: Reading): readonly ReadCase[] {
  const found = caseKeys.read(node, reading);
  if (found === undefined) return [];
  const { map, entries, values } = found;
  const { name, call: called, expect } = values;
  const given = entries.for === undefined ? [new Map<string, Node>()] : values.for;
  if (given === undefined || name === undefined || called === undefined || expect === undefined) return [];
  if (isTooMuch(map, given.length, reading)) return [];
  const used = new Set<string>();
  const cases = given.flatMap((row) => {
    const read = readRow({ name, called, expect }, row, { used, reading });
    return read === undefined ? [] : [{ ...read, skip: values.skip ?? null, start: map.span }];
  });
  // After a mistake, unused and equal values only follow from it.
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
  written: { readonly name: Node; readonly called: Node; readonly expect: Node },
  row: Row,
  { used, reading }: Filled,
): Omit<ReadCase, 'skip' | 'start'> | undefined {
  const filling = { row, used, problems: reading.problems };
  // A value that only the name uses counts as unused, because only the call is tested.
  const named = fill(written.name, { ...filling, used: new Set() });
  const name = text.read(asText(named), reading);
  const called = call.read(fill(written.called, filling), reading);
  const expected = expectation.read(fill(written.expect, filling), reading);
  if (name === undefined || called === undefined || expected === undefined) return undefined;
  const isNamedAlike = row.size > 0 && toJson(named) === toJson(written.name);
  return {
    name: isNamedAlike ? `${name} [${rowInWords(row)}]` : name,
    nameSpan: written.name.span,
    call: called,
    callSpan: written.called.span,
    expect: expected.expectation,
    rules: expected.rules,
  };
}

/** A name that is only a placeholder may be a number. */
function asText(node: Node): Node {
  return node.kind === 'number' || node.kind === 'boolean'
    ? { kind: 'text', span: node.span, value: String(node.value) }
    : node;
}

function rowInWords(row: Row): string {
  const text = [...row]
    .map(([key, value]) => `${key}: ${value.kind === 'text' ? value.value : JSON.stringify(toJson(value))}`)
    .join(', ');
  return shortened(text, 200);
}

function refuseUnused(entry: Entry | undefined, { used, reading }: Filled): void {
  const first = entry?.value.kind === 'list' ? entry.value.items[0] : entry?.value;
  if (first?.kind !== 'map') return;
  for (const { key, keySpan } of first.entries)
    if (!used.has(key))
      reading.problems.add('UNUSED_PLACEHOLDER', keySpan, {
        message: `${quote(`{${key}}`)} is used neither in the call nor in the expectation`,
        help: 'use it, or remove its values',
      });
}

/** Two rows with the same call and expectation look like two cases but are one. */
function refuseRepetition(cases: readonly ReadCase[], { problems }: Reading): void {
  const seen = new Map<string, ReadCase[]>();
  for (const read of cases) {
    const alike = remembered(seen, JSON.stringify(read.expect), () => []);
    if (alike.some((other) => isSameCase(other, read)))
      problems.add('DUPLICATE_CASE', read.nameSpan, {
        message: `duplicate row: another row makes the case ${quote(read.name)}`,
        help: 'remove one of the rows',
      });
    alike.push(read);
  }
}

/** Whether two rows have the same call and expectation. */
export function isSameCase(one: ReadCase, other: ReadCase): boolean {
  return JSON.stringify(one.expect) === JSON.stringify(other.expect) && equalJson(one.call, other.call);
}
