import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
