import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/text/parse-yaml.js';
import { collectProblems } from '../../src/text/problems.js';
import { readCases } from '../cases.js';
import { load } from '../world.js';

const rows = readCases<{ id: string; name: string; yaml: string; must_fail: boolean }>('yaml-suite.jsonl');

describe.skipIf(rows === null)('the public YAML suite', () => {
  it('has rows of both kinds', () => {
    expect(rows?.some((row) => row.must_fail)).toBe(true);
    expect(rows?.some((row) => !row.must_fail)).toBe(true);
  });

  it('never throws, and never loads, because no row is a policy', () => {
    expect((rows ?? []).filter((row) => load(row.yaml).ok).map(({ id }) => id)).toEqual([]);
  });

  it('is refused as YAML in every row that must fail', () => {
    const accepted = (rows ?? []).filter((row) => {
      const problems = collectProblems();
      parseYaml(row.yaml, problems);
      return row.must_fail && problems.isEmpty;
    });
    expect(accepted.map(({ id, name }) => `${id} ${name}`)).toEqual([]);
  });

  it('is also refused after a policy that would load', () => {
    const accepted = (rows ?? []).filter(
      (row) => row.must_fail && load(`version: 1\ndefault: blocked\n${row.yaml}`).ok,
    );
    expect(accepted.map(({ id }) => id)).toEqual([]);
  });
});
