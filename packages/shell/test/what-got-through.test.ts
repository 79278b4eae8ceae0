import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterAll, describe, expect, it } from 'vitest';
import { shellAt } from '../src/index.js';
import { makeProject } from './deep/fixture.js';

/** Lines that an earlier analyser described as harmless, with what bash does. */
const rows = readFileSync(new URL('deep/found.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => JSON.parse(row) as { readonly line: string; readonly does: string });

const home = realpathSync(mkdtempSync(join(tmpdir(), 'got-through-')));
const project = join(home, 'project');
makeProject(home, project);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const [tool] = shellAt(project, { home, guarded: [] }).tools;

async function described(command: string): Promise<readonly Capability[]> {
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

/** What a policy permits that allows reading in the root and starting programs by name. */
const permitted: ReadonlySet<string> = new Set(['fs.read', 'fs.list', 'proc.exec']);

describe('a policy that permits only reading files and starting programs', () => {
  it.each(rows.map(({ line, does }) => [line, does]))('does not permit `%s`, which %s', async (line) => {
    const capabilities = await described(line);
    expect(capabilities.length).toBeGreaterThan(0);
    expect(capabilities.filter(({ name }) => !permitted.has(name))).not.toEqual([]);
  });

  it.each(['ls', 'cat a.txt', 'head -n 1 src/main.js | wc -l', 'cd src && cat main.js'])(
    'permits `%s`',
    async (line) => {
      expect((await described(line)).filter(({ name }) => !permitted.has(name))).toEqual([]);
    },
  );
});
