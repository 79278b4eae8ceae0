import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { pluginText } from '../src/install/opencode-plugin.js';
import { approveForRun, decided, HookPlace, loggedEvents } from './place.js';

const leak = `version: 1
default: pre_approved
together:
  - { id: leak, capabilities: [secret.read, net.connect], within: run, decision: blocked }
`;

describe('a sub-agent of a sub-agent', () => {
  const call = (place: HookPlace, session: string, parent: string | null, tool: string, args: object) => {
    const more = parent === null ? {} : { parentAgentId: parent, agentId: session, agentType: 'helper' };
    const input = { sessionId: session, cwd: place.project, toolName: tool, toolArgs: args, ...more };
    return place.answer(input, { client: 'copilot' });
  };

  it('of Copilot, which names only the nearest parent, has the history of the first agent', async () => {
    const place = new HookPlace(leak);
    place.write('.env', 'KEY=1');
    const url = { url: 'https://a.example' };
    expect((await call(place, 'first', null, 'view', { path: '.env' })).stdout).toContain('"allow"');
    await call(place, 'second', 'first', 'bash', { command: 'ls' });
    await call(place, 'third', 'second', 'bash', { command: 'ls' });
    for (const [session, parent] of [
      ['second', 'first'],
      ['third', 'second'],
      ['fourth', 'third'],
      ['third', null],
    ] as const)
      expect((await call(place, session, parent, 'web_fetch', url)).stdout).toContain('leak');
  });
});

describe('a sub-agent of opencode, whose plug-in names the first session', () => {
  const call = (place: HookPlace, session: string, tool: string, more: object) => {
    const input = { tool, sessionID: session, callID: `c-${session}` };
    return place.answer({ input, directory: place.project, ...more }, { client: 'opencode' });
  };

  it('has the history of that session, and is the second worker', async () => {
    const place = new HookPlace(`${leak}workers: { general: { capabilities: { fs.list: blocked } } }\n`);
    place.write('.env', 'KEY=1');
    const [web, list] = [{ args: { url: 'https://a.example' } }, { args: { path: '.' } }];
    await call(place, 'first', 'read', { args: { filePath: '.env' }, parent: null });
    for (const of of [{}, { parent: null }, { parent: 'other' }])
      expect((await call(place, 'second', 'webfetch', { ...web, ...of })).stdout).toContain('"allow"');
    const of = { parent: 'first', agent: 'general' };
    expect((await call(place, 'second', 'webfetch', { ...web, ...of })).stdout).toContain('leak');
    expect((await call(place, 'second', 'list', { ...list, ...of })).stdout).toContain('"deny"');
    expect((await call(place, 'first', 'list', { ...list, parent: null })).stdout).toContain('"allow"');
    expect((await call(place, 'second', 'list', { ...list, parent: 7 })).exit).toBe(2);
  });

  it.each<[string, (of: { path: { id: string } }) => Promise<unknown>, object]>([
    [
      'tells',
      async ({ path: { id } }) => ({ data: { agent: 'a', parentID: above[id] } }),
      { parent: 'first', agent: 'a' },
    ],
    ['never answers', () => new Promise(() => undefined), {}],
    ['fails', () => Promise.reject(new Error('no such session')), {}],
    ['names a loop of parents', async () => ({ data: { agent: 'a', parentID: 'own' } }), {}],
  ])('is asked about with no parent if opencode %s', async (_, get, found) => {
    const echo = `process.stdin.toArray().then((all) => console.log(JSON.stringify({ reason: all.join('') })))`;
    const text = pluginText({ command: [process.execPath, '-e', echo], timeout: 60 });
    const { Ambit } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const own = await Ambit({ client: { session: { get } }, directory: '/a', worktree: '/a' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer: Promise<void> = own['tool.execute.before']({ sessionID: 'own' }, { args: {} });
      const said = answer.then(null, (error: Error) => JSON.parse(error.message) as object);
      await vi.advanceTimersByTimeAsync(6000);
      expect(await said).toEqual({
        input: { sessionID: 'own' },
        args: {},
        directory: '/a',
        worktree: '/a',
        ...found,
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

const above: Readonly<Record<string, string>> = { own: 'second', second: 'first' };

describe('a sub-agent of Gemini, which names no sub-agent', () => {
  const policy = `version: 1
default: blocked
capabilities: { worker.call: pre_approved, fs.list: pre_approved }
workers:
  gemini: { capabilities: { fs.read: pre_approved, fs.delete: { decision: blocked, inherit: false } } }
  helper: { capabilities: { proc.exec: pre_approved, fs.delete: pre_approved } }
  reviewer: { capabilities: { fs.list: { decision: blocked, inherit: false } } }
`;
  type Call = readonly [string, object];
  const asking = (place: HookPlace) => {
    const tell = async (event: 'BeforeTool' | 'AfterTool', tool_name: string, tool_input: object) => {
      const input = { session_id: 's', cwd: place.project, hook_event_name: event, tool_name, tool_input };
      return (await place.answer(input, { client: 'gemini' })).stdout.includes('"allow"');
    };
    const agent = (agent_name: string): Call => ['invoke_agent', { agent_name, prompt: 'p' }];
    const calls: readonly Call[] = [
      ['read_file', { file_path: 'a.md' }],
      ['list_directory', { dir_path: '.' }],
      ['run_shell_command', { command: 'true' }],
      ['run_shell_command', { command: 'rm a.md' }],
    ];
    const permitted = async () => {
      const each = [];
      for (const call of calls) each.push(await tell('BeforeTool', ...call));
      return each;
    };
    return { tell, agent, permitted };
  };

  it('has its calls judged as its own and as those of Gemini, until it ends', async () => {
    const place = new HookPlace(policy);
    place.write('a.md', 'x');
    const { tell, agent, permitted } = asking(place);
    const alone = [true, true, false, false];
    expect(await permitted()).toEqual(alone);
    expect(await tell('BeforeTool', ...agent('helper'))).toBe(true);
    expect(await permitted()).toEqual([false, true, false, false]);
    expect(await tell('BeforeTool', ...agent('Reviewer'))).toBe(true);
    expect(await permitted()).toEqual([false, false, false, false]);
    await tell('AfterTool', ...agent('Reviewer'));
    expect(await permitted()).toEqual([false, true, false, false]);
    await tell('AfterTool', ...agent('helper'));
    expect(await permitted()).toEqual(alone);
    const chains = loggedEvents(place).flatMap(({ chain }) => (chain === undefined ? [] : [chain]));
    expect(chains).toContainEqual(['gemini', 'reviewer']);
  });

  it('has kept answers of its own, which answer no question of Gemini', async () => {
    const place = new HookPlace(
      'version: 1\ndefault: needs_approval\ncapabilities: { worker.call: pre_approved }\n',
    );
    const { tell, agent } = asking(place);
    const list = () => tell('BeforeTool', 'list_directory', { dir_path: '.' });
    await tell('BeforeTool', ...agent('helper'));
    expect(await list()).toBe(false);
    await approveForRun(place);
    expect([await list(), await list()]).toEqual([true, false]);
  });

  it('is asked about like Gemini, if that needs the own answer of a person', async () => {
    const place = new HookPlace(`version: 1
default: needs_approval
capabilities: { worker.call: pre_approved }
workers: { gemini: { capabilities: { fs.list: { decision: needs_approval, answer: person, inherit: false } } } }
`);
    const { tell, agent } = asking(place);
    await tell('BeforeTool', ...agent('helper'));
    await tell('BeforeTool', 'list_directory', { dir_path: '.' });
    const chains = loggedEvents(place).flatMap(({ chain }) => (chain === undefined ? [] : [chain]));
    expect(chains.at(-1)).toEqual(['gemini']);
  });

  it('has the outcomes of its calls, and of those that began before it', async () => {
    const place = new HookPlace(policy.replace('default: blocked', 'default: pre_approved'));
    const { tell, agent } = asking(place);
    const shell = (command: string): Call => ['run_shell_command', { command }];
    const all = [shell('ls'), agent('helper'), shell('ls .')];
    for (const call of all) await tell('BeforeTool', ...call);
    for (const call of all) await tell('AfterTool', ...call);
    const outcomes = loggedEvents(place).filter(({ event }) => event === 'outcome');
    expect(outcomes).toHaveLength(3);
  });
});

describe('the folder of a session', () => {
  it('is no longer judged once it is a link to another one', async () => {
    const place = new HookPlace('version: 1\ndefault: blocked\ncapabilities: { fs.read: pre_approved }\n');
    const read = place.call('Read', { file_path: 'passwd' });
    expect(decided(await place.answer(read))[0]).toBe('allow');
    renameSync(place.project, join(place.base, 'moved'));
    mkdirSync(join(place.base, 'other'));
    symlinkSync(join(place.base, 'other'), place.project);
    expect(decided(await place.answer(read))[0]).toBe('exit 2');
  });
});
