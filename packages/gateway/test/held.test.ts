import { openStateFolder, openStore, type Store, type StoredQuestion } from '@ambit/runtime';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { createWorld, policyOf, type World } from './world.js';

const asking = '  mcp.call: needs_approval\n';

async function opened(rules: string, hold: number) {
  const at = createWorld(policyOf(rules), hold);
  const each = await at.open('good');
  return { ...each, at };
}

const text = (result: object) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const calls = (at: World) => at.asked().filter((line) => line.startsWith('tools/call'));

async function inStore<T>(at: World, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(await openStateFolder(at.environment, at.folder));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const questions = (at: World) => inStore(at, (store) => store.questions());
const runs = (at: World) => inStore(at, (store) => store.runs());

async function waiting(at: World): Promise<StoredQuestion> {
  let found: StoredQuestion | undefined;
  const look = async () => {
    found = (await questions(at)).find(({ state }) => state === 'waiting');
    return found !== undefined;
  };
  await expect.poll(look, { timeout: 120_000 }).toBe(true);
  return found as StoredQuestion;
}

async function answer(at: World, { question, digest }: StoredQuestion, yes: boolean): Promise<string> {
  const given = yes
    ? ({ answer: 'approve', person: 'ada' } as const)
    : ({ answer: 'refuse', person: 'ada', note: 'no' } as const);
  return inStore(at, (store) => store.answer(question.id, { digest, answer: given, at: Date.now() }));
}

describe('a call of a client that cannot ask', () => {
  it('is held until a person approves it, reports progress, and runs once', async () => {
    const { client, said, close, at } = await opened(asking, 600_000);
    const told: Progress[] = [];
    const calling = client.callTool({ name: 'echo', arguments: { text: 'a' } }, undefined, {
      onprogress: (each) => void told.push(each),
    });
    const question = await waiting(at);
    expect(calls(at)).toEqual([]);
    expect(await answer(at, question, true)).toBe('taken');
    expect(text(await calling)).toBe('echo:a');
    expect(told[0]?.message).toBe(`waits for a person: ambit approvals approve ${question.question.id}`);
    expect(told.at(-1)?.progress).toBeGreaterThanOrEqual(1);
    expect(said.join('\n')).toContain(question.question.id);
    expect(calls(at)).toHaveLength(1);
    await close();
    expect(
      at
        .log()
        .filter(({ event }) => event === 'approval')
        .map(({ how, approved }) => [how, approved]),
    ).toEqual([['person', true]]);
  });

  it('is refused if the person refuses it, and sends no progress without a token', async () => {
    const { client, at } = await opened(asking, 600_000);
    const calling = client.callTool({ name: 'echo', arguments: { text: 'a' } });
    await answer(at, await waiting(at), false);
    expect((await calling).isError).toBe(true);
    expect(calls(at)).toEqual([]);
  });

  it('withdraws its question if the client cancels it', async () => {
    const { client, at } = await opened(asking, 600_000);
    const giving = new AbortController();
    const calling = client.callTool({ name: 'echo', arguments: { text: 'a' } }, undefined, {
      signal: giving.signal,
    });
    const question = await waiting(at);
    giving.abort();
    await expect(calling).rejects.toThrow();
    const state = async () => (await questions(at))[0]?.state;
    await expect.poll(state, { timeout: 120_000 }).toBe('withdrawn');
    expect(await answer(at, question, true)).toBe('withdrawn');
    expect(calls(at)).toEqual([]);
  });

  it('takes its question along when the session ends, whose run is then finished', async () => {
    const { client, close, at } = await opened(asking, 0);
    const refused = await client.callTool({ name: 'echo', arguments: { text: 'a' } });
    expect(text(refused)).toMatch(/ambit approvals approve/);
    const found = async () => [(await questions(at))[0]?.state, (await runs(at))[0]?.status];
    expect(await found()).toEqual(['waiting', 'running']);
    await close();
    expect(await found()).toEqual(['withdrawn', 'finished']);
  });

  it.skipIf(!isDeep)(
    'is refused with a message when no answer comes in time, and does not block other calls',
    async () => {
      const rules = [
        '  mcp.call:',
        '    - { decision: needs_approval, match: { tool: danger.run } }',
        '    - { decision: pre_approved, match: { tool: echo } }',
      ];
      const { client, at } = await opened(`${rules.join('\n')}\n`, 3_000);
      const held = client.callTool({ name: 'danger.run', arguments: {} });
      await waiting(at);
      expect(text(await client.callTool({ name: 'echo', arguments: { text: 'a' } }))).toBe('echo:a');
      expect(text(await held)).toMatch(/ambit approvals approve/);
      expect(calls(at)).toHaveLength(1);
    },
  );
});

describe('the list of tools', () => {
  const names = async (rules: string) =>
    (await (await opened(rules, 0)).client.listTools()).tools.map(({ name }) => name);

  it.each([
    [
      'omits tools that a rule blocks',
      '  mcp.call:\n    - pre_approved\n    - { decision: blocked, match: { tool: echo } }\n',
      ['danger.run'],
    ],
    ['shows tools that need approval', asking, ['echo', 'danger.run']],
    [
      'shows tools whose decision depends on a fact of the arguments',
      '  mcp.call: pre_approved\n  fs.write: blocked\n',
      ['echo', 'danger.run'],
    ],
    [
      'shows tools that a rule blocks only for some arguments',
      '  mcp.call:\n    - pre_approved\n    - { decision: blocked, when: { missing: [args.text] } }\n',
      ['echo', 'danger.run'],
    ],
    ['is empty if no tool is permitted', '', []],
  ])('%s', async (_, rules, shown) => {
    expect(await names(rules)).toEqual(shown);
  });

  it('does not decide: a call of an omitted tool is judged', async () => {
    const { client, close, at } = await opened('', 0);
    expect((await client.listTools()).tools).toEqual([]);
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'a' } }))).toMatch(
      /^BLOCKED by policy/,
    );
    await close();
    expect(at.log().filter(({ tool }) => tool === 'mcp-tricky.echo')).toHaveLength(1);
  });
});

describe('a start of a server that needs approval', () => {
  const rules = `${policyOf('  mcp.call: pre_approved\n')}tools:\n  toolset.start: needs_approval\n`;
  const toApprove = /needs approval.*ambit approvals approve.*`tools: \{ toolset\.start: pre_approved \}`/;

  it('runs once, in the next gateway, and in the session of the question', async () => {
    const at = createWorld(rules);
    await expect(at.open()).rejects.toThrow(toApprove);
    expect(at.asked()).toEqual([]);
    await expect(at.open()).rejects.toThrow(toApprove);
    const question = await waiting(at);
    expect(await answer(at, question, true)).toBe('taken');
    // The process that asked has ended.
    await inStore(at, (store) => store.resume(question.run, { pid: 1, at: 0 }));
    const { client, close } = await at.open();
    const asked = (await runs(at)).find(({ id }) => id === question.run);
    expect([asked?.status, asked?.pid]).toEqual(['running', process.pid]);
    expect(text(await client.callTool({ name: 'echo', arguments: { text: 'a' } }))).toBe('echo:a');
    // It is used by this gateway.
    await expect(at.open()).rejects.toThrow(toApprove);
    await close();
    const [approved] = at.log().filter(({ event }) => event === 'approval');
    const [called] = at.log().filter(({ tool }) => tool === 'mcp-tricky.echo');
    expect([approved?.approved, called?.run]).toEqual([true, approved?.run]);
    await expect(at.open()).rejects.toThrow(toApprove);
  });

  it('is refused if another server is started, or the person refused it', async () => {
    const at = createWorld(rules);
    await expect(at.open()).rejects.toThrow(toApprove);
    await answer(at, await waiting(at), true);
    await expect(at.open('full')).rejects.toThrow(toApprove);
    const other = createWorld(rules);
    await expect(other.open()).rejects.toThrow(toApprove);
    await answer(other, await waiting(other), false);
    await expect(other.open()).rejects.toThrow(/no/);
  });
});
