import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endpoint, say, use } from '../converse/messages-endpoint.js';
import { callsIn, entriesOf, type Files, out, runAt, sessionAt, worker, workplace } from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { fs: 'needs_approval' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
};

const usage = { input_tokens: 10, output_tokens: 5 };
const message = (content: readonly JsonObject[], stop: string | null): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
});

/** A turn with one call, whose arguments are written so. */
const writing = (text: string) => (response: ServerResponse) => {
  const block = { type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {} };
  events(response, [
    { type: 'message_start', message: message([], null) },
    { type: 'content_block_start', index: 0, content_block: block },
    // In two pieces, as they come.
    ...[text.slice(0, 5), text.slice(5)].map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
};

function events(response: ServerResponse, list: readonly (JsonObject & { readonly type: string })[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

const whole = (answer: JsonObject) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));

describe('arguments that a model writes', () => {
  it('are used as written', async () => {
    const { options } = await endpoint([writing('{"path": "out/a", "content": "x"}')]);
    const place = workplace(files);
    await runAt(place, { ...options, mode: 'approve_all' });
    expect(place.text('out/a')).toBe('x');
  });

  it.each([
    ['that are incomplete', '{"path": "out/a", "content": "x"'],
    ['that break off after the required keys', '{"path": "out/a", "content": "x", "more": tr'],
    ['followed by other text', '{"path": "out/a", "content": "x"} and so on'],
    ['with an extra brace', '{"path": "out/a", "content": "x"}}'],
    ['that are not JSON', 'path: out/a'],
    ['that are a list', '["out/a", "x"]'],
  ])('%s execute nothing, and the model is told', async (_, text) => {
    const { asked, options } = await endpoint([writing(text), say('went on')]);
    const place = workplace(files);
    const { output, events: log } = await runAt(place, { ...options, mode: 'approve_all' });
    expect([output, place.text('out/a')]).toEqual(['went on', null]);
    expect(callsIn(log)).toEqual([['main', 'filesystem.write_file', null, 'bad_input']]);
    // The API accepts only an object as arguments.
    expect(asked[1]?.messages.at(-2)?.content).toMatchObject([{ type: 'tool_use', input: {} }]);
    expect(asked[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true }]);
  });
});

describe('an answer of a model', () => {
  it('may arrive as a whole although a stream was requested', async () => {
    const { asked, options } = await endpoint([
      whole(message(use(['write_file', { path: 'out/a', content: 'x' }]).content, 'tool_use')),
      whole(message([{ type: 'text', text: 'done' }], 'end_turn')),
    ]);
    const place = workplace(files);
    const texts: string[] = [];
    const session = await sessionAt(place, {
      ...options,
      mode: 'approve_all',
      onEvent: (event) => void (event.type === 'model_text' && texts.push(event.text)),
    });
    const { status, output, totals } = await session.run({});
    await session.close();
    expect([status, output, place.text('out/a'), texts]).toEqual(['finished', 'done', 'x', ['done']]);
    expect([totals.tokens, asked.length]).toEqual([{ input: 20, output: 10 }, 2]);
  });

  it.each<readonly [string, string | null, string]>([
    ['is too long', 'max_tokens', "the model's answer was cut at 16000 tokens"],
    [
      'exceeds the context window',
      'model_context_window_exceeded',
      "the model's answer was cut: its context is full",
    ],
    ['has no stop reason', null, "the model's answer ended before it was finished"],
  ])('fails the run without calls if it %s', async (_, stop, why) => {
    const { content } = use(['write_file', { path: 'out/a', content: 'x' }]);
    const { options } = await endpoint([whole(message(content, stop))]);
    const place = workplace(files);
    const result = await runAt(place, { ...options, mode: 'approve_all' });
    expect([result.status, result.why, place.text('out/a')]).toEqual(['failed', why, null]);
  });

  it.each<[string, readonly unknown[], string]>([
    [
      'a call without a name',
      [{ type: 'tool_use', id: 'a', input: {} }],
      'a call of it has no id or no name',
    ],
    [
      'a call with a name that is not text',
      [{ type: 'tool_use', id: 'a', name: 7, input: {} }],
      'a call of it has no id or no name',
    ],
    [
      'a call without an id',
      [{ type: 'tool_use', name: 'write_file', input: {} }],
      'a call of it has no id or no name',
    ],
    ['text in place of a part', ['done'], 'a part of it has no type'],
    ['null in place of a part', [null], 'a part of it has no type'],
    ['a text without text', [{ type: 'text' }], 'a text of it has no text'],
  ])('is unusable with %s, and the log is not blamed', async (_, content, problem) => {
    const { options } = await endpoint([whole(message(content as readonly JsonObject[], 'tool_use'))]);
    const { status, why } = await runAt(workplace(files), options);
    expect([status, why]).toEqual(['failed', `the model's answer cannot be used: ${problem}`]);
  });

  it.each([
    ['less than nothing', { input_tokens: 10, output_tokens: -5 }],
    ['no token counts', { input_tokens: 'few', output_tokens: '1' }],
    ['parts of tokens', { input_tokens: 0.5, output_tokens: 0.5 }],
  ])('exceeds any budget of tokens if it reports %s', async (_, said) => {
    const answer = message([{ type: 'text', text: 'done' }], 'end_turn');
    const { options } = await endpoint([whole({ ...answer, usage: said })]);
    const { status, why } = await runAt(workplace(files), { ...options, budget: { tokens: 1_000_000 } });
    expect([status, why]).toEqual(['stopped', expect.stringContaining('over budget')]);
  });

  it.each<[string, JsonObject, string]>([
    [
      'an error',
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      'the model does not answer: busy',
    ],
    ['anything else', { ok: true }, "the model's answer ended before it was finished"],
  ])('is rejected if it is JSON with %s', async (_, answer, problem) => {
    const { options } = await endpoint([whole(answer)]);
    const { status, why } = await runAt(workplace(files), options);
    expect([status, why]).toEqual(['failed', problem]);
  });

  it('is not used if it ends too early, even with complete calls', async () => {
    const { options } = await endpoint([
      (response) =>
        events(response, [
          { type: 'message_start', message: message([], null) },
          {
            type: 'content_block_start',
            index: 0,
            content_block: use(['write_file', { path: 'out/a', content: 'x' }]).content[0] ?? {},
          },
          { type: 'content_block_stop', index: 0 },
        ]),
    ]);
    const place = workplace(files);
    const { status, why } = await runAt(place, { ...options, mode: 'approve_all' });
    expect([status, why, place.text('out/a')]).toEqual([
      'failed',
      "the model's answer ended before it was finished",
      null,
    ]);
  });

  it('is awaited without output of the SDK', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const { asked, options } = await endpoint([say('done')]);
    await runAt(workplace(files), { ...options, model: 'anthropic:claude-sonnet-4-5' });
    expect([asked[0]?.model, printed.mock.calls]).toEqual(['claude-sonnet-4-5', []]);
  });

  it('stops the run as over budget if the budget cut it', async () => {
    const { options } = await endpoint([{ ...say('half of'), stop: 'max_tokens' }]);
    const session = await sessionAt(workplace(files), { ...options, budget: { tokens: 100 } });
    const { status, why } = await session.run({});
    await session.close();
    expect([status, why]).toEqual([
      'stopped',
      'over budget: the run may use 100 tokens, and an answer was cut at the 100 that were left',
    ]);
    expect((await entriesOf(session.log)).at(-1)).toMatchObject({ event: 'end', status: 'stopped', why });
  });

  it.each(['max_tokens', 'refusal'])('is requested again on resuming if it ended with %s', async (stop) => {
    const { asked, options } = await endpoint([{ ...say('half of'), stop }, say('all of it')]);
    const place = workplace(files);
    const session = await sessionAt(place, options);
    expect(await session.run({ input: 'go' })).toMatchObject({ status: 'failed' });
    await session.close();
    const { status, output, totals } = await runAt(place, { ...options, resume: session.id });
    expect([status, output, totals.tokens]).toEqual(['finished', 'all of it', { input: 20, output: 10 }]);
    expect(asked[1]?.messages).toEqual(asked[0]?.messages);
  });

  it('is reported with its worker and the cause if it is missing', async () => {
    const { options } = await endpoint([]);
    const environment = { ...options.environment, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const { status, why } = await runAt(workplace(files), { ...options, environment });
    expect([status, why]).toEqual([
      'failed',
      expect.stringMatching(/^the model does not answer: Connection error: .*(bad port|ECONNREFUSED)/),
    ]);
  });
});
