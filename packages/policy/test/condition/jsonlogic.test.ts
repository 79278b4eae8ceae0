import { equalJson, type Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { readCases } from '../cases.js';
import { dialect } from './expressions.js';

interface Row {
  readonly id: string;
  readonly suite: string;
  readonly rule: Json;
  readonly data?: Json;
  readonly expected?: Json;
}

const rows = readCases<Row>('jsonlogic.jsonl')?.filter(({ suite }) => suite === 'compatible.json') ?? null;

/** The rows without a value, by reason. All other rows have the suite's value. */
const refused: Readonly<Record<string, readonly number[]>> = {
  '`merge`, `map`, `filter` and `reduce` make lists, and the contract has none of them': [
    ...range(114, 123),
    ...range(241, 253),
  ],
  'write the key as text: a computed key could read any value': [205, 239, 240],
  '`?:` is not an operator of the contract; `if` is': [68, 69, 189],
  'a `var` names what it reads': [211, 212],
};
const undecided: Readonly<Record<string, readonly number[]>> = {
  'equality needs two values of one kind': [8, 11, 15, 18, 138],
  'an order needs two numbers': [22, 26, 30, 37],
  'arithmetic needs numbers, and text is none': [94, 98, 102, 105, 139, 140, 141],
  'a value that is neither true nor false, nor a list, decides nothing': [
    44,
    45,
    54,
    55,
    56,
    65,
    135,
    136,
    137,
    ...range(142, 145),
    150,
    151,
    152,
    ...range(154, 156),
    ...range(158, 160),
  ],
  'what is not there has no value': [191, 192, 194, 195, 199, 207, 208, 209],
};

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function idsOf(groups: Readonly<Record<string, readonly number[]>>): readonly string[] {
  return Object.values(groups)
    .flat()
    .map((number) => `jl-${String(number).padStart(4, '0')}`)
    .sort();
}

describe.skipIf(rows === null)('the compatible suite of JSON Logic', () => {
  const results = (rows ?? []).map((row) => ({ row, result: dialect(row.rule, row.data ?? null) }));
  const having = (state: string) => results.filter(({ result }) => result === state).map(({ row }) => row.id);

  it("has no row with a value that differs from the suite's", () => {
    const wrong = results.filter(
      ({ row, result }) => typeof result === 'object' && !equalJson(result.value, row.expected ?? null),
    );
    expect(wrong).toEqual([]);
    expect(results.filter(({ result }) => typeof result === 'object').length).toBe(201);
  });

  it('refuses exactly the rows whose operators the contract does not support', () => {
    expect(having('refused')).toEqual(idsOf(refused));
  });

  it('leaves exactly the rows with operands of meaningless kinds undecided', () => {
    expect(having('undecided')).toEqual(idsOf(undecided));
  });
});
