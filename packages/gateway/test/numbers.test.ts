import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { runGateway } from '../src/gateway.js';
import { call, echoOnly, initialize, listening, stateless } from './http/stage.js';

const numbers = '"structuredContent":{"n":[9007199254740993,1e999],"t":"9007199254740993"}';

/** A gateway over HTTP before a server that answers with such numbers, and one on standard input before that. */
it('passes the numbers of a result on as the server wrote them, over HTTP and on standard output', async () => {
  const { url, world, post } = await listening(echoOnly, {}, 'numbers');
  const session = String((await post(initialize)).headers['mcp-session-id']);
  const { text } = await post(call(1, 'echo', { text: 'a' }), { 'mcp-session-id': session });
  expect(text).toContain(numbers);
  const [message, headers] = stateless({
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'a' } },
  });
  expect((await post(message, headers)).text).toContain(numbers);
  const command = { transport: 'http', url, headers: {} } as const;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { servers, ...options } = world.options('numbers', new AbortController().signal);
  const ended = runGateway({
    ...options,
    servers: [{ ...servers[0], command }],
    stdin: input,
    stdout: output,
  });
  onTestFinished(() => {
    input.end();
    return ended.catch(() => undefined);
  });
  for (const each of [initialize, call(1, 'echo', { text: 'a' })]) input.write(`${JSON.stringify(each)}\n`);
  let wrote = '';
  output.on('data', (chunk: Buffer) => {
    wrote += chunk.toString();
  });
  await expect.poll(() => wrote, { timeout: 60_000 }).toContain('"id":1');
  input.end();
  await ended;
  expect(wrote).toContain(numbers);
});
