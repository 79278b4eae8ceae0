import { appendFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { type Question, resume, type Store } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { calls, out, runAt, sessionAt, type Workplace, worker, workplace, write, yes } from '../session.js';

/** Only what is opaque, loaded or written is asked about. */
const policy = {
  version: 1,
  default: 'needs_approval',
  capabilities: { 'fs.read': 'pre_approved', 'fs.list': 'pre_approved', 'proc.exec': 'pre_approved' },
};

function place(turn: readonly (readonly [string, Json])[]) {
  return workplace({
    'policy.yaml': policy,
    'main.worker': worker({ sandbox: out, toolsets: { shell: { isolation: 'off' }, filesystem: {} } }),
    'script.yaml': { main: [calls(...turn), { say: 'done' }] },
    'out/build.sh': 'echo good > made\n',
    'out/notes.txt': 'old',
  });
}

const run = (command: string) => ['run', { command }] as const;

const lastSaid = (asked: readonly Question[]) => asked.at(-1)?.again ?? null;

/** Answers yes to each question, after doing something to the world at the first. */
async function approving(at: Workplace, meanwhile: () => void) {
  const asked: Question[] = [];
  const { status } = await runAt(at, {
    mode: 'interactive',
    approver: (question: Question) => {
      asked.push(question);
      if (asked.length === 1) meanwhile();
      return yes;
    },
  });
  return { status, asked };
}

/** Parks at a question, does something to the world, answers yes, goes on, and parks again where it is asked again. */
async function parkedAndApproved(at: Workplace, meanwhile: () => void) {
  const store: Store = memoryStore();
  const session = await sessionAt(at, { mode: 'interactive', park: true, store });
  expect((await session.run({ input: 'go' })).status).toBe('parked');
  await session.close();
  meanwhile();
  const [question] = await store.questions();
  if (question === undefined) throw new Error('nothing is asked');
  const { digest } = question;
  await store.answer(question.question.id, { digest, answer: yes, at: 1 });
  const opened = await resume(session.id, {
    root: at.root,
    store,
    park: true,
    environment: { HOME: `${at.state}/..`, AMBIT_HOME: at.state },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { status } = await opened.session.run({});
  await opened.session.close();
  const waiting = (await store.questions()).filter(({ state }) => state === 'waiting');
  // The answer was bound to the shown call, and does not apply to the new one.
  return { status, waiting: waiting.length };
}

const lines = [
  'sh build.sh',
  'bash ./build.sh',
  './build.sh',
  'env sh build.sh',
  'source ./build.sh',
  '. build.sh',
  'sh < build.sh',
  'cat build.sh | sh',
  'true; sh build.sh',
  'npm install --help >/dev/null 2>&1; sh build.sh',
  'sh -c "sh build.sh"',
  'cp build.sh copy.sh && sh build.sh',
];

describe('an approved script', () => {
  it.each(lines)('is asked about again if it changed while the run was parked: %s', async (line) => {
    const at = place([run(line)]);
    const evil = () => writeFileSync(at.path('out/build.sh'), 'echo evil > made\n', { mode: 0o755 });
    const { status, waiting } = await parkedAndApproved(at, evil);
    expect([status, waiting, at.text('out/made')]).toEqual(['parked', 1, null]);
  });

  it.each(lines.slice(0, 1))('runs if it did not change: %s', async (line) => {
    const at = place([run(line)]);
    const { status } = await parkedAndApproved(at, () => undefined);
    expect([status, at.text('out/made')]).toEqual(['finished', 'good\n']);
  });

  it.each<readonly [string, (at: Workplace) => void]>([
    ['appended to', (at) => appendFileSync(at.path('out/build.sh'), 'echo evil > made\n')],
    [
      'now a link to another one',
      (at) => {
        writeFileSync(at.path('out/evil.sh'), 'echo evil > made\n');
        unlinkSync(at.path('out/build.sh'));
        symlinkSync('evil.sh', at.path('out/build.sh'));
      },
    ],
    [
      'gone and back, of the same size',
      (at) => {
        unlinkSync(at.path('out/build.sh'));
        writeFileSync(at.path('out/build.sh'), 'echo evil > made\n');
      },
    ],
  ])('is asked about again in a resumed run if it is %s', async (_, change) => {
    const at = place([run('sh build.sh')]);
    const { status, asked } = await approving(at, () => change(at));
    expect([status, asked.length, lastSaid(asked)]).toEqual([
      'finished',
      2,
      'the call changed while it waited',
    ]);
  });
});

describe('a definition that a program runs', () => {
  it.each([
    ['make', 'Makefile', 'all:\n\techo good > made\n', 'all:\n\techo evil > made\n'],
    [
      'npm run build',
      'package.json',
      '{"scripts": {"build": "echo good"}}',
      '{"scripts": {"build": "echo evil"}}',
    ],
  ])('is asked about again if it changed: %s', async (line, file, good, evil) => {
    const at = place([run(line)]);
    writeFileSync(at.path(`out/${file}`), good);
    const { status, waiting } = await parkedAndApproved(at, () =>
      writeFileSync(at.path(`out/${file}`), evil),
    );
    expect([status, waiting, at.text('out/made')]).toEqual(['parked', 1, null]);
  });
});

describe('a file with shown content', () => {
  it.each<readonly [string, readonly [string, Json]]>([
    ['write_file', write('out/notes.txt')],
    ['edit_file', ['edit_file', { path: 'out/notes.txt', old_text: 'o', new_text: 'x' }]],
    ['delete_file', ['delete_file', { path: 'out/notes.txt' }]],
    ['copy_file', ['copy_file', { path: 'out/notes.txt', to: 'out/copy' }]],
    ['move_file', ['move_file', { path: 'out/notes.txt', to: 'out/moved' }]],
  ])('is shown again if it changed while the run was parked: %s', async (_, call) => {
    const at = place([call]);
    const { status, waiting } = await parkedAndApproved(at, () =>
      // As long as before.
      writeFileSync(at.path('out/notes.txt'), 'mod'),
    );
    expect([status, waiting, at.text('out/notes.txt')]).toEqual(['parked', 1, 'mod']);
  });
});

describe('identical calls of one turn', () => {
  it.each<readonly [string, readonly [string, Json], string]>([
    ['writes of a new file', write('out/new'), 'new'],
    ['appends by the shell to a new file', run('echo x >> new'), 'new'],
    ['appends by the shell', run('echo x >> notes.txt'), 'notes.txt'],
  ])('are all executed if one finds what another created: %s', async (_, call, made) => {
    const at = place([call, call]);
    const asked: Question[] = [];
    const { events } = await runAt(at, {
      mode: 'interactive',
      approver: (question: Question) => {
        asked.push(question);
        return yes;
      },
    });
    expect(asked[0]?.calls).toHaveLength(2);
    const outcomes = events.filter(({ event }) => event === 'outcome').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['completed', 'completed']);
    expect(at.text(`out/${made}`)).not.toBeNull();
  });

  it('are all executed without a question', async () => {
    const at = place([write('out/new'), write('out/new'), run('echo x >> log'), run('echo x >> log')]);
    const { events } = await runAt(at, { mode: 'approve_all' });
    const outcomes = events.filter(({ event }) => event === 'outcome').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(at.text('out/log')).toBe('x\nx\n');
  });
});
