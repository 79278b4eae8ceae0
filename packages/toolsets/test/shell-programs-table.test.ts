import { describe, expect, test } from 'vitest';
import { problemsOf } from '../src/shell/programs/check.js';
import { programs } from '../src/shell/programs/table/index.js';

describe('the table of programs', () => {
  test('has no entry that is written wrong, twice, or about an option that is not there', () => {
    expect(problemsOf(programs)).toStrictEqual([]);
  });

  test('is data', () => {
    expect(JSON.parse(JSON.stringify(programs))).toStrictEqual(programs);
  });
});
