import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStateFolder, openStore, type StoredQuestion } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { approveForRun, decided, HookPlace, loggedEvents, usualPolicy } from './place.js';

/** Opaque commands and unknown tools want a person; the client's user answers for a write below `notes`. */
const policy = `${usualPolicy.replace(
  '  proc.exec.opaque: needs_approval',
  '  proc.exec.opaque: { decision: needs_approval, answer: person }\n  tool.call: { decision: needs_approval, answer: person }',
)}`;

async function withStore<T>(
  place: HookPlace,
  work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
) {
  const store = await openStore(await openStateFolder(place.environment, place.project));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const waiting = (place: HookPlace) =>
  withStore(place, async (store) => (await store.questions()).filter(({ state }) => state === 'waiting'));

function approve(
  place: HookPlace,
  { question, digest }: StoredQuestion,
  answer: 'approve' | 'refuse' = 'approve',
  more: object = {},
) {
  const given =
    answer === 'approve' ? { answer, person: 'ada' } : { answer, person: 'ada', note: 'no', ...more };
  return withStore(place, (store) => store.answer(question.id, { digest, answer: given, at: Date.now() }));
}

async function approveAll(place: HookPlace): Promise<void> {
  for (const question of await waiting(place)) await approve(place, question);
}

/** Resolves once the session has a question. */
async function oneWaiting(place: HookPlace): Promise<StoredQuestion> {
  for (;;) {
    const [question] = await waiting(place).catch(() => []);
    if (question !== undefined) return question;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const decisionOf = async (place: HookPlace, call: object) => decided(await place.answer(call))[0];

describe('an approval', () => {
  it('holds for a command that the model describes in other words', async () => {
    const place = new HookPlace(policy);
    const command = (description: string, line = './task') =>
      place.call('Bash', { command: line, description });
    expect(await decisionOf(place, command('Run the task'))).toBe('deny');
    await approveAll(place);
    expect(await decisionOf(place, command('Run the task', './task all'))).toBe('deny');
    expect(await decisionOf(place, command('Run this task again'))).toBe('allow');
  });

  it('is void for an unknown tool in another folder', async () => {
    const place = new HookPlace(policy);
    mkdirSync(join(place.project, 'sub'));
    const call = place.call('NewTool', { text: 'x' });
    expect(await decisionOf(place, call)).toBe('deny');
    await approveAll(place);
    expect(await decisionOf(place, { ...call, cwd: join(place.project, 'sub') })).toBe('deny');
    expect(await decisionOf(place, call)).toBe('allow');
  });

  it.each([
    ['a_b_sendMail', 'a_b_send_mail'],
    [`a_b_${'c'.repeat(80)}_read`, `a_b_${'c'.repeat(80)}_drop`],
    ['a_b_é', 'a_b_ü'],
  ])('is void for another tool with the same name in policies: %s', async (asked, other) => {
    const place = new HookPlace(`${policy}  mcp.call: pre_approved\n`);
    const deciding = async (tool: string) => {
      const input = { tool, sessionID: 's', callID: 'c' };
      const given = { input, args: {}, directory: place.project, parent: null };
      return (await place.answer(given, { client: 'opencode' })).stdout.includes('"allow"');
    };
    expect(await deciding(asked)).toBe(false);
    await approveAll(place);
    expect(await deciding(other)).toBe(false);
    expect(await deciding(asked)).toBe(true);
  });

  it.each([
    ['Code Reviewer', 'code-reviewer'],
    ['code-reviewer', 'Code Reviewer'],
    ['é', undefined],
  ])('is void for a sub-agent with the same name in policies as %s', async (asked, other) => {
    const place = new HookPlace(`${policy}  worker.call: { decision: needs_approval, answer: person }\n`);
    const acting = (agent_type?: string) => place.bash('./task', { agent_id: 'a1', agent_type });
    const calling = (subagent_type = 'agent') => place.call('Agent', { prompt: 'p', subagent_type });
    for (const call of [acting, calling]) {
      expect(await decisionOf(place, call(asked))).toBe('deny');
      await approveAll(place);
      expect(await decisionOf(place, call(other))).toBe('deny');
      expect(await decisionOf(place, call(asked))).toBe('allow');
    }
  });

  it.each(['copilot', 'opencode'] as const)(
    'is void for a sub-agent of %s with a similar name',
    async (client) => {
      const place = new HookPlace(policy);
      const deciding = async (agent: string) => {
        const of = { sessionId: 's', cwd: place.project, toolName: 'odd', toolArgs: {}, parentAgentId: 'p' };
        const input = { tool: 'odd', sessionID: 's', callID: 'c' };
        const given = { input, args: {}, directory: place.project, parent: 'p', agent };
        const answer = await place.answer(client === 'copilot' ? { ...of, agentType: agent } : given, {
          client,
        });
        return answer.stdout.includes('"allow"');
      };
      expect(await deciding('Reviewer')).toBe(false);
      await approveAll(place);
      expect(await deciding('reviewer')).toBe(false);
      expect(await deciding('Reviewer')).toBe(true);
    },
  );

  it('is void after an opaque command that a person approved', async () => {
    const place = new HookPlace(policy);
    const [one, other] = [place.bash('unknown-one'), place.bash('unknown-two')];
    await decisionOf(place, one);
    await decisionOf(place, other);
    await approveAll(place);
    expect(await decisionOf(place, one)).toBe('allow');
    expect(await decisionOf(place, other)).toBe('deny');
  });

  it.each([
    ['a file gets other permissions', 'Bash', { command: 'chmod +x out/a' }],
    ['a tool of an MCP server runs', 'mcp__tiny__danger', {}],
  ])('is void after %s', async (_, tool, args) => {
    const place = new HookPlace(`${policy}  fs.meta: pre_approved\n  mcp.call: pre_approved\n`);
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    await approveAll(place);
    expect(await decisionOf(place, place.call(tool, args))).toBe('allow');
    expect(await decisionOf(place, call)).toBe('deny');
  });

  it('is not void after another session of the agent wrote, and asked about an opaque command', async () => {
    const place = new HookPlace(policy);
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    await approveAll(place);
    const elsewhere = { session_id: 'session-2' };
    expect(await decisionOf(place, place.bash('echo hi > out/a', elsewhere))).toBe('allow');
    expect(await decisionOf(place, place.bash('unknown-two', elsewhere))).toBe('deny');
    expect(await decisionOf(place, call)).toBe('allow');
  });

  it.each([
    ['this process', true, undefined, undefined, 'deny'],
    ['this process', true, null, undefined, 'deny'],
    ['this process', true, undefined, null, 'deny'],
    ['this process, a sub-agent', true, null, 'one', 'deny'],
    ['this process, no sub-agent', true, null, null, 'allow'],
    ['another process', false, undefined, undefined, 'allow'],
  ])('of opencode after a write of a session in %s: %#', async (_, isSame, own, other, decision) => {
    const place = new HookPlace(policy);
    const deciding = async (sessionID: string, command: string, startedBy?: number) => {
      const input = { tool: 'bash', sessionID, callID: `call-${command.length}` };
      const parent = sessionID === 'one' ? own : other;
      const given = { input, args: { command }, directory: place.project, parent };
      const { stdout } = await place.answer(given, { client: 'opencode', startedBy });
      return (JSON.parse(stdout) as { decision: string }).decision;
    };
    expect(await deciding('one', 'unknown-one')).toBe('deny');
    await approveAll(place);
    expect(await deciding('two', 'echo hi > out/a', isSame ? undefined : place.agent())).toBe('allow');
    expect(await deciding('one', 'unknown-one')).toBe(decision);
  });

  it.each([
    ['holds after a change', {}, 0],
    ['is asked about again if the person wants that', { ask_again: true }, 1],
  ])('that is a refusal %s', async (_, more, open) => {
    const place = new HookPlace(policy);
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    for (const question of await waiting(place)) await approve(place, question, 'refuse', more);
    expect(await decisionOf(place, place.bash('echo hi > out/a'))).toBe('allow');
    for (const _try of [1, 2]) expect(await decisionOf(place, call)).toBe('deny');
    expect(await waiting(place)).toHaveLength(open);
    expect(await decisionOf(place, { ...call, session_id: 'session-2' })).toBe('deny');
    expect(await waiting(place)).toHaveLength(open + 1);
  });

  it('is void while the client asks its user about a write', async () => {
    const place = new HookPlace(policy);
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    await approveAll(place);
    expect(await decisionOf(place, place.bash('echo hi > notes'))).toBe('ask');
    expect(await decisionOf(place, call)).toBe('deny');
  });

  it('is void if the client later reports that an earlier write ran', async () => {
    const place = new HookPlace(policy);
    const write = place.bash('echo hi > notes', { tool_use_id: 'toolu_00000001' });
    expect(await decisionOf(place, write)).toBe('ask');
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    await approveAll(place);
    await place.answer({ ...write, hook_event_name: 'PostToolUse' });
    expect(await decisionOf(place, call)).toBe('deny');
  });

  it('stays valid after a read and after a refused write', async () => {
    const place = new HookPlace(policy);
    const call = place.bash('unknown-one');
    await decisionOf(place, call);
    await approveAll(place);
    expect(await decisionOf(place, place.bash('ls'))).toBe('allow');
    expect(await decisionOf(place, place.bash('echo hi > made.txt'))).toBe('deny');
    expect(await decisionOf(place, place.bash('unknown-three'))).toBe('deny');
    expect(await decisionOf(place, call)).toBe('allow');
  });

  it('is one question, also if the client tries its call several times before the answer', async () => {
    const place = new HookPlace(policy);
    const call = place.bash('unknown-one');
    const ways = [await place.answer(call), await place.answer(call)].map(({ stdout }) =>
      /approvals approve (\S+?)`/.exec(stdout)?.at(1),
    );
    expect(ways).toEqual([ways[0], ways[0]]);
    const [question, ...others] = await waiting(place);
    expect([question?.question.id, others]).toEqual([ways[0], []]);
    await approveAll(place);
    expect(await decisionOf(place, call)).toBe('allow');
    expect(await decisionOf(place, call)).toBe('deny');
    expect((await waiting(place)).map(({ question: { id } }) => id)).not.toContain(ways[0]);
  });

  it('is asked again if the session may have changed something since the question', async () => {
    const place = new HookPlace(policy);
    const [one, other] = [place.bash('unknown-one'), place.bash('unknown-two')];
    await decisionOf(place, other);
    await approveAll(place);
    await decisionOf(place, one);
    expect(await decisionOf(place, other)).toBe('allow');
    const [before] = await waiting(place);
    await decisionOf(place, one);
    // An answer to the older question would count for nothing.
    const [after, ...more] = await waiting(place);
    expect([after?.question.call === before?.question.call, more]).toEqual([false, []]);
  });

  it.skipIf(!isDeep)('is used once by twelve simultaneous calls, and only by its own session', async () => {
    const place = new HookPlace(policy);
    const calls = Array.from({ length: 12 }, (_, at) => ({
      ...place.bash('unknown-one'),
      session_id: `session-${at}`,
    }));
    const first = await Promise.all(calls.map((call) => decisionOf(place, call)));
    expect(first).toEqual(first.map(() => 'deny'));
    const questions = await waiting(place);
    expect(questions).toHaveLength(12);
    const own = questions.find(({ run }) => run === 'claude-code-session-7');
    if (own === undefined) throw new Error('the session has asked nothing');
    await approve(place, own);
    const tries = [...calls, ...Array.from({ length: 11 }, () => calls[7] as object)];
    const answers = await Promise.all(tries.map(async (call) => decisionOf(place, call)));
    expect(answers.filter((answer) => answer === 'allow')).toHaveLength(1);
    const allowed = [...answers.keys()].filter((at) => answers[at] === 'allow');
    expect(allowed.every((at) => at === 7 || at >= 12)).toBe(true);
  });
});

describe('an approval that does not count', () => {
  const reasonOf = async (place: HookPlace, call: object) => {
    const { stdout } = await place.answer(call);
    return /the approval of [^`]+?(?=; (?:a rule|its program|this call)|\. A person)/.exec(stdout)?.[0];
  };
  const approved = async (later: (place: HookPlace, call: object) => Promise<unknown>, at = Date.now()) => {
    const place = new HookPlace(policy);
    const call = place.call('NewTool', { text: 'x' }, { tool_use_id: 'toolu_00000001' });
    await decisionOf(place, call);
    const [asked] = await waiting(place);
    if (asked === undefined) throw new Error('nothing is asked');
    await withStore(place, (store) =>
      store.answer(asked.question.id, {
        digest: asked.digest,
        answer: { answer: 'approve', person: 'ada' },
        at,
      }),
    );
    await later(place, call);
    return { place, call, id: asked.question.id };
  };

  it('is named with the reason in the next refusal, and to the person who is asked again', async () => {
    const { place, call, id } = await approved((place) => decisionOf(place, place.bash('echo hi > out/a')));
    const why = `the approval of ${id} does not count: the session changed something since it was asked`;
    expect(await reasonOf(place, call)).toBe(why);
    const [again] = await waiting(place);
    expect(again?.question.reason).toContain(why);
    // A further try says the same, and the answer to the new question ends it.
    expect(await reasonOf(place, call)).toBe(why);
    await approveAll(place);
    expect(await decisionOf(place, call)).toBe('allow');
    expect(await reasonOf(place, call)).toBe(undefined);
  });

  it('says that nobody knows whether a call ran', async () => {
    const { place, call, id } = await approved((place) => decisionOf(place, place.bash('echo hi > notes')));
    expect(await reasonOf(place, call)).toBe(
      `the approval of ${id} does not count: since it was asked, a call was interrupted or is not over, and may have run`,
    );
  });

  it('says that it is too old', async () => {
    const { place, call, id } = await approved(async () => undefined, Date.now() - 600_001);
    expect(await reasonOf(place, call)).toBe(
      `the approval of ${id} does not count: it is older than ten minutes`,
    );
  });

  it('says that it was for other circumstances', async () => {
    const { place, call, id } = await approved(async (place) => mkdirSync(join(place.project, 'sub')));
    const elsewhere = { ...call, cwd: join(place.project, 'sub') };
    expect(await reasonOf(place, elsewhere)).toBe(
      `the approval of ${id} does not count: its effects, the policies, the folder or the isolation differ from those of the question`,
    );
  });
});

describe('a kept answer about a file that changed', () => {
  it.each(['bash', 'source'])('does not count for `%s`, where loading is permitted', async (program) => {
    const place = new HookPlace(
      usualPolicy.replace('  proc.exec:', '  code.load: pre_approved\n  proc.exec:'),
    );
    place.write('build.sh', 'true');
    const options = { client: 'copilot', deadline: Date.now() + 60_000 } as const;
    const toolArgs = { command: `${program} ./build.sh` };
    const call = { sessionId: 's', cwd: place.project, toolName: 'bash', toolArgs };
    const answerOf = async () => {
      const { stdout } = await place.answer(call, options);
      await place.answer(call, { ...options, stage: 'after' });
      return stdout;
    };
    await place.answer(call, { client: 'copilot', approvals: 'ambit', deadline: Date.now() + 5_900 });
    await approveForRun(place);
    expect([await answerOf(), await answerOf()]).toEqual(Array(2).fill(expect.stringContaining('allow')));
    place.write('build.sh', 'false');
    expect(await answerOf()).toContain('"ask"');
  });

  it('is named with the file in the next refusal and in the next question of the client', async () => {
    const place = new HookPlace();
    place.write('build.sh', 'true');
    const toolArgs = { command: 'bash ./build.sh' };
    const call = { sessionId: 's', cwd: place.project, toolName: 'bash', toolArgs };
    const answerOf = async (approvals: 'ambit' | 'client') => {
      const deadline = Date.now() + (approvals === 'ambit' ? 5_900 : 60_000);
      const { stdout } = await place.answer(call, { client: 'copilot', approvals, deadline });
      if (stdout.includes('"allow"')) await place.answer(call, { client: 'copilot', stage: 'after' });
      return stdout;
    };
    expect(await answerOf('ambit')).toContain('"deny"');
    await approveForRun(place);
    expect([await answerOf('ambit'), await answerOf('ambit')]).toEqual(
      Array(2).fill(expect.stringContaining('allow')),
    );
    place.write('build.sh', 'false');
    const changed = `; the answer that ada kept for this call ended when ${place.project}/build.sh changed`;
    expect(await answerOf('client')).toMatch(new RegExp(`"ask".*${changed}`));
    expect(await answerOf('ambit')).toMatch(new RegExp(`"deny".*${changed}\\. A person`));
  });
});

describe('a call that waits for `ambit approvals`', () => {
  const held = { approvals: 'ambit' } as const;
  const call = (place: HookPlace, command = 'unknown-one', id = 'toolu_00000001') =>
    place.bash(command, { tool_use_id: id });

  it('runs when a person approves it, and is refused when the person refuses it', async () => {
    const place = new HookPlace(policy);
    const yes = place.answer(call(place), held);
    await approve(place, await oneWaiting(place));
    expect(decided(await yes)[0]).toBe('allow');
    const [decision] = loggedEvents(place).filter(({ event }) => event === 'approval');
    expect(decision).toMatchObject({ how: 'person', approved: true });
    const no = place.answer(call(place, 'unknown-two', 'toolu_00000002'), held);
    await approve(place, await oneWaiting(place), 'refuse');
    expect(decided(await no)[0]).toBe('deny');
  });

  it('does not hold up other calls of the session', async () => {
    const place = new HookPlace(policy);
    const waits = place.answer(call(place), held);
    const question = await oneWaiting(place);
    expect(await decisionOf(place, place.bash('ls'))).toBe('allow');
    await approve(place, question);
    expect(decided(await waits)[0]).toBe('allow');
  });

  it.skipIf(!isDeep)(
    'asks again if the session wrote meanwhile, and is refused at the deadline',
    async () => {
      const place = new HookPlace(policy);
      const deadline = Date.now() + 14_000;
      const waits = place.answer(call(place), { ...held, deadline });
      const question = await oneWaiting(place);
      expect(await decisionOf(place, place.bash('echo hi > out/a'))).toBe('allow');
      await approve(place, question);
      const [decision, reason] = decided(await waits);
      expect(decision).toBe('deny');
      expect(reason).toContain('ambit approvals approve');
    },
  );

  it('is refused at the deadline, and runs at the next try after an approval', async () => {
    const place = new HookPlace(policy);
    const written = await place.answer(call(place), { ...held, deadline: Date.now() + 6_500 });
    expect(decided(written)[0]).toBe('deny');
    expect(loggedEvents(place).at(-1)).toMatchObject({ event: 'outcome', outcome: 'refused' });
    await approveAll(place);
    expect(decided(await place.answer(call(place, 'unknown-one', 'toolu_00000009'), held))[0]).toBe('allow');
  });

  it('is deferred, and runs when the session is resumed after an approval', async () => {
    const place = new HookPlace(policy);
    const deferring = { approvals: 'defer', startedBy: place.agent('-p', 'go') } as const;
    expect(decided(await place.answer(call(place), deferring))[0]).toBe('defer');
    expect(decided(await place.answer(call(place), deferring))[0]).toBe('defer');
    await approveAll(place);
    expect(decided(await place.answer(call(place), deferring))[0]).toBe('allow');
  });

  it.each([
    ['in a terminal', []],
    ['with `-p` as its prompt', ['--', '-p']],
    ['with `-p` as its name', ['--name', '-p']],
    ['with an unknown option before `-p`', ['--unknown', '-p']],
  ])('is refused instead of deferred by an agent %s, which would run the call', async (_, words) => {
    const place = new HookPlace(policy);
    const deferring = { approvals: 'defer', startedBy: place.agent(...words) } as const;
    const [decision, reason] = decided(await place.answer(call(place), deferring));
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('ambit approvals approve')]);
    await approveAll(place);
    expect(decided(await place.answer(call(place), deferring))[0]).toBe('allow');
    const ended = { approvals: 'defer', startedBy: 2 ** 30 } as const;
    expect(decided(await place.answer(call(place, 'unknown-two'), ended))[0]).toBe('deny');
  });
});

describe('a question of an agent in print mode', () => {
  const asking = 'version: 1\ndefault: pre_approved\ncapabilities: { proc.exec.opaque: needs_approval }\n';

  it.each(['claude-code', 'copilot'] as const)(
    'goes to `ambit approvals`: %s has no user to ask',
    async (client) => {
      const place = new HookPlace(asking);
      const options = { client, startedBy: place.agent('-p', 'go') };
      const copilots = {
        sessionId: 's',
        timestamp: 1,
        cwd: place.project,
        toolName: 'bash',
        toolArgs: { command: 'unknown-one' },
      };
      const input = client === 'copilot' ? copilots : place.bash('unknown-one');
      expect((await place.answer(input, options)).stdout).toContain('ambit approvals approve');
      await approveAll(place);
      expect((await place.answer(input, options)).stdout).toContain('"allow"');
    },
  );

  it('goes to the program that answers for the user', async () => {
    const place = new HookPlace(asking);
    const startedBy = place.agent('-p', '--permission-prompt-tool', 'stdio');
    const written = await place.answer(place.bash('unknown-one'), { startedBy });
    expect(decided(written)[0]).toBe('ask');
  });
});
