import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyLog } from '@ambit/audit';
import { openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerHook, askResident, type HookOptions, runResident } from '../src/index.js';
import { decided, HookPlace, usualPolicy } from './place.js';

/** A session may not write once it read a secret. A person answers about hosts. */
const policy = `${usualPolicy}  net.connect: { decision: needs_approval, answer: person }
  content.untrusted: pre_approved
together:
  - { id: leak, capabilities: [secret.read, fs.write], within: run, decision: blocked }
`.replace('  fs.read: pre_approved', '  fs.read: pre_approved\n  secret.read: pre_approved');

const sessions = Array.from({ length: 12 }, (_, at) => `session-${at}`);
const program = 'this program';

type Ask = (call: object, stage?: 'before' | 'after') => Promise<string>;

/** Starts what judges: the hook of each call, or one resident judge for all. */
async function judgeAt(place: HookPlace, isResident: boolean): Promise<Ask> {
  if (isResident) {
    mkdirSync(place.state, { recursive: true, mode: 0o700 });
    void runResident({ environment: place.environment, program, idle: 600_000 }).catch(() => undefined);
    // It ends once its place is gone.
    onTestFinished(() => rm(place.base, { recursive: true, force: true, maxRetries: 20 }));
    while (!readdirSync(place.state).includes('resident') || !isServing(place))
      await new Promise((resolve) => setImmediate(resolve));
  }
  return async (call, stage = 'before') => {
    const deadline = Date.now() + 90_000;
    const { environment, policy: file } = place;
    const options: HookOptions = {
      client: 'claude-code',
      stage,
      policies: [file],
      environment,
      program,
      deadline,
    };
    const text = JSON.stringify(call);
    const written = isResident
      ? await askResident(async () => text, options)
      : await answerHook(text, options);
    if (written === null) throw new Error('the resident judge returned no answer');
    return stage === 'after' ? `${written.exit}` : decided(written)[0];
  };
}

function isServing({ state }: HookPlace): boolean {
  return readdirSync(join(state, 'resident')).includes('judge.sock');
}

const at = (session: string) => Number(session.slice('session-'.length));
const readsSecret = (session: string) => at(session) % 2 === 0;

/** What one session does: each call with its own id, and the outcome of what may run. */
async function lives(place: HookPlace, ask: Ask, session: string): Promise<readonly string[]> {
  const answers: string[] = [];
  const does = async (name: string, tool: string, args: object) => {
    const call = place.call(tool, args, { session_id: session, tool_use_id: `toolu_${session}_${name}` });
    const decision = await ask(call);
    answers.push(decision);
    if (decision === 'allow') await ask({ ...call, hook_event_name: 'PostToolUse' }, 'after');
  };
  await does('list', 'Bash', { command: `ls only-${session}-` });
  await does('read', 'Read', { file_path: join(place.project, readsSecret(session) ? '.env' : 'plain') });
  await does('write', 'Write', { file_path: join(place.project, `out/${session}-x`), content: session });
  await does('fetch', 'WebFetch', { url: `https://host.example/`, prompt: 'x' });
  return answers;
}

interface Logged {
  readonly event: string;
  readonly call?: string;
  readonly decision?: string;
  readonly outcome?: string;
}

const logFolder = ({ state }: HookPlace) => {
  const folder = join(state, 'log');
  return join(folder, readdirSync(folder)[0] ?? '');
};

describe.each([
  ['the hook of each call', false],
  ['a resident judge', true],
])('twelve simultaneous sessions, judged by %s', (_, isResident) => {
  it('have separate histories, and a valid log of every call with its outcome', async () => {
    const place = new HookPlace(policy);
    const ask = await judgeAt(place, isResident);
    const all = await Promise.all(sessions.map((session) => lives(place, ask, session)));
    expect(all).toEqual(
      sessions.map((session) => ['allow', 'allow', readsSecret(session) ? 'deny' : 'allow', 'deny']),
    );
    const folder = logFolder(place);
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(files.sort()).toEqual(sessions.map((session) => `claude-code-${session}.jsonl`).sort());
    for (const session of sessions) {
      const file = join(folder, `claude-code-${session}.jsonl`);
      expect(await verifyLog(file)).toMatchObject({ ok: true });
      const text = readFileSync(file, 'utf8');
      const events = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Logged);
      const of = (kind: string) => events.filter(({ event }) => event === kind);
      const written = readsSecret(session) ? 'blocked' : 'pre_approved';
      expect(of('decision').map(({ call, decision }) => [call, decision])).toEqual([
        [`toolu_${session}_list`, 'pre_approved'],
        [`toolu_${session}_read`, 'pre_approved'],
        [`toolu_${session}_write`, written],
        [`toolu_${session}_fetch`, 'needs_approval'],
      ]);
      expect(of('outcome').map(({ call, outcome }) => [call, outcome])).toEqual([
        [`toolu_${session}_list`, 'completed'],
        [`toolu_${session}_read`, 'completed'],
        [`toolu_${session}_write`, readsSecret(session) ? 'refused' : 'completed'],
        [`toolu_${session}_fetch`, 'refused'],
      ]);
      for (const other of sessions.filter((each) => each !== session))
        expect(text).not.toMatch(new RegExp(`${other}(?![0-9])`));
    }
  });

  it('use an answer only for its own question, and only once', async () => {
    const place = new HookPlace(policy);
    const ask = await judgeAt(place, isResident);
    const fetch = (session: string, path = '') =>
      ask(
        place.call('WebFetch', { url: `https://host.example/${path}`, prompt: 'x' }, { session_id: session }),
      );
    await Promise.all(sessions.map((session) => fetch(session)));
    const store = await openStore(await openStateFolder(place.environment, place.project));
    const questions = await store.questions();
    expect(questions.map(({ run }) => run).sort()).toEqual(
      sessions.map((each) => `claude-code-${each}`).sort(),
    );
    const own = questions.find(({ run }) => run === 'claude-code-session-7');
    if (own === undefined) throw new Error('the session has asked nothing');
    const { question, digest } = own;
    const answer = { answer: 'approve', person: 'ada' } as const;
    await store.answer(question.id, { digest, answer, at: Date.now() });
    await store.close();
    const tried = async () => Promise.all(sessions.map((session) => fetch(session)));
    expect(await tried()).toEqual(sessions.map((each) => (each === 'session-7' ? 'allow' : 'deny')));
    expect(await tried()).toEqual(sessions.map(() => 'deny'));
  });
});
