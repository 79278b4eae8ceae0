import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { type Asked, endpoint, say, type Turn, use } from '../converse/messages-endpoint.js';
import {
  asking,
  callsIn,
  carriedBy,
  decisionOn,
  type Files,
  no,
  openAt,
  out,
  runAt,
  worker,
  workplace,
  yes,
} from '../session.js';

const permitting: Json = {
  version: 1,
  default: 'needs_approval',
  capabilities: {
    'net.connect': 'pre_approved',
    'content.untrusted': 'pre_approved',
    'fs.write': 'pre_approved',
    'worker.call': 'pre_approved',
  },
  tools: { 'provider.*': 'pre_approved' },
};

const files = (tools: readonly string[] = ['web_search'], more: Files = {}): Files => ({
  'policy.yaml': permitting,
  'main.worker': worker({ sandbox: out, toolsets: { provider: { tools }, filesystem: {} } }),
  ...more,
});

const offeredIn = (asked: readonly Asked[]) =>
  asked.map(({ tools }) => tools.filter(({ type }) => type !== undefined));
const search = { type: 'web_search_20250305', name: 'web_search' };

const searching: Turn = {
  content: [
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: { query: 'x' },
      caller: { type: 'direct' },
    },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [], caller: { type: 'direct' } },
    { type: 'text', text: 'found it' },
  ],
};

describe('a tool of the model’s provider', () => {
  it('is a call for each request with it, judged and recorded before the request', async () => {
    const seen: string[] = [];
    const { asked, options } = await endpoint([
      use(['write_file', { path: 'out/a', content: 'a' }]),
      say('done'),
    ]);
    const place = workplace(files());
    const { events } = await runAt(place, {
      ...options,
      onEvent: (event) => {
        if (event.type === 'recorded' && event.event.event === 'decision')
          seen.push(`${event.event.tool} before request ${asked.length + 1}`);
      },
    });
    expect(offeredIn(asked)).toEqual([[search], [search]]);
    expect(callsIn(events)).toEqual([
      ['main', 'provider.web_search', 'pre_approved', 'completed'],
      ['main', 'filesystem.write_file', 'pre_approved', 'completed'],
      ['main', 'provider.web_search', 'pre_approved', 'completed'],
    ]);
    expect(seen).toEqual([
      'provider.web_search before request 1',
      'filesystem.write_file before request 2',
      'provider.web_search before request 2',
    ]);
    const url = new URL(options.environment?.ANTHROPIC_BASE_URL ?? '');
    expect(carriedBy(events, 'provider.web_search')).toEqual([
      {
        name: 'net.connect',
        host: '127.0.0.1',
        port: Number(url.port),
        scheme: 'http',
        by: 'toolset:provider',
      },
      { name: 'content.untrusted', source: 'provider.web_search' },
    ]);
    expect(decisionOn(events, 'provider.web_search').args).toEqual({ model: 'anthropic:a-model' });
  });

  it.each<readonly [string, Json]>([
    ['blocked by its name', { tools: { 'provider.web_search': 'blocked' } }],
    ['one that connects against a rule', { capabilities: { net: 'blocked' } }],
    ['one that brings untrusted content against a rule', { capabilities: { content: 'blocked' } }],
    ['one that needs approval in strict mode', { tools: { 'provider.web_search': 'needs_approval' } }],
  ])('is not offered if it is %s, and the request omits it', async (_, more) => {
    const { asked, options } = await endpoint([say('done')]);
    const policy = {
      version: 1,
      default: 'pre_approved',
      tools: { 'provider.*': 'pre_approved' },
      ...(more as object),
    };
    const { events, status } = await runAt(
      workplace(files(['web_search'], { 'policy.yaml': policy as Json })),
      {
        ...options,
        open: true,
      },
    );
    expect([status, offeredIn(asked)]).toEqual(['finished', [[]]]);
    expect(['blocked', 'strict']).toContain(callsIn(events)[0]?.[3]);
  });

  it('is asked about, and stays refused for the run after a refusal', async () => {
    const { asked, options } = await endpoint([use(['write_file', { path: 'out/a', content: 'a' }])]);
    const policy = { ...(permitting as object), tools: { 'provider.web_search': 'needs_approval' } };
    const place = workplace(
      files(['web_search', 'web_fetch'], {
        'policy.yaml': {
          ...policy,
          tools: { 'provider.web_search': 'needs_approval', 'provider.web_fetch': 'pre_approved' },
        } as Json,
      }),
    );
    const { approver, questions } = asking(() => no);
    await runAt(place, { ...options, mode: 'interactive', approver });
    expect(questions.map(({ tool }) => tool)).toEqual(['provider.web_search']);
    const fetch = { type: 'web_fetch_20250910', name: 'web_fetch' };
    expect(offeredIn(asked)).toEqual([[fetch], [fetch]]);
    const again = asking(() => yes);
    const other = await endpoint([say('done')]);
    await runAt(place, { ...other.options, mode: 'interactive', approver: again.approver });
    expect(offeredIn(other.asked)).toEqual([[search, fetch]]);
  });

  it('is an error of the worker if no policy mentions it', async () => {
    for (const tools of [
      {},
      { 'provider.web_fetch': 'blocked' },
      { 'provider.web_search': { decision: 'blocked', observe: true } },
    ]) {
      const { tools: _, ...rest } = permitting as Record<string, Json>;
      const policy = Object.keys(tools).length === 0 ? rest : { ...rest, tools };
      const { options } = await endpoint([]);
      expect(
        await openAt(workplace(files(['web_search'], { 'policy.yaml': policy as Json })), options),
      ).toMatchObject({
        ok: false,
        problems: [
          {
            code: 'PROVIDER_TOOL',
            message: expect.stringMatching(
              /^main\.worker:1:\d+ `provider\.web_search` runs at the model’s provider/,
            ),
          },
        ],
      });
    }
  });

  it('is an error of a worker that is only called, too', async () => {
    const { options } = await endpoint([]);
    const opened = await openAt(
      workplace({
        'policy.yaml': { version: 1, default: 'needs_approval' },
        'main.worker': worker({ toolsets: { helper: {} } }),
        'helper.worker': worker({ toolsets: { provider: { tools: ['code_execution'] } } }),
      }),
      options,
    );
    expect(opened).toMatchObject({ ok: false, problems: [{ code: 'PROVIDER_TOOL' }] });
  });

  it('cannot be called as a local tool', async () => {
    const { asked, options } = await endpoint([use(['web_search', { query: 'x' }])]);
    const { events } = await runAt(workplace(files()), options);
    expect(callsIn(events).map(([, tool, , came]) => [tool, came])).toContainEqual([
      'web_search',
      'unknown_tool',
    ]);
    expect(asked).toHaveLength(2);
  });

  it('rejects the name of a tool of the worker: the error names both', async () => {
    const { options } = await endpoint([]);
    const place = workplace(
      files(['web_search'], {
        'main.worker': worker({ toolsets: { provider: { tools: ['web_search'] }, web_search: {} } }),
        'web_search.worker': worker(),
      }),
    );
    expect(await openAt(place, options)).toMatchObject({
      problems: [
        {
          message:
            'two tools of this worker are called `web_search`: provider.web_search and worker.web_search',
        },
      ],
    });
  });

  it('keeps its results in the conversation, with unknown costs', async () => {
    const { asked, options } = await endpoint([{ ...searching, stop: 'pause_turn' }, say('done')]);
    const prices = { currency: 'USD', models: { 'anthropic:*': { input: 1, output: 1 } } };
    const { totals, status } = await runAt(
      workplace(files(['web_search'], { 'ambit.yaml': { prices } })),
      options,
    );
    expect([status, totals.costs]).toEqual(['finished', null]);
    expect(asked[1]?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', input: { query: 'x' } },
        { type: 'web_search_tool_result' },
        { type: 'text' },
      ],
    });
    const without = await endpoint([say('done')]);
    const plain = await runAt(
      workplace(files(['web_search'], { 'ambit.yaml': { prices } })),
      without.options,
    );
    expect(plain.totals.costs).toEqual({ amount: 0.000015, currency: 'USD' });
  });

  it('adds to the history of the run: its untrusted content affects later calls', async () => {
    const { options } = await endpoint([use(['write_file', { path: 'out/a', content: 'a' }])]);
    const policy = {
      ...(permitting as object),
      together: [
        { id: 'after', capabilities: ['content.untrusted', 'fs.write'], within: 'run', decision: 'blocked' },
      ],
    };
    const { events } = await runAt(
      workplace(files(['web_search'], { 'policy.yaml': policy as Json })),
      options,
    );
    expect(callsIn(events)[1]).toEqual(['main', 'filesystem.write_file', 'blocked', 'blocked']);
  });
});
