import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { openStore } from '../../src/store/file-store.js';
import { build } from '../program.js';
import { executing } from './stored-things.js';

const script = fileURLToPath(new URL('store-process.mjs', import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-store-')));
afterAll(() => rmSync(scratch, { recursive: true }));

let folder = scratch;
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'state-'));
});

function start(name: string, task: 'work' | 'forever' | 'open', count = 0): ChildProcess {
  return spawn(process.execPath, [script, folder, name, task, String(count)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

interface Ended {
  readonly exit: number | null;
  readonly said: readonly string[];
  readonly err: string;
}

function ended(child: ChildProcess, onLine: (line: string) => void = () => {}): Promise<Ended> {
  let [out, err, seen] = ['', '', 0];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    const lines = out.split('\n').slice(0, -1);
    for (const line of lines.slice(seen)) onLine(line);
    seen = lines.length;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, said: out.split('\n').slice(0, -1), err }));
  });
}

describe('a store used by several processes', () => {
  beforeAll(build, 300_000);

  it.skipIf(!isDeep)('stores simultaneous changes of all of them without errors, each once', async () => {
    const [names, count] = [['a', 'b', 'c', 'd', 'e'], 40];
    const all = await Promise.all(names.map((name) => ended(start(name, 'work', count))));
    expect(all.map(({ exit, err }) => [exit, err])).toEqual(names.map(() => [0, '']));
    const said = all.flatMap(({ said: lines }) => lines);
    expect(said.filter((line) => line === 'began shared')).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('answered')).sort()).toEqual(
      Array.from({ length: count }, (_, index) => `answered q${index}`).sort(),
    );
    const store = await openStore(folder);
    const steps = await store.steps('shared');
    expect(steps).toHaveLength(names.length * count * 2);
    for (const name of names) {
      const expected = Array.from({ length: count }, (_, index) => index);
      expect(await store.steps(name)).toEqual(expected.map((index) => executing(`${index}`)));
      const own = steps.filter((step) => step.step === 'executing' && step.call.startsWith(`${name} `));
      expect(own).toEqual(
        expected.flatMap((index) => ['first', 'second'].map((half) => executing(`${name} ${index} ${half}`))),
      );
    }
    // Those that were added together lie together.
    const calls = steps.map((step) => (step.step === 'executing' ? step.call : ''));
    const halves = calls.filter((_, index) => index % 2 === 0);
    expect(calls.filter((_, index) => index % 2 === 1)).toEqual(
      halves.map((call) => call.replace('first', 'second')),
    );
    await store.close();
  });

  it.skipIf(!isDeep)('is created once if all of them open it simultaneously', async () => {
    const places = Array.from({ length: 60 }, (_, index) => join(folder, `${index}`));
    for (const place of places) mkdirSync(place, { mode: 0o700 });
    const children = ['a', 'b', 'c', 'd', 'e'].map((name) => start(name, 'open'));
    // One that has failed says so, and the others wait for nothing.
    const end = () => children.map(({ stdin }) => stdin?.end());
    for (const child of children) child.once('close', end);
    let [waiting, next] = [children.length, 0];
    const all = await Promise.all(
      children.map((child) =>
        ended(child, () => {
          waiting -= 1;
          if (waiting > 0) return;
          waiting = children.length;
          const place = places[next++];
          if (place === undefined) end();
          else for (const { stdin } of children) stdin?.write(`${place}\n`);
        }),
      ),
    );
    expect(all).toEqual(children.map(() => ({ exit: 0, said: ['ready', ...places], err: '' })));
    for (const place of places) {
      const store = await openStore(place);
      expect((await store.runs()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
      await store.close();
    }
  });

  it.skipIf(!isDeep)(
    'contains all acknowledged changes of a killed process, and the others continue',
    async () => {
      const other = start('other', 'work', 60);
      const otherEnded = ended(other);
      for (const after of [0, 1, 7, 30]) {
        const name = `killed-${after}`;
        const child = start(name, 'forever');
        const { exit, said } = await ended(child, (line) => {
          if (Number(line) >= after) child.kill('SIGKILL');
        });
        expect(exit).toBe(null);
        const store = await openStore(folder);
        const steps = await store.steps(name);
        expect(steps).toEqual(steps.map((_, index) => executing(`${index}`)));
        // One more may have been done, of which it could not say so any more.
        expect(steps.length - said.length).toBeGreaterThanOrEqual(0);
        expect(steps.length).toBeGreaterThan(after);
        await store.close();
      }
      const { exit, err } = await otherEnded;
      expect([exit, err]).toEqual([0, '']);
    },
  );
});
