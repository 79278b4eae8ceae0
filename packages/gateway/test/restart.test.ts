import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { listening, statelessClient, textOf } from './http/stage.js';
import { createWorld, policyOf, type World } from './world.js';

const calls = '  mcp.call: pre_approved\n';

/** A client of two servers, the first of which dies by the call `die`. */
async function opened(rules = calls, answer?: (message: string) => unknown) {
  const at = createWorld(policyOf(rules));
  const script = join(at.folder, 'server.mjs');
  copyFileSync(new URL('servers/server.mjs', import.meta.url), script);
  const [one, two] = ['one', 'two'].map((name) => at.serverAt(name, 'mortal'));
  if (one === undefined || two === undefined) throw new Error('there are two');
  const [node, , ...rest] = one.command as readonly string[];
  const first = { ...one, command: [node ?? '', script, ...rest] as const };
  const { client, said, close } = await at.open('good', answer, [first, two]);
  const call = async (name: string, text: string) =>
    textOf(await client.callTool({ name, arguments: { text } }));
  return { at, script, client, said, close, call };
}

const starts = (at: World) => at.asked().filter((line) => line.startsWith('started '));
const kill = (at: World) => {
  for (const line of starts(at)) process.kill(Number(line.split(' ')[1]), 'SIGKILL');
};
const made = (at: World) => at.asked().filter((line) => line.startsWith('tools/call ')).length;

describe('a server that has died', () => {
  it('is started again by the next call, judged and once for calls at the same time', async () => {
    const { at, client, said, close, call } = await opened();
    await client.listPrompts();
    expect(await call('one__echo', 'die')).toContain('the server has ended');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('one__echo');
    const texts = ['a', 'b', 'c'];
    expect(await Promise.all(texts.map((text) => call('one__echo', text)))).toEqual(
      texts.map((text) => `echo:${text}`),
    );
    expect(await call('one__echo', 'die')).toContain('the server has ended');
    expect((await client.getPrompt({ name: 'one__p' })).messages).toHaveLength(1);
    expect(said).toEqual([1, 2].map(() => 'one: the server had ended, and was started again'));
    expect([starts(at).length, made(at)]).toEqual([4, 5]);
    await close();
    const judged = at.log().filter(({ event, tool }) => event === 'decision' && tool === 'toolset.start');
    expect(judged).toHaveLength(4);
    for (const line of starts(at)) expect(() => process.kill(Number(line.split(' ')[1]), 0)).toThrow();
  });

  it('is not started again if its start is refused or fails, and the others go on', async () => {
    const { at, script, call } = await opened();
    await call('one__echo', 'die');
    const policy = join(at.folder, 'policy.yaml');
    for (const decision of ['blocked', 'needs_approval']) {
      writeFileSync(policy, `${policyOf(calls)}tools: { toolset.start: ${decision} }\n`);
      expect(await call('one__echo', 'a')).toMatch(/cannot be called: .*was not started again: /);
    }
    writeFileSync(policy, policyOf(calls));
    rmSync(script);
    expect(await call('one__echo', 'a')).toMatch(/cannot be called: .*was not started again: /);
    expect(await call('two__echo', 'a')).toBe('echo:a');
    expect([starts(at).length, made(at)]).toEqual([2, 2]);
  });

  it.each([true, false])('has lost a tool that changed, also before it died: %j', async (isBefore) => {
    const { at, client, said, call } = await opened(`${calls}  mcp.call.changed: pre_approved\n`);
    if (!isBefore) await call('one__echo', 'die');
    at.describeEcho('Something else.');
    expect(await call('one__echo', 'a')).toMatch(isBefore ? /changed the definition/ : /differs from/);
    at.describeEcho('Says it again.');
    expect(await call('one__danger.run', 'die')).toContain('the server has ended');
    expect(await call('one__echo', 'a')).toMatch(/cannot be called: its definition/);
    expect(said.some((line) => line.includes('pins accept'))).toBe(!isBefore);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('one__echo');
    expect([starts(at).length, made(at)]).toEqual(isBefore ? [3, 1] : [4, 2]);
  });

  it('runs no call that was approved before it died, unless it is asked about again', async () => {
    let questions = 0;
    const { at, call } = await opened('  mcp.call: needs_approval\n', () => {
      questions += 1;
      if (questions === 1) kill(at);
      return { action: 'accept', content: { decision: 'approve' } };
    });
    const names = ['one__echo', 'two__echo'];
    const said = [];
    for (const name of names) said.push(await call(name, 'a'));
    for (const name of names) said.push(await call(name, 'a'));
    const ran = said.map((text) => text === 'echo:a');
    // The gateway may call the other server before it sees that it died, too.
    expect(ran.toSpliced(1, 1)).toEqual([false, true, true]);
    expect([questions, made(at), starts(at).length]).toEqual([4, ran.filter(Boolean).length, 4]);
  });

  it('runs a call at most once on the answer of a stateless client', async () => {
    const at = await listening('  mcp.call: needs_approval\n', {}, 'mortal');
    const client = await statelessClient(at.url, () => {
      kill(at.world);
      return { action: 'accept', content: { decision: 'approve' } };
    });
    await client.callTool({ name: 'echo', arguments: { text: 'a' } }).catch(() => undefined);
    expect(at.calls().length).toBeLessThanOrEqual(1);
  });
});

describe('a server that does not start', () => {
  const statuses = async (at: World) => {
    const store = await openStore(await openStateFolder(at.environment, at.folder));
    const runs = await store.runs();
    await store.close();
    return runs.map(({ status }) => status);
  };

  it('leaves a failed run, whose log says why', async () => {
    const at = createWorld(policyOf('tools: { toolset.start: pre_approved }\n'));
    await expect(at.open('deaf')).rejects.toThrow(/the server has ended/);
    const outcomes = at.log().filter(({ event }) => event === 'outcome');
    expect(outcomes).toMatchObject([{ outcome: 'failed', error: expect.stringContaining('has ended') }]);
    expect(await statuses(at)).toEqual(['failed']);
  });

  it('leaves a run that waits for a person, if its start needs approval', async () => {
    const at = createWorld('version: 1\ndefault: needs_approval\n');
    await expect(at.open()).rejects.toThrow(/ambit approvals approve/);
    expect(await statuses(at)).toEqual(['parked']);
  });
});
