import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
  put('project/a.txt');
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), '');
}

async function described(command: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(join(home, 'project'), { home, guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

const isOpaque = ({ name }: Capability) => name === 'proc.exec.opaque';

describe('a file of options that a program reads by itself', () => {
  it.each([
    ['jq . a.txt', '.jq'],
    ['curl http://a.example', '.curlrc'],
    ['curl http://a.example', '.config/curlrc'],
    ['rsync a.txt b.txt', '.popt'],
    ['less a.txt', '.lesskey'],
    ['ack x .', '.ackrc'],
    ['ack x .', 'project/.ackrc'],
    ['sqlite3 a.txt "select 1"', '.sqliterc'],
    ['bat a.txt', '.config/bat/config'],
  ])('makes `%s` opaque where ~/%s is there', async (line, file) => {
    expect((await described(line)).filter(isOpaque)).toEqual([]);
    put(file);
    const capabilities = await described(line);
    expect(capabilities.filter(isOpaque)).toHaveLength(1);
    expect(JSON.stringify(capabilities)).toContain(join(home, file));
  });

  it('makes a program opaque if an earlier command of the line may have written it', async () => {
    expect((await described('echo x >../.jq; jq . a.txt')).filter(isOpaque)).toHaveLength(1);
    expect(
      (await described('mkdir -p ../.config/bat && cp a.txt ../.config/bat/config; bat a.txt')).filter(
        isOpaque,
      ),
    ).toHaveLength(1);
    expect((await described('jq . a.txt; echo x >../.jq')).filter(isOpaque)).toEqual([]);
  });
});

describe('a file of data that a program reads by itself', () => {
  it('is named if it exists', async () => {
    const said = async () => JSON.stringify(await described('file a.txt'));
    expect(await said()).not.toContain('.magic');
    put('.magic');
    expect(await said()).toContain(join(home, '.magic'));
  });
});
