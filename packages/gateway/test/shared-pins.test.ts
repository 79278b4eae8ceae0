import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { changePins, readPins } from '../src/pins/pin-file.js';

const gateway = resolve(import.meta.dirname, '../dist/index.js');
const script = resolve(import.meta.dirname, 'servers/pinning.mjs');

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'pins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'gateway/a.json');
  const start = (mode: string, own: string): ChildProcess => {
    const child = spawn(process.execPath, [script, gateway, file, mode, own], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const names = async () => (await readPins(file))?.accepted.map(({ tool }) => tool) ?? [];
  return { file, start, names };
}

const added = (name: string) => () => ({
  pins: { server: 's', changed: [], accepted: [{ tool: name, definition: { name } }] },
});

describe('pins shared by several processes', () => {
  it.skipIf(!isDeep)('are all kept if the processes write in the same milliseconds', async () => {
    const { file, start, names } = place();
    const own = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ends = await Promise.all(own.map((name) => once(start('many', name), 'exit')));
    expect(ends.map(([code]) => code)).toEqual(own.map(() => 0));
    const all = own.flatMap((name) => Array.from({ length: 8 }, (_, at) => `${name}-${at}`));
    expect([...(await names())].sort()).toEqual(all.sort());
    expect(readdirSync(join(file, '..'))).toEqual(['a.json']);
  });

  it('keep a definition with any key, so that no server can damage them', async () => {
    const { file } = place();
    const definition = JSON.parse('{"name":"a","__proto__":{"2":1},"1":{"__proto__":null}}') as JsonObject;
    const listed = { server: 's', accepted: [{ tool: 'a', definition }], changed: [] };
    await changePins(file, () => ({ pins: listed }));
    expect(JSON.stringify(await readPins(file))).toBe(JSON.stringify(listed));
  });

  it('can be written after a process was killed during a change', async () => {
    const { file, start, names } = place();
    const child = start('hold', 'a');
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await changePins(file, added('b'));
    expect(await names()).toEqual(['b']);
  });

  it('stay unchanged while a process holds an unfinished change', async () => {
    const { file, start, names } = place();
    await changePins(file, added('first'));
    const child = start('hold', 'a');
    await once(child.stdout ?? child, 'data');
    await expect(changePins(file, added('b'), { patience: 200 })).rejects.toThrow(
      `a.json is being written by process ${child.pid}`,
    );
    expect(await names()).toEqual(['first']);
    const ended = AbortSignal.abort();
    await expect(changePins(file, added('b'), { signal: ended })).rejects.toThrow('is being written');
  });

  it('are not new behind a link to a file that is not there', async () => {
    const { file, names } = place();
    await changePins(file, added('first'));
    renameSync(file, `${file}.moved`);
    symlinkSync(`${file}.moved`, file);
    expect(await names()).toEqual(['first']);
    rmSync(`${file}.moved`);
    await expect(changePins(file, added('b'))).rejects.toThrow(
      'a.json is a link to a file that is not there',
    );
  });
});
