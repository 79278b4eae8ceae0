import { whatValues } from '@ambit/core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { problemsOf } from '../../src/programs/entry/check.js';
import { programSpec } from '../../src/programs/entry/spec.js';
import { families, programs } from '../../src/programs/entry/table.js';
import { describedOf } from './context.js';

const familySpec = z.strictObject({
  family: z.string().min(1),
  programs: z.record(z.string(), programSpec),
});

describe('the table of programs', () => {
  test('follows the schema', () => {
    expect(problemsOf(programs)).toStrictEqual([]);
  });

  test('contains each program once', () => {
    const names = Object.values(families).flatMap((family) => Object.keys(family.programs));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toStrictEqual([]);
    for (const family of Object.values(families)) expect(familySpec.safeParse(family).error).toBeUndefined();
  });

  test('says what a program administers, or leaves behind, in known words', () => {
    const said = [
      ...JSON.stringify(programs).matchAll(/"(sys\.(?:admin|persist)):([^"]+?)(?: (?:if|unless) [^"]*)?"/g),
    ];
    expect(said.length).toBeGreaterThan(40);
    for (const [, name = '', what] of said) expect(whatValues[name]).toContain(what);
  });

  test('names the options that split words over several runs', () => {
    const splits = (table: typeof programs) =>
      describedOf('xargs', ['-n', '1', 'rm'], { table }).effects.some(
        (effect) => effect.kind === 'run' && effect.isSplit === true,
      );
    const { splits: _, ...xargs } = programs.xargs ?? {};
    expect([splits(programs), splits({ xargs })]).toStrictEqual([true, false]);
  });
});
