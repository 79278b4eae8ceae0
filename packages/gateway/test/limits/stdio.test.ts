import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { ClientTransport, longestLine } from '../../src/client-transport.js';
import { runGateway } from '../../src/gateway.js';
import { initialize, stateless } from '../http/stage.js';
import { createWorld, policyOf } from '../world.js';
import { started as startedProgram } from './program.js';

const calls = '  mcp.call: { decision: pre_approved, match: { tool: echo } }\n';

/** A gateway before a server in one of its modes, with the answers that it wrote. */
function started(mode: string) {
  const at = createWorld(policyOf(calls));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stopping = new AbortController();
  const ended = runGateway({
    ...at.options(mode, stopping.signal),
    stdin: input,
    stdout: output,
  });
  onTestFinished(async () => {
    stopping.abort();
    await ended.catch(() => undefined);
  });
  let wrote = '';
  output.on('data', (chunk: Buffer) => {
    wrote += chunk.toString();
  });
  const answers = () => wrote.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return {
    ended,
    stop: () => stopping.abort(),
    unread: () => input.readableLength + input.writableLength,
    end: () => void input.end(),
    write: (text: string) => void input.write(text),
    send: (...lines: unknown[]) => input.write(lines.map((each) => `${JSON.stringify(each)}\n`).join('')),
    /** The id and the error's code or the text of each answer, once there are so many. */
    async answered(count: number) {
      await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(count);
      return answers().map(({ id, error, result }) => [id, error?.code ?? result?.content?.[0].text ?? 'ok']);
    },
    called: () => at.asked().filter((line) => line.startsWith('tools/call')).length,
  };
}

const call = (id: unknown, text = 'a') => {
  const [request] = stateless({ method: 'tools/call', params: { name: 'echo', arguments: { text } } });
  return { ...request, id };
};
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('a client on standard input and output', () => {
  it('gets an error for each request of a batch, and none of them runs', async () => {
    const at = started('good');
    at.send(initialize, 'no message', [call(1), cancel(1), call('two'), { ...call(3), method: 7 }], [], {
      ...call(4),
      params: 7,
    });
    const refused = [null, 1, 'two', null, 4].map((id) => [id, -32600]);
    expect((await at.answered(6)).filter(([id]) => id !== 0)).toEqual(refused);
    at.send(call(1));
    expect((await at.answered(7)).at(-1)).toEqual([1, 'echo:a']);
    expect(at.called()).toBe(1);
  });

  it.each([
    ['with sessions', [initialize]],
    ['without sessions', []],
  ])('has one running request of an id, %s', async (_, opening) => {
    const at = started('hang');
    at.send(...opening, call(7), call('7', 'b'));
    await expect.poll(at.called, { timeout: 60_000 }).toBe(2);
    // No error has the id of a request that runs: the client would take it for the answer.
    at.send(call(7, 'c'), [call('7')], cancel(7), call(7, 'd'));
    await expect.poll(at.called, { timeout: 60_000 }).toBe(3);
    const begun = opening.map(() => [0, 'ok']);
    const refused = [null, null].map((id) => [id, -32600]);
    expect(await at.answered(begun.length + 2)).toEqual([...begun, ...refused]);
  });

  it('is told of a line that is too long, and the next one is served', async () => {
    const at = started('good');
    at.send(initialize);
    const { id, ...rest } = call('two');
    at.write(`{"jsonrpc":"2.0","id":1,"x":"${'x'.repeat(longestLine)}`);
    at.write('"}\n');
    at.write(`${JSON.stringify({ ...rest, filler: 'x'.repeat(longestLine), id })}\n`);
    at.write(`{"id":3,"x":"${'x'.repeat(longestLine)}"}\n${JSON.stringify(call(4))}\n`);
    expect((await at.answered(5)).filter(([id]) => id !== 0)).toEqual([
      [1, -32600],
      ['two', -32600],
      [null, -32600],
      [4, 'echo:a'],
    ]);
  });

  it('has at most 64 MB of unanswered requests', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = new ClientTransport(input, output, () => undefined);
    const taken: unknown[] = [];
    transport.onmessage = (message) => void ('id' in message && taken.push(message.id));
    await transport.start();
    transport.opened();
    const long = 'x'.repeat(longestLine - 1_000);
    const calls = [1, 2, 3, 4, 5, 6, 7].map((id) => call(id, long));
    for (const each of [...calls, cancel(1), call(8, long), call(9, long)])
      input.write(`${JSON.stringify(each)}\n`);
    input.end();
    await once(input, 'end');
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 8]);
    const refused = output
      .read()
      .toString()
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(refused).toMatchObject([7, 9].map((id) => ({ id, error: { code: -32600 } })));
  });

  it('is told of a number that would be sent as another one', async () => {
    const at = started('good');
    const text = JSON.stringify(call(1));
    at.send(initialize);
    for (const number of ['9007199254740993', '-1e999']) at.write(`${text.replace('"a"', number)}\n`);
    at.send(call(2, `9007199254740993\\" 9007199254740993`));
    expect((await at.answered(4)).filter(([id]) => id !== 0)).toEqual([
      [1, -32600],
      [1, -32600],
      [2, `echo:9007199254740993\\" 9007199254740993`],
    ]);
    expect(at.called()).toBe(1);
  });

  it('cancels a question by an answer with such a number', async () => {
    const at = started('asks');
    const params = { ...initialize.params, capabilities: { elicitation: {} } };
    at.send({ ...initialize, params }, call(1));
    await at.answered(2);
    at.write('{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":9007199254740993}}}\n');
    expect((await at.answered(3)).at(-1)).toEqual([1, '{"action":"cancel"}']);
  });

  it.each([
    ['with sessions', [initialize]],
    ['without sessions', []],
  ])('gets all answers if it ends its input at once, %s', async (_, opening) => {
    const at = started('good');
    at.send(...opening, call(1), call(2, 'b'));
    at.end();
    await at.ended;
    const begun = opening.map(() => [0, 'ok']);
    expect(await at.answered(begun.length + 2)).toEqual([...begun, [1, 'echo:a'], [2, 'echo:b']]);
  });

  it.skipIf(!isDeep).each([
    ['without a message', []],
    ['after its first message', [initialize]],
  ])(
    'ends a gateway whose server is silent, %s',
    async (_, opening) => {
      const at = started('hung');
      at.send(...opening);
      at.end();
      // A minute would be over after the time limit of this test.
      await at.ended;
    },
    50_000,
  );

  it('waits with more than a long line until its servers run', async () => {
    const at = started('hung');
    const line = `${JSON.stringify(call(1, 'x'.repeat(1_000_000)))}\n`;
    for (let count = 0; count < 30; count += 1) at.write(line);
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(at.unread()).toBeGreaterThan(15_000_000);
    at.stop();
    await at.ended.catch(() => undefined);
  });

  it.skipIf(!isDeep)('ends the gateway if it does not read its answers', async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error) => void (name === 'MaxListenersExceededWarning' && warnings.push(name));
    process.on('warning', warn);
    const at = createWorld(policyOf(calls));
    const [input, output] = [new PassThrough(), new PassThrough()];
    const options = at.options('big', new AbortController().signal);
    const ended = runGateway({ ...options, stdin: input, stdout: output });
    const lines = [initialize, ...Array.from({ length: 20 }, (_, id) => call(id + 1))];
    input.write(lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await ended;
    process.off('warning', warn);
    expect([options.said, warnings]).toEqual([
      ['the client does not read its answers, so the gateway ends'],
      [],
    ]);
    // So does the program itself.
    const program = await startedProgram('big');
    for (let id = 1; id <= 20; id += 1)
      program.send(id, 'tools/call', { name: 'echo', arguments: { text: 'a' } });
    await program.ended;
  });

  it.skipIf(!isDeep)('gets all answers if it reads them late', async () => {
    const program = await startedProgram('big');
    for (const id of [1, 2]) program.send(id, 'tools/call', { name: 'echo', arguments: { text: 'a' } });
    const isAnswered = () => program.world.log().filter(({ event }) => event === 'outcome').length >= 3;
    await expect.poll(isAnswered, { timeout: 60_000 }).toBe(true);
    program.child.stdin?.end();
    // Longer than the program waits after a signal. A slow machine makes this no stricter.
    await setTimeout(3_000);
    program.read();
    await program.ended;
    expect([...program.answers.keys()]).toEqual([0, 1, 2]);
  });
});
