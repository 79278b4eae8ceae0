import { describe, expect, it } from 'vitest';
import {
  areDependent,
  type Capability,
  deferred,
  defineToolset,
  entryAuthority,
  guard,
  type Json,
  type Tool,
} from '../../src/index.js';
import { deciding, policy, ruleAbout, stage } from './stage.js';

const read = (path: string): Capability => ({ name: 'fs.read', path });
const write = (path: string): Capability => ({ name: 'fs.write', path });

/** A tool that does what it says, without arguments. */
function tool(name: string, capabilities: () => readonly Capability[], execute: Tool['execute']): Tool {
  const input = { json: {}, parse: () => ({ ok: true, value: {} }) as const };
  return { name, description: name, input, describe: () => ({ capabilities: [...capabilities()] }), execute };
}

function tools(list: readonly Tool[], policies = deciding('pre_approved')) {
  const { run, log } = stage({ policies: [policies], options: { open: true } });
  const box = guard(defineToolset({ name: 'own', tools: list }), entryAuthority(run, 'main'));
  const call = (name: string, signal?: AbortSignal) =>
    box.call({ tool: name, args: {}, ...(signal && { signal }) });
  return { run, log, call };
}

describe('a call beside another one of its run', () => {
  it('waits for it if that changes its file, and is described and judged again', async () => {
    const { promise: mayLink, resolve: link } = deferred();
    let file = '/w/l';
    const ran: string[] = [];
    const only = policy({
      rules: [
        ruleAbout('fs', { decision: 'pre_approved', below: true }),
        ruleAbout('fs.read', {
          decision: 'blocked',
          condition: ({ capability }) => capability?.path === '/w/.env',
        }),
      ],
    });
    const { call, log } = tools(
      [
        tool(
          'link',
          () => [write('/w/l')],
          async () => {
            await mayLink;
            file = '/w/.env';
            return null;
          },
        ),
        tool(
          'read',
          () => [read(file)],
          () => void ran.push(file) as unknown as Json,
        ),
      ],
      only,
    );
    const both = [call('link'), call('read')];
    await new Promise((done) => setTimeout(done));
    link();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(['completed', 'refused']);
    expect(ran).toEqual([]);
    expect(log.of('decision').map((event) => event.decision)).toEqual([
      'pre_approved',
      'pre_approved',
      'blocked',
    ]);
  });

  it('runs one at a time, however many there are', async () => {
    let [running, most, count] = [0, 0, 0];
    const { call } = tools([
      tool(
        'put',
        () => [write('/w/a')],
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((done) => setImmediate(done));
          running -= 1;
          count += 1;
          return null;
        },
      ),
    ]);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => call('put')));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect([most, count]).toEqual([1, 20]);
  });

  it('does not wait if neither changes what the other depends on', async () => {
    const { promise: both, resolve } = deferred();
    let begun = 0;
    const meet = async () => {
      begun += 1;
      if (begun === 2) resolve();
      await both;
      return null;
    };
    const { call } = tools([
      tool('one', () => [read('/w/a'), write('/w/b')], meet),
      tool('two', () => [read('/w/a'), write('/w/c')], meet),
    ]);
    const outcomes = await Promise.all([call('one'), call('two')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it.each<[Capability, boolean]>([
    [{ name: 'mcp.call' }, true],
    [{ name: 'mcp.call', read_only: false }, true],
    [{ name: 'mcp.call', read_only: 'true' }, true],
    [{ name: 'mcp.call.changed', read_only: true }, true],
    [{ name: 'fs.write', path: '/w/a', read_only: true }, true],
    [{ name: 'mcp.call', read_only: true }, false],
    [{ name: 'mcp.call.sampling', read_only: false }, false],
  ])('may change a file by %j: %s', (capability, expected) => {
    const effects = (...capabilities: readonly Capability[]) => ({ args: {}, capabilities });
    expect(areDependent(effects(capability), effects(read('/w/a')))).toBe(expected);
  });

  it('does not wait for the call that makes it, and never for one that waits for it', async () => {
    const { promise: both, resolve } = deferred();
    let begun = 0;
    const within =
      (name: string): Tool['execute'] =>
      async (_, context) => {
        begun += 1;
        if (begun === 2) resolve();
        await both;
        const { status } = await context.call(`own.${name}`, {});
        return status;
      };
    const nothing = () => null;
    const { call } = tools([
      tool('one', () => [write('/w/a')], within('touch-b')),
      tool('two', () => [write('/w/b')], within('touch-a')),
      tool('touch-a', () => [write('/w/a')], nothing),
      tool('touch-b', () => [write('/w/b')], nothing),
      tool(
        'own',
        () => [write('/w/c')],
        async (_, context) => (await context.call('own.touch-c', {})).status,
      ),
      tool('touch-c', () => [write('/w/c')], nothing),
    ]);
    const outcomes = await Promise.all([call('one'), call('two')]);
    const results = outcomes.map((outcome) => (outcome.status === 'completed' ? outcome.result : outcome));
    expect(results).toEqual(expect.arrayContaining(['completed', 'refused']));
    expect(await call('own')).toMatchObject({ status: 'completed', result: 'completed' });
  });

  it('ends when it is cancelled while it waits', async () => {
    const { promise: end, resolve } = deferred();
    const { call } = tools([
      tool(
        'put',
        () => [write('/w/a')],
        () => end.then(() => null),
      ),
    ]);
    const first = call('put');
    const aborting = new AbortController();
    const second = call('put', aborting.signal);
    await new Promise((done) => setTimeout(done));
    aborting.abort();
    expect(await second).toMatchObject({ status: 'refused', refusal: { code: 'cancelled' } });
    resolve();
    expect(await first).toMatchObject({ status: 'completed' });
  });
});
