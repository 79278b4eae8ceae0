import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tries } from '../../../../test/depth.js';
import { Hand, snapshot, world } from './world.js';

/** Swaps a folder, a file, and files that are being written, for links that lead outside and back, as fast as it can, until it is killed. */
const swapper = `
const { readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
const [out, outside] = process.argv.slice(1);
const quietly = (act) => { try { act(); } catch {} };
for (;;) {
  quietly(() => renameSync(out + '/dir', out + '/aside'));
  quietly(() => symlinkSync(outside, out + '/dir'));
  quietly(() => unlinkSync(out + '/dir'));
  quietly(() => renameSync(out + '/aside', out + '/dir'));
  quietly(() => symlinkSync(outside + '/a', out + '/link'));
  quietly(() => renameSync(out + '/link', out + '/dir/a'));
  quietly(() => {
    for (const name of readdirSync(out + '/dir').filter((one) => one.startsWith('.ambit-'))) {
      symlinkSync(outside + '/b', out + '/link');
      renameSync(out + '/link', out + '/dir/' + name);
    }
  });
  quietly(() => unlinkSync(out + '/link'));
  quietly(() => writeFileSync(out + '/file', 'inner'));
  quietly(() => renameSync(out + '/file', out + '/dir/a'));
}
`;

describe('a process that constantly swaps folders and files for links', () => {
  it('never causes a change or disclosure outside', async () => {
    const { at } = world({ 'out/dir/a': 'inner', 'outside/a': 'not yours', 'outside/b': 'not yours' });
    const hand = Hand.with({ roots: [{ name: 'output', folder: at('out'), mode: 'rw' }] });
    const outside = snapshot(at('outside'));
    start(at('out'), at('outside'));
    const results: string[] = [];
    const isShown = () => new Set(results.map((result) => result.startsWith('done'))).size === 2;
    // Until something was done and something was refused: a busy machine may leave either process alone for a while.
    for (let round = 0; round < tries(60) || !isShown(); round += 1) {
      for (const [tool, args] of calls(round)) {
        results.push(await hand.call(tool, args).then((result) => `done ${JSON.stringify(result)}`, String));
      }
      makeAgain(at('out/dir'));
    }
    expect(snapshot(at('outside'))).toEqual(outside);
    expect(results.filter((result) => result.includes('not yours'))).toEqual([]);
    const copies = readdirSync(at('out')).filter((name) => name.startsWith('copy'));
    expect(copies.filter((name) => readFileSync(at(`out/${name}`), 'utf8').includes('not yours'))).toEqual(
      [],
    );
    // A failure says what the model may know.
    expect(results.filter((result) => result.includes('/proc/') || result.includes(at('')))).toEqual([]);
  });
});

function calls(round: number): readonly (readonly [string, JsonObject])[] {
  return [
    ['read_file', { path: 'output/dir/a' }],
    ['write_file', { path: 'output/dir/a', content: 'mine' }],
    ['write_file', { path: `output/dir/new${round}/b`, content: 'mine' }],
    ['edit_file', { path: 'output/dir/a', old_text: 'e', new_text: 'mine' }],
    ['move_file', { path: 'output/dir/a', to: `output/dir/c${round}` }],
    ['delete_file', { path: 'output/dir/a' }],
    ['delete_file', { path: 'output/dir/b' }],
    ['list_files', { path: 'output/dir', recursive: true }],
    ['search_files', { path: 'output/dir', pattern: 'e' }],
    ['copy_file', { path: 'output/dir/a', to: `output/copy${round}` }],
  ];
}

/** Should it be lost. While this looks, it may be swapped as well: then the next round does it. */
function makeAgain(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    expect(['ENOENT', 'EEXIST', 'ENOTDIR']).toContain((error as NodeJS.ErrnoException).code);
  }
}

function start(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['-e', swapper, ...args], { stdio: 'ignore' });
  // Before its folder is removed it has to be gone.
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return child;
}

describe('writing during swaps of the folder', () => {
  it('leaves no temporary file behind', async () => {
    const { at } = world({ 'out/dir/a': 'inner' });
    const hand = Hand.with({ roots: [{ name: 'output', folder: at('out'), mode: 'rw' }] });
    const gone = () => writeFileSync(at('out/dir/a'), 'changed');
    await expect(
      hand.call('edit_file', { path: 'output/dir/a', old_text: 'inner', new_text: 'x' }, gone),
    ).rejects.toThrow();
    expect(snapshot(at('out'))).toEqual({ dir: '/', 'dir/a': 'changed' });
  });
});
