import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KeptCalls } from '../../src/stateless/kept-calls.js';
import { asks, listening, stateless, statelessClient, textOf } from './stage.js';

const calls = '  mcp.call: pre_approved\n';
const sampling = `${calls}  mcp.call.sampling: pre_approved\n`;
const script = new URL('../servers/stateless.mjs', import.meta.url).pathname;
const elicits = { elicitation: {} };
const said = { action: 'accept', content: { city: 'Oslo' } };
const echo = (text: string, more: object = {}) => ({
  method: 'tools/call',
  params: { name: 'echo', arguments: { text }, ...more },
});

/** A gateway before a server of the stateless revision. */
async function beforeStateless(rules: string) {
  return listening(rules, {}, 'stateless', (record) => [process.execPath, script, record]);
}

describe('a question of a server to a client without sessions', () => {
  it('ends the request of a session server, and its answer continues the same call', async () => {
    const at = await listening(calls, {}, 'asks');
    const questions: string[] = [];
    const client = await statelessClient(at.url, (message) => {
      questions.push(message);
      return said;
    });
    const call = (text: string) => client.callTool({ name: 'echo', arguments: { text } });
    expect(JSON.parse(textOf(await call('Which city?')))).toEqual(said);
    expect(questions).toEqual(['The MCP server tricky asks (not Ambit): Which city?']);
    expect(JSON.parse(textOf(await call('Your password?')))).toEqual({ action: 'cancel' });
    expect(questions).toHaveLength(1);
    expect(at.calls()).toHaveLength(2);
    const decisions = at.world
      .log()
      .filter(({ event, tool }) => event === 'decision' && typeof tool === 'string' && tool.includes('echo'));
    expect(decisions).toHaveLength(2);
  });

  it('is asked in the same way for a stateless server, and sampling if a rule permits it', async () => {
    const at = await beforeStateless(sampling);
    const model = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } };
    const client = await statelessClient(
      at.url,
      () => said,
      () => model,
    );
    const call = async (name: string) =>
      JSON.parse(textOf(await client.callTool({ name, arguments: { text: 'hi' } })));
    expect(await call('city')).toEqual([said, 'state of city']);
    expect(await call('secret')).toEqual([{ action: 'cancel' }, 'state of secret']);
    expect((await call('model'))[0]).toEqual(model);
  });

  it('is cancelled if the client cannot be asked; sampling without a rule is refused', async () => {
    const at = await beforeStateless(calls);
    const call = async (
      name: string,
      ...answers: Parameters<typeof statelessClient> extends [string, ...infer R] ? R : never
    ) => {
      const client = await statelessClient(at.url, ...answers);
      return textOf(await client.callTool({ name, arguments: { text: 'hi' } }));
    };
    expect(JSON.parse(await call('city'))[0]).toEqual({ action: 'cancel' });
    const model = call('model', undefined, () => ({ model: 'm' }));
    await expect(model).rejects.toThrow('the request was refused');
  });

  it('accepts one answer, for the same arguments, and not as a yes to our question', async () => {
    const at = await listening(asks, {}, 'asks');
    const send = async (message: ReturnType<typeof echo>) =>
      (await at.post(...stateless(message, elicits))).message;
    type Asks = { requestState: string; inputRequests: Record<string, { params: { message: string } }> };
    const ours = (await send(echo('Where?'))).result as Asks;
    expect(Object.keys(ours.inputRequests)).toEqual(['approval']);
    const yes = { action: 'accept', content: { decision: 'approve' } };
    const answer = (to: Asks, inputResponses: object) => ({ inputResponses, requestState: to.requestState });
    const theirs = (await send(echo('Where?', answer(ours, { approval: yes })))).result as Asks;
    expect(theirs.inputRequests.question?.params.message).toMatch(
      /^The MCP server tricky asks \(not Ambit\)/,
    );
    expect(at.calls()).toHaveLength(1);
    const other = await send(echo('There?', answer(theirs, { question: said })));
    expect(other.error?.code).toBe(-32602);
    const both = { question: said, approval: yes };
    const tries = await Promise.all([1, 2, 3].map(() => send(echo('Where?', answer(theirs, both)))));
    const taken = tries.flatMap(({ result }) => (result === undefined ? [] : [textOf(result)]));
    expect(taken.map((text) => JSON.parse(text))).toEqual([said]);
    expect((await send(echo('Where?', answer(theirs, both)))).error?.code).toBe(-32602);
    expect(at.calls()).toHaveLength(1);
  });

  it('ends if the client disconnects while it waits for the result', async () => {
    const at = await listening(calls, {}, 'hang');
    const client = await statelessClient(at.url, () => said);
    const leaving = new AbortController();
    const call = client.callTool({ name: 'echo', arguments: { text: 'a' } }, { signal: leaving.signal });
    call.catch(() => undefined);
    await expect.poll(() => at.calls().length, { timeout: 60_000 }).toBe(1);
    leaving.abort();
    const cancelled = () => at.world.asked().some((line) => line.startsWith('notifications/cancelled'));
    await expect.poll(cancelled, { timeout: 60_000 }).toBe(true);
  });
});

describe('kept calls', () => {
  const question = (message: string) => ({ method: 'elicitation/create' as const, params: { message } });
  const leg = () => ({ signal: new AbortController().signal });
  const never = new AbortController().signal;

  it('are cancelled without an answer in time, and their pending questions get none', async () => {
    const kept = new KeptCalls(20);
    let isOver = false;
    const answers: Promise<JsonObject | null>[] = [];
    const outcome = await kept.run(leg(), async ({ signal }) => {
      answers.push(kept.ask(question('1'), never), kept.ask(question('2'), never));
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      isOver = true;
      return {};
    });
    expect(outcome).toMatchObject({ question: { params: { message: '1' } } });
    expect(await Promise.all(answers)).toEqual([null, null]);
    expect(isOver).toBe(true);
    expect('question' in outcome && kept.take(outcome.question.id)).toBe(null);
  });

  it('are limited in number: a new one replaces the oldest', async () => {
    const kept = new KeptCalls();
    const ended: number[] = [];
    for (let call = 0; call < 51; call += 1)
      await kept.run(leg(), async ({ signal }) => {
        signal.addEventListener('abort', () => ended.push(call), { once: true });
        await kept.ask(question(`${call}`), new AbortController().signal);
        return new Promise<JsonObject>(() => undefined);
      });
    expect(ended).toEqual([0]);
  });

  it('are not kept by the time limit of a question after its answer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const kept = new KeptCalls();
    const asked = async () => ({ answer: await kept.ask(question('1'), never) });
    const outcome = await kept.run(leg(), asked);
    if (!('question' in outcome)) throw new Error('it asks');
    expect(vi.getTimerCount()).toBe(1);
    await kept.take(outcome.question.id)?.({}, leg());
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ask one question after another, and return the result after all answers', async () => {
    const kept = new KeptCalls();
    const run = async () => {
      const [one, two] = await Promise.all(['1', '2'].map((each) => kept.ask(question(each), never)));
      return { one, two } as JsonObject;
    };
    let outcome = await kept.run(leg(), run);
    for (const answer of ['a', 'b']) {
      if (!('question' in outcome)) throw new Error('it asks');
      const goOn = kept.take(outcome.question.id);
      expect(kept.take(outcome.question.id)).toBe(null);
      await wait(1);
      outcome = (await goOn?.({ answer }, leg())) ?? outcome;
    }
    expect(outcome).toEqual({ result: { one: { answer: 'a' }, two: { answer: 'b' } } });
    expect(await kept.ask(question('3'), never)).toBe(null);
  });
});
