import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { asking, callsIn, type Files, out, reasonsIn, runAt, worker, workplace } from '../session.js';
import { type Asked, endpoint, say, use } from './messages-endpoint.js';

const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'fs.list': 'pre_approved',
      'fs.read': 'pre_approved',
      'worker.call': 'pre_approved',
      'data.share': 'pre_approved',
      'content.untrusted': 'pre_approved',
      'fs.delete': {
        id: 'keep',
        decision: 'blocked',
        reason: 'nothing is deleted here',
        instead: 'move it to out/old',
      },
    },
  },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, helper: {} } }, 'You are main.'),
  'helper.worker': worker({}, 'You are the helper.'),
  'out/a.txt': 'alpha',
};

/** What the model was told about its calls, in its own order. */
function resultsIn(asked: Asked | undefined) {
  return (asked?.messages.at(-1)?.content ?? []).map(({ tool_use_id, is_error = false, content }) => [
    tool_use_id,
    is_error,
    content,
  ]);
}

describe('a model', () => {
  it('is asked in well-formed text, whatever it and its tools said', async () => {
    const { asked, options } = await endpoint([use(['read_file', { path: 'out/\ud83d' }]), say('done')]);
    const result = await runAt(workplace(files), options, { input: 'go \udc00' });
    expect([result.status, result.output]).toEqual(['finished', 'done']);
    const said = asked.map(({ messages }) => JSON.stringify(messages));
    expect(said.filter((text) => /\\ud[89a-f]/.test(text))).toEqual([]);
    expect(said.at(-1)).toContain('out/\ufffd');
  });

  it('gets its instructions, its tools and the user’s input', async () => {
    const { asked, options } = await endpoint([say('done')]);
    const result = await runAt(workplace(files), options, { input: 'go', attachments: ['out/a.txt'] });
    expect(asked).toMatchObject([
      {
        model: 'a-model',
        system: 'You are main.',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', title: 'a.txt', source: { type: 'text', data: 'alpha' } },
              { type: 'text', text: 'go' },
            ],
          },
        ],
      },
    ]);
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual([
      'read_file',
      'read_bytes',
      'search_files',
      'list_files',
      'write_file',
      'edit_file',
      'copy_file',
      'move_file',
      'delete_file',
      'helper',
    ]);
    expect(result.totals.tokens).toEqual({ input: 10, output: 5 });
  });

  it('gets results in the order of calls, and the reason and alternative of a refusal', async () => {
    const { asked, options } = await endpoint([
      use(
        ['delete_file', { path: 'out/a.txt' }],
        ['write_file', { path: 'out/b.txt', content: 'b' }],
        ['read_file', { path: 'out/gone.txt' }],
        ['no_such_tool', {}],
        ['write_file', { path: 7 }],
        ['read_file', { path: 'out/a.txt' }],
      ),
    ]);
    const { events, why } = await runAt(workplace(files), options);
    expect(why).toBe(null);
    const told = resultsIn(asked[1]);
    expect(told.map(([id, isError]) => [id, isError])).toEqual([
      ['toolu_delete_file_0', true],
      ['toolu_write_file_1', true],
      ['toolu_read_file_2', true],
      ['toolu_no_such_tool_3', true],
      ['toolu_write_file_4', true],
      ['toolu_read_file_5', false],
    ]);
    expect(told.map(([, , content]) => content)).toEqual([
      expect.stringMatching(
        /^refused \(blocked\): nothing is deleted here\nrule: keep \(.*policy\.yaml:\d+:\d+\)\ninstead: move it to out\/old$/,
      ),
      expect.stringMatching(/^refused \(strict\): fs\.write needs approval/),
      'refused (cannot): `out/gone.txt` does not exist',
      'refused (unknown_tool): there is no tool `no_such_tool`; the tools are read_file, read_bytes, search_files, list_files, write_file, edit_file, copy_file, move_file, delete_file, helper',
      expect.stringMatching(/^refused \(bad_input\): /),
      expect.stringContaining('alpha'),
    ]);
    expect(
      callsIn(events)
        .map(([, , , came]) => `${came}`)
        .sort(),
    ).toEqual(['bad_input', 'blocked', 'cannot', 'completed', 'strict', 'unknown_tool']);
  });

  it('learns how a person edited its arguments', async () => {
    const { asked, options } = await endpoint([use(['write_file', { path: 'out/b.txt', content: 'b' }])]);
    const args = { path: 'out/b.txt', content: 'edited' };
    const { approver } = asking(() => ({ answer: 'approve', person: 'ada', args }));
    await runAt(workplace(files), { ...options, mode: 'interactive', approver });
    expect(resultsIn(asked[1])[0]?.[2]).toContain(
      `A person edited the arguments of this call before it ran: ${JSON.stringify(args)}`,
    );
  });

  it('learns of the edit even if the call is refused', async () => {
    const { asked, options } = await endpoint([use(['write_file', { path: 'out/b.txt', content: 'b' }])]);
    const args = { path: 'elsewhere/b.txt', content: 'edited' };
    const { approver } = asking(() => ({ answer: 'approve', person: 'ada', args }));
    await runAt(workplace(files), { ...options, mode: 'interactive', approver });
    expect(resultsIn(asked[1])[0]?.[2]).toMatch(
      new RegExp(
        `^A person edited the arguments of this call: ${JSON.stringify(args)}\n\nrefused \\(cannot\\): `,
      ),
    );
  });

  it('gets its caller’s files, and returns its answer to the caller', async () => {
    const { asked, options } = await endpoint([
      use(['helper', { input: 'read it', attachments: ['out/a.txt'] }]),
      say('it says alpha'),
    ]);
    await runAt(workplace(files), options);
    expect(asked[1]).toMatchObject({
      system: 'You are the helper.',
      messages: [
        {
          content: [
            { type: 'document', title: 'out/a.txt', source: { type: 'text', data: 'alpha' } },
            { type: 'text', text: 'read it' },
          ],
        },
      ],
    });
    expect(resultsIn(asked[2])).toEqual([['toolu_helper_0', false, 'it says alpha']]);
  });

  it.each([
    ['max_tokens', "the model's answer was cut at 16000 tokens"],
    ['refusal', 'the model refused to answer'],
  ])('has none of its calls executed if its answer ends with %s', async (stop, why) => {
    const cut = { ...use(['write_file', { path: 'out/b.txt', content: 'b' }]), stop };
    const place = workplace(files);
    const { options } = await endpoint([cut]);
    const result = await runAt(place, { ...options, mode: 'approve_all' });
    expect([result.status, result.why, result.totals.calls, place.text('out/b.txt')]).toEqual([
      'failed',
      why,
      0,
      null,
    ]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    [
      'says no',
      (response) =>
        response
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"type":"error","error":{"type":"authentication_error","message":"wrong key"}}'),
    ],
    ['says nothing that makes sense', (response) => response.writeHead(400).end('<html>')],
    [
      'ends in the middle',
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: message_start\n'),
    ],
    [
      'streams data that is not JSON',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end('event: message_start\ndata: {"type":\n\n'),
    ],
    [
      'streams an error',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(
            'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
          ),
    ],
  ])('fails the run with a complete log if its endpoint %s', async (_, answer) => {
    const { options } = await endpoint([answer, answer, answer, answer]);
    const { status, why, events } = await runAt(workplace(files), options);
    expect([status, why, events.at(-1)?.event]).toEqual(['failed', expect.any(String), 'end']);
    expect(why).not.toBe('');
  });

  it('of an unreachable delegate fails the call, and the caller continues', async () => {
    const no = (response: ServerResponse) =>
      void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    const { options, asked } = await endpoint([use(['helper', { input: 'x' }]), no, say('went on')]);
    const { status, output, events } = await runAt(workplace(files), options);
    expect([status, output, callsIn(events)[0]?.[3]]).toEqual(['finished', 'went on', 'failed']);
    expect([reasonsIn(events).length, asked.length]).toEqual([1, 3]);
  });

  it('that repeats a call id has each call made and recorded under a new id', async () => {
    const twice = {
      ...use(['list_files', { path: 'out' }], ['list_files', { path: 'out' }]),
    };
    const same = { ...twice, content: twice.content.map((block) => ({ ...block, id: 'toolu_1' })) };
    const { options } = await endpoint([same]);
    const { events } = await runAt(workplace(files), options);
    const ids = events.filter(({ event }) => event === 'decision').map(({ call }) => call);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it.each([
    [['*'], 'helper, main'],
    [['helper'], 'helper'],
    [[], 'none'],
  ])('learns the workers that `allow_workers: %j` lets it call', async (allow_workers, names) => {
    const { asked, options } = await endpoint([]);
    const main = worker({ toolsets: { delegation: { allow_workers } } });
    await runAt(workplace({ ...files, 'main.worker': main }), options);
    expect(asked[0]?.tools[0]).toMatchObject({
      name: 'worker_call',
      description: `Hands a task to another worker and returns its answer. Workers: ${names}.`,
    });
  });

  it.each([
    ['its description', { description: 'Helps.' }, 'Work.', 'Helps.'],
    ['its instructions', {}, 'Do this.', 'Do this.'],
    ['all of instructions of 200 characters', {}, 'x'.repeat(200), 'x'.repeat(200)],
    ['the first 200 characters of its instructions', {}, 'x'.repeat(201), `${'x'.repeat(200)}...`],
    ['whole characters', {}, '😀'.repeat(201), `${'😀'.repeat(200)}...`],
  ])('learns this about a callable worker: %s', async (_, header, instructions, description) => {
    const { asked, options } = await endpoint([]);
    await runAt(workplace({ ...files, 'helper.worker': worker(header, instructions) }), options);
    const [tool] = (asked[0]?.tools ?? []).filter(({ name }) => name === 'helper');
    expect(tool).toMatchObject({
      description,
      input_schema: {
        properties: { input: { type: 'string' }, attachments: { type: 'array' } },
        required: ['input'],
      },
    });
  });
});
