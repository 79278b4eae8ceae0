import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/file-store.js';
import { openStateFolder } from '../../src/trust/state-folder.js';
import {
  calls,
  callsIn,
  carriedBy,
  out,
  runAt,
  type Workplace,
  worker,
  workplace,
  writeFiles,
} from '../session.js';
import { asked } from '../store/stored-things.js';

/** Nothing here is blocked by the policy: what stays blocked is what the built-in layer blocks. */
const policy = { version: 1, default: 'pre_approved', capabilities: { 'sys.guard': 'pre_approved' } };

/** A working folder in which `main` runs these commands, and a question waits for another person. */
async function place(commands: readonly string[]): Promise<Workplace> {
  const turns: readonly Json[] = commands.map((command) => calls(['run', { command }]));
  const at = workplace({
    'policy.yaml': policy,
    'main.worker': worker({ sandbox: out, toolsets: { shell: {} } }),
    'script.yaml': { main: [...turns, { say: 'done' }] },
    // Whatever is called so answers everything.
    'out/bin/ambit': '#!/bin/sh\necho "$@" >> ../answered.txt\n',
  });
  chmodSync(at.path('out/bin/ambit'), 0o755);
  const store = await openStore(await stateOf(at));
  await store.ask(asked('q1'));
  await store.close();
  return at;
}

const stateOf = ({ state, root }: Workplace) => openStateFolder({ AMBIT_HOME: state }, root);

describe('a worker that tries to answer', () => {
  it.each([
    'ambit approvals approve q1',
    'ambit approvals approve q1 --keep always --reach capability',
    './bin/ambit approvals approve q1',
    'env AMBIT_HOME=../../state ambit approvals approve q1',
    "sh -c 'ambit approvals approve q1'",
    'true && ambit approvals approve q1',
    'echo q1 | xargs ambit approvals approve',
    '$(echo ambit) approvals approve q1',
    'a=ambit; $a approvals approve q1',
    'timeout 5 ambit approvals deny q1',
  ])('is blocked: %s', async (command) => {
    const at = await place([command]);
    const { events } = await runAt(at, { open: true });
    expect(callsIn(events)).toEqual([['main', 'shell.run', 'blocked', 'blocked']]);
    expect(carriedBy(events, 'shell.run').map(({ name }) => name)).toContain('sys.guard');
    await unanswered(at);
  });

  it.each(['echo x > DB', 'rm -f DB', 'cp a.txt DB', 'mv STATE elsewhere', 'dd of=DB', 'ln -f a.txt DB'])(
    'cannot change the store: %s',
    async (command) => {
      const at = await place([]);
      const file = join(await stateOf(at), 'runs.db');
      const turn = calls(['run', { command: command.replace('DB', file).replace('STATE', at.state) }]);
      writeFiles(at, { 'script.yaml': { main: [turn, { say: 'done' }] } });
      const { events } = await runAt(at, { open: true });
      expect(callsIn(events).map(([, , decision]) => decision)).toEqual(['blocked']);
      await unanswered(at);
    },
  );

  // What an opaque program does is not a fact: the policy decides about it, isolation prevents it, digests show it.
  it.each(['PATH=./bin:$PATH ambit approvals approve q1', 'sqlite3 DB "update questions"'])(
    'is opaque and needs approval: %s',
    async (command) => {
      const at = await place([]);
      const turn = calls(['run', { command: command.replace('DB', join(await stateOf(at), 'runs.db')) }]);
      const cautious = {
        ...policy,
        capabilities: { ...policy.capabilities, 'proc.exec.opaque': 'needs_approval' },
      };
      writeFiles(at, { 'policy.yaml': cautious, 'script.yaml': { main: [turn, { say: 'done' }] } });
      const { events } = await runAt(at, { mode: 'strict', open: true });
      expect(carriedBy(events, 'shell.run').map(({ name }) => name)).toContain('proc.exec.opaque');
      expect(callsIn(events).map(([, , decision]) => decision)).toEqual(['needs_approval']);
      await unanswered(at);
    },
  );
});

async function unanswered(at: Workplace): Promise<void> {
  const store = await openStore(await stateOf(at));
  expect(await store.question('q1')).toMatchObject({ state: 'waiting', answer: null });
  await store.close();
  expect(at.text('answered.txt')).toBe(null);
}
