import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLog } from '@ambit/audit';
import { keepTrust, openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { decided, HookPlace, loggedEvents, usualPolicy } from './place.js';

async function questionOf(place: HookPlace) {
  const store = await openStore(await openStateFolder(place.environment, place.project));
  const [question] = (await store.questions()).filter(({ state }) => state === 'waiting');
  return { store, question };
}

async function approve(place: HookPlace, at = Date.now()): Promise<void> {
  const { store, question } = await questionOf(place);
  if (question === undefined) throw new Error('nothing is asked');
  const answer = { answer: 'approve', person: 'ada' } as const;
  await store.answer(question.question.id, { digest: question.digest, answer, at });
  await store.close();
}

const personPolicy = usualPolicy.replace(
  '  proc.exec.opaque: needs_approval',
  '  proc.exec.opaque: { decision: needs_approval, answer: person }',
);

describe('a hook call', () => {
  it('names the project that has no policy, for an agent in a folder below', async () => {
    const place = new HookPlace();
    place.write('below/policy.yaml', usualPolicy);
    const call = place.call('Read', { file_path: 'a' }, { cwd: `${place.project}/below` });
    const { exit, stderr } = await place.answer(call, { policies: [] });
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`the project in ${place.project}: write one there`),
    ]);
  });

  it('names a folder that is missing, at the first call of a session and later', async () => {
    const place = new HookPlace();
    const gone = (folder: string) => ({
      stdout: '',
      stderr: `ambit: the folder ${folder} is missing, is a file or cannot be read: begin a new session in another one; the call is refused\n`,
      exit: 2,
    });
    const call = place.call(
      'Read',
      { file_path: 'a' },
      { cwd: `${place.project}/none`, session_id: 'other' },
    );
    expect(await place.answer(call)).toEqual(gone(`${place.project}/none`));
    expect(decided(await place.answer(place.bash('ls')))[0]).toBe('allow');
    rmSync(place.project, { recursive: true });
    expect(await place.answer(place.bash('ls'))).toEqual(gone(place.project));
  });

  it('refuses at once where another file takes the place of the lock', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('ls'));
    const folder = join(place.state, 'log');
    const lock = join(folder, readdirSync(folder)[0] ?? '', 'claude-code-session-1.jsonl.lock');
    writeFileSync(lock, '{}');
    const { exit, stderr } = await place.answer(place.bash('ls'), { deadline: Date.now() + 3000 });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not a lock of this program; remove it')]);
  });

  it('permits what the policy permits, and blocks other calls with the reason', async () => {
    const place = new HookPlace();
    expect(decided(await place.answer(place.bash('echo hi > out/a')))[0]).toBe('allow');
    const [decision, reason] = decided(await place.answer(place.bash('echo hi > made.txt')));
    expect(decision).toBe('deny');
    expect(reason).toContain('made.txt is reserved');
    expect(reason).toContain('write to out/');
    expect(decided(await place.answer(place.call('Write', { file_path: 'made.txt', content: 'x' })))[0]).toBe(
      'deny',
    );
    expect(decided(await place.answer(place.call('Read', { file_path: join(place.project, 'x') })))[0]).toBe(
      'allow',
    );
  });

  it('says what else the call would do, besides what is unknown about it', async () => {
    const reason = '  proc.exec.opaque: { decision: needs_approval, reason: it is unknown }';
    const place = new HookPlace(usualPolicy.replace('  proc.exec.opaque: needs_approval', reason));
    const asked = async (command: string) => decided(await place.answer(place.bash(command)));
    expect(await asked('make')).toEqual(['ask', 'it is unknown (the makefile says what it runs)']);
    expect(await asked('npm view x')).toEqual([
      'ask',
      expect.stringMatching(/\); it would also connect to [^,]*$/),
    ]);
    expect(await asked('python3 a.py; rm b')).toEqual([
      'ask',
      expect.stringMatching(/\); it would also delete \S*b$/),
    ]);
    expect(await asked('python3 a.py; rm b; rm b,c')).toEqual([
      'ask',
      expect.stringMatching(/\); it would also delete \S*b, delete \S*b,c$/),
    ]);
  });

  it('says with a reason what is unknown of the same rule, not of another one', async () => {
    const place = new HookPlace(`version: 1
default: pre_approved
capabilities:
  proc.exec.opaque: needs_approval
  fs.delete: { decision: needs_approval, reason: deletions need a look }
`);
    const asked = decided(await place.answer(place.bash('make; rm b')));
    expect(asked).toEqual([
      'ask',
      expect.stringMatching(/^deletions need a look; it would also .*cannot be known before: the makefile/),
    ]);
  });

  it('says with a reason what else asks, although all of it is known', async () => {
    const place = new HookPlace(`version: 1
default: pre_approved
capabilities:
  net.connect: needs_approval
  fs.delete: { decision: needs_approval, reason: deletions need a look }
`);
    expect(decided(await place.answer(place.bash('rm b; curl -s https://a.example/')))).toEqual([
      'ask',
      'deletions need a look; it would also connect to a.example',
    ]);
  });

  it('asks through the client, except if a rule requires a person', async () => {
    const place = new HookPlace();
    expect(decided(await place.answer(place.bash('unknown-program')))[0]).toBe('ask');
    const strict = new HookPlace(personPolicy);
    const [decision, reason] = decided(await strict.answer(strict.bash('unknown-program')));
    expect(decision).toBe('deny');
    expect(reason).toMatch(/ambit approvals approve \S+ .*make the same call again in this session/);
  });

  it('judges a command in the text of a skill, which is neither asked about nor changed', async () => {
    const place = new HookPlace(usualPolicy.replace('opaque: needs_approval', 'opaque: pre_approved'));
    const of = { hook_event_name: 'PreSkillShellCommand', tool_use_id: 'toolu_00000001:preamble-0' };
    const answer = async (command: string) => {
      const written = await place.answer(place.bash(command, of), { confines: true });
      expect(written.stdout).toContain('"hookEventName":"PreSkillShellCommand"');
      expect(written.stdout).not.toContain('updatedInput');
      return decided(written);
    };
    expect(await answer('ls')).toEqual(['allow', 'permitted by policy']);
    expect(await answer('unknown-program')).toEqual(['allow', 'permitted by policy']);
    expect(await answer('echo > made.txt')).toEqual([
      'deny',
      expect.stringContaining('made.txt is reserved'),
    ]);
    expect(await answer('echo > new.txt')).toEqual([
      'deny',
      expect.stringContaining('ambit approvals approve'),
    ]);
    const logged = loggedEvents(place).filter(({ event }) => event === 'decision');
    expect(logged.map(({ tool }) => tool)).toEqual(Array(4).fill('shell.run'));
  });

  it('records the decision before answering, and the outcome under the same call', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('echo hi > out/a', { tool_use_id: 'toolu_00000001' }));
    expect(loggedEvents(place).map(({ event }) => event)).toEqual(['run', 'policy', 'decision']);
    const after = { hook_event_name: 'PostToolUse', tool_use_id: 'toolu_00000001' };
    expect(await place.answer(place.bash('echo hi > out/a', after))).toMatchObject({ exit: 0, stdout: '' });
    expect(loggedEvents(place).at(-1)).toMatchObject({
      event: 'outcome',
      call: 'toolu_00000001',
      outcome: 'completed',
    });
    const folder = join(place.state, 'log');
    const [project = ''] = readdirSync(folder);
    const [file = ''] = readdirSync(join(folder, project)).filter((name) => name.endsWith('.jsonl'));
    expect((await verifyLog(join(folder, project, file))).ok).toBe(true);
  });

  it('records an answer given in the client as the client’s', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('unknown-program', { tool_use_id: 'toolu_00000002' }));
    await place.answer(
      place.bash('unknown-program', { hook_event_name: 'PostToolUse', tool_use_id: 'toolu_00000002' }),
    );
    expect(loggedEvents(place).slice(-2)).toMatchObject([
      { event: 'approval', how: 'client', who: 'claude-code', approved: true },
      { event: 'outcome', outcome: 'completed' },
    ]);
  });

  it('has its own outcome if the agent repeats an id, and no answer that nobody gave', async () => {
    const place = new HookPlace();
    const [asked, run] = ['echo x > asked.txt', 'echo x > out/x'].map((command) => ({
      before: place.bash(command, { tool_use_id: 'toolu_00000001' }),
      after: place.bash(command, { tool_use_id: 'toolu_00000001', hook_event_name: 'PostToolUse' }),
    }));
    await place.answer(asked?.before);
    await place.answer(run?.before);
    await place.answer(run?.after);
    const of = () =>
      loggedEvents(place)
        .slice(2)
        .map(({ event, decision, outcome, how }) => [event, decision ?? outcome ?? how].join(' '));
    const decisions = ['decision needs_approval', 'decision pre_approved'];
    expect(of()).toEqual([...decisions, 'outcome completed']);
    await place.answer(asked?.after);
    expect(of()).toEqual([...decisions, 'outcome completed', 'approval client', 'outcome completed']);
    const outcomes = loggedEvents(place).filter(({ event }) => event === 'outcome');
    expect(outcomes.map(({ call }) => call === 'toolu_00000001')).toEqual([false, true]);
  });

  it('counts earlier permits of the session', async () => {
    const place = new HookPlace(
      `${usualPolicy}  net.connect: pre_approved
together:
  - id: leak
    capabilities: [secret.read, net.connect]
    within: run
    decision: blocked
`.replace('  fs.read: pre_approved', '  fs.read: pre_approved\n  secret.read: pre_approved'),
    );
    place.write('.env', 'A=1');
    const fetch = place.call('WebFetch', { url: 'https://example.com/', prompt: 'x' });
    expect(decided(await place.answer(fetch))[0]).toBe('ask');
    expect(
      decided(await place.answer(place.call('Read', { file_path: join(place.project, '.env') })))[0],
    ).toBe('allow');
    expect(decided(await place.answer(fetch))[0]).toBe('deny');
    // Another session has another history.
    expect(decided(await place.answer({ ...fetch, session_id: 'session-2' }))[0]).toBe('ask');
  });
});

describe('a rule by URL', () => {
  it.each(['https://x@a.example/closed', 'https://a.example/closed#x', 'https://a.example./closed'])(
    'holds for %s, which is the same page',
    async (url) => {
      const place = new HookPlace(`${usualPolicy}
  net.connect: { decision: blocked, match: { url: "https://a.example/closed" } }
tools:
  claude-code.web_fetch: pre_approved
`);
      expect(decided(await place.answer(place.call('WebFetch', { url, prompt: 'x' })))[0]).toBe('deny');
    },
  );
});

describe('a session whose records are lost', () => {
  it('is refused, because its history is unknown', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('cat .env'));
    const state = await openStateFolder(place.environment, place.project);
    for (const name of readdirSync(state).filter((each) => each.startsWith('runs.db')))
      rmSync(join(state, name));
    const [decision, reason] = decided(await place.answer(place.bash('ls')));
    expect([decision, reason]).toEqual(['exit 2', expect.stringContaining('never wrote this entry')]);
    expect(decided(await place.answer({ ...place.bash('ls'), session_id: 'session-2' }))[0]).toBe('allow');
  });
});

describe('an approval that a person gives elsewhere', () => {
  it('permits exactly the same call, once', async () => {
    const place = new HookPlace(personPolicy);
    const call = place.bash('unknown-program --now');
    expect(decided(await place.answer(call))[0]).toBe('deny');
    await approve(place);
    expect(decided(await place.answer(place.bash('unknown-program --later')))[0]).toBe('deny');
    expect(decided(await place.answer(call))[0]).toBe('allow');
    expect(decided(await place.answer(call))[0]).toBe('deny');
  });

  it('is void in another session, in another folder and for a sub-agent', async () => {
    const place = new HookPlace(personPolicy);
    place.write('sub/x', '');
    const call = place.bash('unknown-program');
    await place.answer(call);
    await approve(place);
    expect(decided(await place.answer({ ...call, session_id: 'session-2' }))[0]).toBe('deny');
    expect(decided(await place.answer({ ...call, cwd: join(place.project, 'sub') }))[0]).toBe('deny');
    expect(decided(await place.answer({ ...call, agent_id: 'a1', agent_type: 'reviewer' }))[0]).toBe('deny');
    expect(decided(await place.answer(call))[0]).toBe('allow');
  });

  it('is void after a write, and after ten minutes', async () => {
    const written = new HookPlace(personPolicy);
    const call = written.bash('unknown-program');
    await written.answer(call);
    expect(decided(await written.answer(written.bash('echo hi > out/a')))[0]).toBe('allow');
    await approve(written);
    expect(decided(await written.answer(call))[0]).toBe('deny');
    const late = new HookPlace(personPolicy);
    await late.answer(late.bash('unknown-program'));
    await approve(late, Date.now() - 11 * 60_000);
    expect(decided(await late.answer(late.bash('unknown-program')))[0]).toBe('deny');
  });

  it('is void after a write, and from the future, also if the clock was set back', async () => {
    const [now, hour] = [Date.now(), 3_600_000];
    onTestFinished(() => void vi.useRealTimers());
    const clockAt = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });
    const place = new HookPlace(personPolicy);
    const call = place.bash('unknown-program');
    await place.answer(call);
    clockAt(now - hour);
    expect(decided(await place.answer(place.bash('echo hi > out/a')))[0]).toBe('allow');
    await approve(place);
    expect(decided(await place.answer(call))[0]).toBe('deny');
    const other = new HookPlace(personPolicy);
    await other.answer(other.bash('unknown-program'));
    await approve(other, now);
    expect(decided(await other.answer(other.bash('unknown-program')))[0]).toBe('deny');
  });

  it('is void if the policy changed', async () => {
    const place = new HookPlace(personPolicy);
    const call = place.bash('unknown-program');
    await place.answer(call);
    await approve(place);
    writeFileSync(place.policy, `${personPolicy}  net: blocked\n`);
    expect(decided(await place.answer(call))[0]).toBe('deny');
  });

  it('keeps a refusal, too', async () => {
    const place = new HookPlace(personPolicy);
    const call = place.bash('unknown-program');
    await place.answer(call);
    const { store, question } = await questionOf(place);
    if (question === undefined) throw new Error('nothing is asked');
    const answer = { answer: 'refuse', person: 'ada', note: 'not today' } as const;
    await store.answer(question.question.id, { digest: question.digest, answer, at: Date.now() });
    await store.close();
    for (const _ of [1, 2]) {
      const [decision, reason] = decided(await place.answer(call));
      expect(decision).toBe('deny');
      expect(reason).toContain('not today');
    }
  });
});

describe('a hook that cannot judge', () => {
  const refused = { exit: 2, stdout: '' };

  it.each(['', '{bad', '[]', '"x"', '{}', '{"hook_event_name":"PreToolUse"}', 'null'])(
    'refuses the input %j',
    async (text) => {
      const place = new HookPlace();
      const written = await place.answer(text);
      expect(written).toMatchObject(refused);
      expect(written.stderr).toMatch(/^ambit: .+\n$/);
    },
  );

  it.each([
    ['hook_event_name', 'Stop'],
    ['cwd', 'relative'],
    ['cwd', '/missing/folder'],
    ['tool_name', ''],
    ['tool_input', 'text'],
    ['session_id', 7],
  ])('refuses an input with an invalid %s: %j', async (key, value) => {
    const place = new HookPlace();
    expect(await place.answer({ ...place.bash('ls'), [key]: value })).toMatchObject(refused);
  });

  it.each([
    ['claude-code', 'before', 'PostToolUse'],
    ['claude-code', 'after', 'PreToolUse'],
    ['claude-code', 'after', 'PreSkillShellCommand'],
    ['codex', 'before', 'PostToolUse'],
    ['codex', 'before', 'PreSkillShellCommand'],
    ['codex', 'before', 'PostToolUseFailure'],
    ['gemini', 'before', 'AfterTool'],
    ['gemini', 'after', 'BeforeTool'],
  ] as const)('of %s, installed for %s a call, refuses the event %s', async (client, stage, event) => {
    const place = new HookPlace();
    const call = place.bash('ls', { hook_event_name: event });
    expect(await place.answer(call, { client, stage })).toMatchObject(refused);
  });

  it('refuses if the policy is missing, or does not load', async () => {
    const place = new HookPlace();
    expect(await place.answer(place.bash('ls'), { policies: [] })).toMatchObject(refused);
    expect(await place.answer(place.bash('ls'), { policies: ['/missing/policy.yaml'] })).toMatchObject(
      refused,
    );
    writeFileSync(place.policy, 'version: 1\ndefault: alow\n');
    const wrong = await place.answer(place.bash('ls'));
    expect(wrong).toMatchObject(refused);
    expect(wrong.stderr).toContain(`${place.policy}:2:10: `);
  });

  it('refuses an untrusted project policy, and judges by its trusted text', async () => {
    const place = new HookPlace();
    place.write('policy.yaml', usualPolicy);
    const untrusted = await place.answer(place.bash('ls'), { policies: [] });
    expect(untrusted).toMatchObject(refused);
    const path = join(place.project, 'policy.yaml');
    // The session stays with this project, also if its id is used again in another one.
    const elsewhere = { ...place.bash('ls'), cwd: place.base };
    for (const { stderr } of [untrusted, await place.answer(elsewhere, { policies: [] })])
      expect(stderr).toContain(
        `${path} was never trusted, so it is not in force: read it, then run \`ambit trust ${path}\` in a terminal`,
      );
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(usualPolicy).digest('hex');
    const files = [{ name: 'policy.yaml', path, sha256, source: usualPolicy }];
    await keepTrust(place.environment, { path, person: 'ada', at: new Date().toISOString(), files });
    expect(decided(await place.answer(place.bash('ls'), { policies: [] }))[0]).toBe('allow');
    // A new text joins the old one; it loosens nothing.
    place.write('policy.yaml', usualPolicy.replace('decision: blocked', 'decision: pre_approved'));
    expect(decided(await place.answer(place.bash('echo > made.txt'), { policies: [] }))[0]).toBe('deny');
    const fresh = { ...place.bash('echo > made.txt'), session_id: 'session-2' };
    expect(decided(await place.answer(fresh, { policies: [] }))[0]).toBe('deny');
    rmSync(path);
    expect(await place.answer(place.bash('ls'), { policies: [] })).toMatchObject(refused);
  });

  it('refuses if the state folder is unusable', async () => {
    const place = new HookPlace();
    writeFileSync(place.state, '');
    const answer = await place.answer(place.bash('ls'));
    expect(answer).toMatchObject(refused);
    expect(answer.stderr).toContain(`the state folder ${place.state} must be a folder`);
  });

  it('names the lock of another call that does not end', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('ls'));
    const folder = join(place.state, 'log');
    const lock = join(folder, readdirSync(folder)[0] ?? '', 'claude-code-session-1.jsonl.lock');
    const nonce = '00000000-0000-4000-8000-000000000001';
    writeFileSync(lock, JSON.stringify({ pid: 1, machine: 'another host', nonce }));
    const answer = await place.answer(place.bash('ls'), { deadline: Date.now() });
    expect(answer).toMatchObject(refused);
    expect(answer.stderr).toContain(`${lock} names its process`);
  });

  it('refuses if the log was changed', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('ls'));
    const folder = join(place.state, 'log');
    const [project = ''] = readdirSync(folder);
    const [file = ''] = readdirSync(join(folder, project)).filter((name) => name.endsWith('.jsonl'));
    const path = join(folder, project, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('claude-code', 'claude-cxde'));
    const answer = await place.answer(place.bash('ls'));
    expect(answer).toMatchObject(refused);
    expect(answer.stderr).toContain('begin a new session');
  });

  it('never permits a change of a file that guards the session', async () => {
    const place = new HookPlace(usualPolicy.replace('default: needs_approval', 'default: pre_approved'));
    for (const path of [
      place.policy,
      join(place.state, 'x'),
      join(place.home, '.claude/settings.json'),
      join(place.project, '.claude/settings.local.json'),
      join(place.project, '.codex/hooks.json'),
      '/etc/claude-code/managed-settings.json',
    ]) {
      const [decision] = decided(await place.answer(place.call('Write', { file_path: path, content: '{}' })));
      expect([path, decision]).toEqual([path, 'deny']);
    }
  });

  it('waits for the other calls of its session', async () => {
    const place = new HookPlace();
    const calls = Array.from({ length: 6 }, (_, at) => place.answer(place.bash(`echo > out/${at}`)));
    const answers = (await Promise.all(calls)).map((written) => decided(written)[0]);
    expect(answers).toEqual(answers.map(() => 'allow'));
    expect(loggedEvents(place).filter(({ event }) => event === 'decision')).toHaveLength(6);
    expect(loggedEvents(place).filter(({ event }) => event === 'run')).toHaveLength(1);
  });
});
