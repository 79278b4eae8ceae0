import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { programs } from '../src/shell/programs/table/index.js';

const page = readFileSync(new URL('../../../docs/shell-programs.md', import.meta.url), 'utf8');
const [, listing = ''] = page.split('## The programs');

describe('docs/shell-programs.md', () => {
  test('leads to every file of the table', () => {
    const helpers = ['index.ts', 'project.ts', 'git-options.ts', 'variables.ts'];
    const files = readdirSync(new URL('../src/shell/programs/table', import.meta.url));
    const linked = [...listing.matchAll(/table\/([\w-]+\.ts)/g)].map(([, file = '']) => file);
    expect(linked.sort()).toStrictEqual(files.filter((file) => !helpers.includes(file)).sort());
  });

  test('names no program that the table does not know', () => {
    const named = [...listing.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(programs, name))).toStrictEqual([]);
  });
});
