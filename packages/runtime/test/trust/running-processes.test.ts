import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
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
    writeFileSync(join(folder, name), name === '1-codex-new' ? '' : 'never');
  await noteClient(environment, { client: 'codex', run: 'codex-s', startedBy: process.pid });
  const notes = [...kept, `${process.pid}-codex-s`].toSorted();
  expect(readdirSync(folder).toSorted()).toEqual(notes);
  expect(await isBelowRun(environment, process.pid)).toBe(false);
});

it('a pipe in place of a note delays neither the next note nor its readers', async () => {
  const place = workplace({});
  const environment = { AMBIT_HOME: place.state };
  const folder = join(place.state, 'running');
  mkdirSync(folder, { recursive: true });
  const own = join(folder, `${process.pid}-codex-s`);
  for (const pipe of [own, join(folder, '1-codex-other')]) execFileSync('mkfifo', [pipe]);
  await noteClient(environment, { client: 'codex', run: 'codex-s', startedBy: process.pid });
  expect([statSync(own).isFile(), await isBelowRun(environment, process.pid)]).toEqual([true, false]);
});

it.skipIf(!existsSync('/usr/bin/script'))('the terminal of a person is not noted as an agent', async () => {
  const below = async (command: string, args: readonly string[]) => {
    const place = workplace({});
    const environment = { AMBIT_HOME: place.state };
    const pids = join(place.state, '..', 'pids');
    const line = `echo $$ > ${pids}; sleep 1000 & echo $! >> ${pids}; wait`;
    const top = spawn(command, [...args, line], {
      env: { SHELL: '/bin/sh', PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    });
    onTestFinished(() => void top.kill('SIGKILL'));
    const read = () => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    await vi.waitUntil(() => existsSync(pids) && read().length === 2, { timeout: 60_000 });
    const [shell = 0, sleep = 0] = read();
    onTestFinished(() => void process.kill(sleep, 'SIGKILL'));
    await noteClient(environment, { client: 'agent', run: 'agent-s', startedBy: shell });
    return isBelowRun(environment, sleep);
  };
  // Its shell leads a session that has a terminal; the shell of a hook does not.
  expect(await below('/usr/bin/script', ['-qe', '/dev/null', '-c'])).toBe(false);
  expect(await below('/bin/sh', ['-c'])).toBe(true);
});
