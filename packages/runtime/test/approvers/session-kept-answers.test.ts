import { rmSync } from 'node:fs';
import { findIsolation } from '@ambit/shell';
import { describe, expect, it } from 'vitest';
import type { Approver, Question, SessionEvent } from '../../src/index.js';
import { openStore } from '../../src/store/file-store.js';
import { openStateFolder } from '../../src/trust/state-folder.js';
import { type Options, runAt, type Workplace, workplace, writeFiles } from '../session.js';

const policy = {
  version: 1,
  default: 'needs_approval',
  grants: { remember: 'always', reach: 'capability' },
  capabilities: { 'worker.call': 'pre_approved' },
};

const main = (more = '') => `---
name: main
sandbox: { paths: { out: { root: ./out, mode: rw } } }
toolsets:
  filesystem: {}
${more}---
Write.
`;

const writes = (...paths: readonly string[]) => ({
  main: [
    { call: paths.map((path) => ({ tool: 'write_file', args: { path, content: 'x' } })) },
    { say: 'done' },
  ],
});

const begun = (files = {}): Workplace =>
  workplace({
    'policy.yaml': policy,
    'main.worker': main(),
    'script.yaml': writes('out/a.md'),
    'out/.keep': '',
    ...files,
  });

/** Says yes, keeps it always, as far as the file. */
const always: Approver = {
  ask: () =>
    Promise.resolve({ answer: 'approve', person: 'ann', keep: { remember: 'always', reach: 'file' } }),
};

/** A run at which nobody says yes; what was asked, and what was said to be void. */
async function laterAt(place: Workplace, options: Options = {}) {
  const asked: Question[] = [];
  const voids: string[] = [];
  await runAt(place, {
    mode: 'interactive',
    approver: {
      ask: (question) => {
        asked.push(question);
        return Promise.resolve({ answer: 'refuse', person: 'bob' });
      },
    },
    onEvent: (event: SessionEvent) => {
      if (event.type === 'answer_void') voids.push(event.why);
    },
    ...options,
  });
  return { asked: asked.length, voids };
}

async function kept(place: Workplace) {
  const store = await openStore(await openStateFolder({ AMBIT_HOME: place.state }, place.root));
  const answers = await store.kept();
  await store.close();
  return answers;
}

const keep = (place: Workplace) => runAt(place, { mode: 'interactive', approver: always });

describe('an answer that is kept for ever', () => {
  it('answers the same question in a later run, with the person’s name', async () => {
    const place = begun();
    const first = await keep(place);
    const [stored] = await kept(place);
    expect(stored).toMatchObject({ answer: { person: 'ann', reach: 'file' }, revoked: null });
    const later = await runAt(place, { mode: 'interactive', approver: null });
    expect(later.events.filter(({ event }) => event === 'approval')).toMatchObject([
      { how: 'grant', who: [{ by: 'kept', person: 'ann', approval: stored?.answer.approval }] },
    ]);
    expect(first.events.filter(({ event }) => event === 'approval')).toMatchObject([
      { how: 'person', keep: { remember: 'always', reach: 'file' } },
    ]);
  });

  it('applies in strict mode too, only within its reach', async () => {
    const place = begun();
    await keep(place);
    writeFiles(place, { 'script.yaml': writes('out/a.md', 'out/b.md') });
    const { events } = await runAt(place, { mode: 'strict' });
    expect(events.filter(({ event }) => event === 'outcome').map(({ outcome }) => outcome)).toEqual([
      'refused',
      'completed',
    ]);
  });

  const changed = 'a policy was changed, added or removed';
  it.each<readonly [string, Record<string, unknown>, Options, string]>([
    [
      'the policy changes',
      { 'policy.yaml': { ...policy, capabilities: { 'worker.call': 'blocked' } } },
      {},
      changed,
    ],
    [
      'a policy is added',
      { 'more.yaml': { version: 1, default: 'pre_approved' } },
      { policies: ['policy.yaml', 'more.yaml'] },
      changed,
    ],
    [
      'the worker file restricts',
      { 'main.worker': main().replace('mode: rw', 'mode: rw, write_approval: true') },
      {},
      changed,
    ],
    [
      'the worker file restricts the tool',
      {
        'main.worker': main().replace(
          'filesystem: {}',
          'filesystem: { approvals: { write_file: needs_approval } }',
        ),
      },
      {},
      changed,
    ],
  ])('is void with a reason when %s', async (_, files, options, why) => {
    const place = begun();
    await keep(place);
    writeFiles(place, files as never);
    expect(await laterAt(place, options)).toEqual({ asked: 1, voids: [why] });
    // Nothing is taken away: as things were, it counts again.
    writeFiles(place, { 'policy.yaml': policy, 'main.worker': main() });
    expect(await laterAt(place)).toEqual({ asked: 0, voids: [] });
  });

  it('does not apply after it is revoked, without a message', async () => {
    const place = begun();
    await keep(place);
    const store = await openStore(await openStateFolder({ AMBIT_HOME: place.state }, place.root));
    for (const { answer } of await store.kept()) await store.revoke(answer.approval, 1);
    await store.close();
    expect(await laterAt(place)).toEqual({ asked: 1, voids: [] });
  });

  it('does not apply when its time is over', async () => {
    const place = begun();
    await runAt(place, {
      mode: 'interactive',
      approver: () => ({
        answer: 'approve',
        person: 'ann',
        keep: { remember: 'always', reach: 'file', until: Date.now() - 1 },
      }),
    });
    expect(await laterAt(place)).toEqual({ asked: 1, voids: ['its time is up'] });
  });

  it('does not apply if it has an end and was given later than now, because the clock was set back', async () => {
    const place = begun();
    await keep(place);
    const store = await openStore(await openStateFolder({ AMBIT_HOME: place.state }, place.root));
    const [stored] = await store.kept();
    if (stored === undefined) throw new Error('nothing was kept');
    await store.revoke(stored.answer.approval, 1);
    const [at, until] = [Date.now() + 3_600_000, Date.now() + 7_200_000];
    await store.keep({ ...stored, at, answer: { ...stored.answer, approval: 'later', until } });
    await store.close();
    expect(await laterAt(place)).toEqual({ asked: 1, voids: ['the clock was set back'] });
  });

  it('is kept only for the run if a policy made in code has no digest', async () => {
    const place = begun();
    const made = {
      name: 'made',
      default: { decision: 'pre_approved', answer: 'any' },
      rules: [],
      carries: [],
      admits: { workers: false, remember: 'always', reach: 'capability', unattended: true },
    } as const;
    const shown: Question[] = [];
    await runAt(place, {
      mode: 'interactive',
      policies: ['policy.yaml', made],
      approver: {
        ask: (question, signal) => {
          shown.push(question);
          return always.ask(question, signal);
        },
      },
    });
    expect(shown.map(({ keep: most }) => most)).toEqual([{ remember: 'run', reach: 'capability' }]);
    expect(await kept(place)).toEqual([]);
  });

  it.each([
    ['is void', 'code.load', ['the definition of crm.export has changed']],
    ['does not cover its start', 'crm.export', []],
  ])('%s when the module of the tool changes', async (_, open, voids) => {
    const module = (text: string) => `
      // ${text}
      export default {
        name: 'crm',
        capabilities: [],
        tools: [{
          name: 'export',
          description: 'exports',
          input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
          describe: () => ({ capabilities: [{ name: 'crm.export' }] }),
          execute: () => 'done',
        }],
      };`;
    const place = begun({
      'policy.yaml': { ...policy, capabilities: { [open]: 'pre_approved' } },
      'crm.mjs': module('one'),
      'main.worker': main('  ./crm.mjs: {}\n'),
      'script.yaml': { main: [{ call: [{ tool: 'export', args: {} }] }, { say: 'done' }] },
    });
    await keep(place);
    expect(await laterAt(place)).toEqual({ asked: 0, voids: [] });
    writeFiles(place, { 'crm.mjs': module('two') });
    expect(await laterAt(place)).toEqual({ asked: 1, voids });
  });

  it.each([
    ['  helper: {}\n', 'worker.helper', { tool: 'helper', args: { input: 'go' } }],
    [
      '  delegation: { allow_workers: [helper] }\n',
      'delegation.worker_call',
      { tool: 'worker_call', args: { worker: 'helper', input: 'go' } },
    ],
  ])('is void when the file of the called worker changes: %s', async (toolsets, tool, call) => {
    const helper = (text: string) => `description: Helps\n---\n${text}\n`;
    const place = begun({
      'policy.yaml': { ...policy, capabilities: { 'net.connect': 'blocked' } },
      'main.worker': main(toolsets),
      'helper.worker': helper('Help.'),
      'script.yaml': { main: [{ call: [call] }, { say: 'done' }], helper: [{ say: 'helped' }] },
    });
    await keep(place);
    expect(await laterAt(place)).toEqual({ asked: 0, voids: [] });
    writeFiles(place, { 'helper.worker': helper('Do something else.') });
    expect(await laterAt(place)).toEqual({ asked: 1, voids: [`the definition of ${tool} has changed`] });
  });
});

describe('an answer about a project program that is kept for ever', () => {
  const packageJson = (test: string) => JSON.stringify({ name: 'p', scripts: { test } });
  const keepsArguments: Approver = {
    ask: () =>
      Promise.resolve({ answer: 'approve', person: 'ann', keep: { remember: 'always', reach: 'arguments' } }),
  };
  const runs = (command: string) => ({
    main: [{ call: [{ tool: 'run', args: { command } }] }, { say: 'done' }],
  });
  const runner = (shell: string) => `---
name: main
sandbox: { paths: { out: { root: ./out, mode: rw } } }
toolsets: { shell: ${shell} }
---
Test.
`;
  const original = {
    'main.worker': runner('{}'),
    'out/package.json': packageJson('true'),
    'script.yaml': runs('npm test'),
  };
  const shellPlace = () =>
    begun({
      'policy.yaml': { ...policy, capabilities: { 'proc.exec': 'pre_approved' } },
      'out/other/package.json': packageJson('true'),
      ...original,
    });

  it('answers the same command line with the same scripts and settings, and no other', async () => {
    const place = shellPlace();
    const isolation = await findIsolation();
    await runAt(place, { mode: 'interactive', approver: keepsArguments });
    const [stored] = await kept(place);
    expect(stored).toMatchObject({ answer: { reach: 'arguments' } });
    const asked: Record<string, number> = {};
    for (const [what, change] of Object.entries({
      'a changed script': { 'out/package.json': packageJson('false') },
      'other settings': { 'out/.npmrc': 'ignore-scripts=true' },
      'another command line': { 'script.yaml': runs('npm test -- --watch') },
      'another folder': { 'script.yaml': runs('cd other && npm test') },
      ...(isolation !== null && { 'no isolation': { 'main.worker': runner('{ isolation: off }') } }),
      nothing: {},
    })) {
      rmSync(place.path('out/.npmrc'), { force: true });
      writeFiles(place, { ...original, ...change });
      asked[what] = (await laterAt(place)).asked;
    }
    expect(asked).toEqual({
      'a changed script': 1,
      'other settings': 1,
      'another command line': 1,
      'another folder': 1,
      ...(isolation !== null && { 'no isolation': 1 }),
      nothing: 0,
    });
  });
});
