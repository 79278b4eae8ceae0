import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { programSpec } from '../../src/programs/entry/spec.js';

const page = readFileSync(new URL('../../../../docs/shell-programs.md', import.meta.url), 'utf8');
const [, families = ''] = page.split('## Families');

describe('docs/shell-programs.md', () => {
  test('links to every family', () => {
    const files = readdirSync(new URL('../../programs', import.meta.url)).filter(
      (file) => file !== 'variables.yaml',
    );
    const linked = [...families.matchAll(/programs\/([\w-]+\.yaml)/g)].map(([, file = '']) => file);
    expect(linked.sort()).toStrictEqual(files.sort());
  });

  test('lists every key of an entry and no other', () => {
    const [, table = ''] = page.split('| key | meaning |');
    const rows =
      table
        .split('\n\n')[0]
        ?.split('\n')
        .map((row) => row.split('|')[1] ?? '') ?? [];
    const keys = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, key = '']) => key));
    const spec = Object.fromEntries(keys.map((key) => [key, 0]));
    const problems = programSpec.safeParse({ ...spec, other: 0 }).error?.issues ?? [];
    const unknown = problems.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
    expect(unknown).toStrictEqual(['other']);
    expect(keys).toHaveLength(36);
  });
});
