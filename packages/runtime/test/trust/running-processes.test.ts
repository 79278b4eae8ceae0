import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isBelowRun } from '../../src/index.js';
import { sessionAt, worker, workplace } from '../session.js';

it('a process that a run started is known to be below it, until the run ends', async () => {
  const place = workplace({
    'policy.yaml': { version: 1, default: 'blocked' },
    'main.worker': worker(),
    'script.yaml': { main: [{ say: 'done' }] },
  });
  const environment = { AMBIT_HOME: place.state };
  const child = spawn('sleep', ['1000']);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await isBelowRun(environment, child.pid)).toBe(false);
  const session = await sessionAt(place);
  expect(await isBelowRun(environment, child.pid)).toBe(true);
  await session.run({});
  await session.close();
  expect([await isBelowRun(environment, child.pid), readdirSync(join(place.state, 'running'))]).toEqual([
    false,
    [],
  ]);
});
