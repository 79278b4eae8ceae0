import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isBelowRun } from '../../src/index.js';
import { noteClient } from '../../src/trust/running-processes.js';
import { sessionAt, worker, workplace } from '../session.js';

it('a process of a run is recognised as below it until the run ends', async () => {
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

it('the record of a finished agent is removed by its next session', async () => {
  const place = workplace({});
  const environment = { AMBIT_HOME: place.state };
  const folder = join(place.state, 'running');
  mkdirSync(folder, { recursive: true });
  // Numbers that no process has, or has again; one that is being written; one of a run.
  const kept = ['1-codex-new', '999999999-main', '999999998-gemini-a'];
  for (const name of [...kept, '999999999-codex-old', '1-codex-old'])
    writeFileSync(join(folder, name), name === '1-codex-new' ? '' : '17');
  await noteClient(environment, { client: 'codex', run: 'codex-s', startedBy: process.pid });
  const notes = [...kept, `${process.pid}-codex-s`].toSorted();
  expect(readdirSync(folder).toSorted()).toEqual(notes);
  expect(await isBelowRun(environment, process.pid)).toBe(false);
});
