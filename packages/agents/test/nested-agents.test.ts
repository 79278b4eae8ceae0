import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { pluginText } from '../src/install/opencode-plugin.js';
import { decided, HookPlace } from './place.js';

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
