import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { keepSessions, keepTrust, openStateFolder, openStore, revokeTrust, runStatus } from '@ambit/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerHook } from '../src/index.js';
import { decided, HookPlace, loggedEvents, usualPolicy } from './place.js';

/** Two capabilities that one session may not have together, and a question for a person that changes nothing. */
const policy = `${usualPolicy}  net.connect: { decision: needs_approval, answer: person }
  content.untrusted: pre_approved
  tool.call: pre_approved
together:
  - { id: leak, capabilities: [secret.read, fs.write], within: run, decision: blocked }
`.replace('  fs.read: pre_approved', '  fs.read: pre_approved\n  secret.read: pre_approved');

/** A long-lived process instead of the hook. Every file counts as old. */
function staying(text = policy) {
  const place = new HookPlace(text);
  const sessions = keepSessions(Number.NEGATIVE_INFINITY);
  onTestFinished(() => sessions.close());
  const ask = async (
    call: object,
    given: { readonly policies?: string[]; readonly startedBy?: number | undefined } = {},
  ) => {
    const { environment } = place;
    const deadline = Date.now() + 60_000;
    const fixed = { client: 'claude-code', stage: 'before', policies: [place.policy] } as const;
    const options = { ...fixed, environment, deadline, ...given };
    return decided(await answerHook(JSON.stringify(call), options, sessions.open));
  };
  /** The answer of a hook that judges by itself, as after a failure. */
  const alone = async (call: object) => decided(await place.answer(call))[0];
  const read = place.call('Read', { file_path: `${place.project}/a.txt` });
  const write = place.bash('echo hi > out/a');
  const secret = place.call('Read', { file_path: `${place.project}/.env` });
  /** A session with one permitted call, kept. */
  const begun = async () => {
    // The first opening makes keys and folders, so the second one is kept.
    for (const _ of [1, 2]) expect((await ask(read))[0]).toBe('allow');
    expect(sessions.size).toBe(1);
  };
  return { place, sessions, ask, alone, begun, read, write, secret };
}

const logOf = ({ state }: HookPlace) => {
  const folder = join(state, 'log');
  const [project = ''] = readdirSync(folder);
  return join(folder, project, 'claude-code-session-1.jsonl');
};

describe('a kept session', () => {
  it('is running while its agent lives, also a later one, and has ended after that', async () => {
    const { place, sessions, ask, read } = staying();
    const run = async () => {
      const store = await openStore(await openStateFolder(place.environment, place.project));
      try {
        return await store.run('claude-code-session-1');
      } finally {
        await store.close();
      }
    };
    for (const startedBy of [place.agent(), place.agent()]) {
      for (const _ of [1, 2]) await ask(read, { startedBy });
      const found = await run();
      expect(found?.pid).toBe(startedBy);
      expect(found && [runStatus(found), runStatus({ ...found, pid: 2 ** 30 })]).toEqual([
        'running',
        'ended',
      ]);
    }
    expect(sessions.size).toBe(1);
  });

  it('can be continued by another process', async () => {
    const { place, sessions, ask, alone, begun, write, secret } = staying();
    await begun();
    expect((await ask(place.bash('echo hi > made.txt')))[1]).toContain('made.txt is reserved');
    expect(await alone(secret)).toBe('allow');
    expect((await ask(write))[1]).toContain('leak');
    expect(sessions.size).toBe(1);
    const events = loggedEvents(place);
    expect(events.filter(({ event }) => event === 'run')).toHaveLength(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  it('remembers its permits', async () => {
    const { ask, begun, write, secret } = staying();
    await begun();
    expect((await ask(write))[0]).toBe('allow');
    expect((await ask(secret))[1]).toContain('leak');
  });

  it.each<[string, boolean, (place: HookPlace) => void | Promise<void>]>([
    [
      'its policy is stricter',
      false,
      ({ policy: file }) => writeFileSync(file, 'version: 1\ndefault: blocked\n'),
    ],
    ['its policy is gone', false, ({ policy: file }) => rmSync(file)],
    [
      'its policy does not load',
      true,
      ({ policy: file }) => writeFileSync(file, 'version: 1\n  default: x\n'),
    ],
    ['its policy is another file of the same size', false, sameLooking],
    ['the project has an untrusted policy', false, (place) => place.write('policy.yaml', usualPolicy)],
    ['its log was changed', false, (place) => changeLog(place, (text) => text.replace('a.txt', 'b.txt'))],
    ['its log is gone', true, (place) => rmSync(logOf(place))],
    ['its log was cut', true, (place) => changeLog(place, (text) => `${text.split('\n', 2).join('\n')}\n`)],
    ['something was added to its log', false, (place) => appendFileSync(logOf(place), '{"seq":9}\n')],
    ['the database is gone', false, withoutDatabase],
    ['others may write the state folder', false, ({ state }) => chmodSync(state, 0o777)],
    ['others may write the folder of logs', false, ({ state }) => chmodSync(join(state, 'log'), 0o777)],
    ['an agent setting was changed', false, ({ home }) => settings(home)],
  ])('permits the same calls as a fresh session if %s', async (_, permits, change) => {
    const [kept, opened] = [staying(), staying()];
    await kept.begun();
    for (const _ of [1, 2]) expect(await opened.alone(opened.read)).toBe('allow');
    const answers: string[] = [];
    for (const { place } of [kept, opened]) await change(place);
    for (const _ of [1, 2]) answers.push((await kept.ask(kept.write))[0]);
    for (const _ of [1, 2]) answers.push(await opened.alone(opened.write));
    expect(answers.slice(0, 2)).toEqual(answers.slice(2));
    expect(answers.includes('allow')).toBe(permits);
  });

  it('permits nothing if an extended policy is gone or stricter', async () => {
    for (const change of ['gone', 'stricter']) {
      const { place, ask, begun, write } = staying(
        'version: 1\ndefault: pre_approved\nextends: [./base.yaml]\n',
      );
      const base = join(place.base, 'base.yaml');
      writeFileSync(base, policy);
      await begun();
      if (change === 'gone') rmSync(base);
      else writeFileSync(base, 'version: 1\ndefault: blocked\n');
      expect((await ask(write))[0]).not.toBe('allow');
    }
  });

  it.each(['revoked', 'of a stricter text'])(
    'permits nothing if the trust of its policy is %s',
    async (how) => {
      const { place, ask, begun, write } = staying();
      const path = join(place.project, 'policy.yaml');
      place.write('policy.yaml', policy);
      const trust = (source: string) => {
        const sha256 = createHash('sha256').update(source).digest('hex');
        const files = [{ name: 'policy.yaml', path, sha256, source }];
        return keepTrust(place.environment, { path, person: 'ada', at: '2026-01-01T00:00:00Z', files });
      };
      await trust(policy);
      await begun();
      expect((await ask(write))[0]).toBe('allow');
      if (how === 'revoked') await revokeTrust(place.environment, path);
      else {
        place.write('policy.yaml', 'version: 1\ndefault: blocked\n');
        await trust('version: 1\ndefault: blocked\n');
      }
      for (const _ of [1, 2]) expect((await ask(write))[0]).not.toBe('allow');
    },
  );

  it('uses an approval once', async () => {
    const { place, ask, begun } = staying();
    await begun();
    const call = place.call('WebFetch', { url: 'https://a.example/', prompt: 'x' });
    expect((await ask(call))[1]).toContain('ambit approvals approve');
    const store = await openStore(await openStateFolder(place.environment, place.project));
    const [asked] = await store.questions();
    if (asked === undefined) throw new Error('nobody was asked');
    const { question, digest } = asked;
    await store.answer(question.id, { digest, answer: { answer: 'approve', person: 'ada' }, at: Date.now() });
    await store.close();
    expect((await ask(call))[0]).toBe('allow');
    expect((await ask(call))[0]).toBe('deny');
  });

  it('is not kept after a question, or with a policy too new for file times to show changes', async () => {
    const { place, sessions, ask, begun } = staying();
    await begun();
    await ask(place.call('WebFetch', { url: 'https://a.example/', prompt: 'x' }));
    expect(sessions.size).toBe(0);
    const fresh = keepSessions(3_600_000);
    const options = { client: 'claude-code', stage: 'before', policies: [place.policy] } as const;
    const { environment } = place;
    const text = JSON.stringify(place.bash('echo hi > out/a'));
    for (const _ of [1, 2])
      await answerHook(text, { ...options, environment, deadline: Date.now() + 60_000 }, fresh.open);
    expect(fresh.size).toBe(0);
  });

  it('judges simultaneous calls one after another, and loses none', async () => {
    const { place, ask, begun } = staying();
    await begun();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(place.bash(`echo hi > out/${index}`))),
    );
    expect(answers.map(([decision]) => decision)).toEqual(Array(6).fill('allow'));
    const events = loggedEvents(place);
    expect(events.filter(({ event }) => event === 'decision')).toHaveLength(8);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });
});

function changeLog(place: HookPlace, change: (text: string) => string): void {
  const path = logOf(place);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** By rename, with a text of the same length. */
function sameLooking({ policy: file, base }: HookPlace): void {
  const text = readFileSync(file, 'utf8');
  const other = text.replaceAll('pre_approved', 'blocked     ');
  const { size } = statSync(file);
  expect(other.length).toBe(size);
  writeFileSync(join(base, 'other'), other);
  renameSync(join(base, 'other'), file);
}

async function withoutDatabase(place: HookPlace): Promise<void> {
  const state = await openStateFolder(place.environment, place.project);
  for (const name of readdirSync(state)) if (name.startsWith('runs.db')) rmSync(join(state, name));
}

function settings(home: string): void {
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude/settings.json'), '{"disableAllHooks": true}');
}
