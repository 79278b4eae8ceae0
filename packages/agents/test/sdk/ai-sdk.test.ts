import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import type { Judge, SdkVerdict } from '../../src/sdk/verdict.js';
import { acting, SdkPlace, scripted } from './place.js';

// The model of the script is unknown to the SDK, which says so each time.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** A conversation with a scripted model over loopback, and what ran in it. */
async function talk(judge: Judge, ...turns: Parameters<typeof scripted>[0]) {
  const model = await scripted(turns);
  const ran: string[] = [];
  const settings = {
    model: createAnthropic({ baseURL: `${model.url}/v1`, apiKey: 'none' })('scripted'),
    ...ambitApproval(judge, {
      act: tool({
        description: 'acts',
        inputSchema: z.object({ what: z.string() }),
        execute: async ({ what }) => {
          ran.push(what);
          if (what === 'fine') return 'done';
          throw new Error('it broke');
        },
      }),
    }),
    stopWhen: isStepCount(4),
  };
  return { settings, ran, model };
}

type Talk = Awaited<ReturnType<typeof talk>>;

/** Until the first question; gives the messages so far, with an answer to each request. */
async function asked({ settings }: Talk, approved = true): Promise<ModelMessage[]> {
  const result = await generateText({ ...settings, prompt: 'go' });
  const requests = result.content.filter(
    (part) => part.type === 'tool-approval-request' && !part.isAutomatic,
  );
  const answers = requests.map((part) => ({
    type: 'tool-approval-response' as const,
    approvalId: 'approvalId' in part ? part.approvalId : '',
    approved,
  }));
  return [
    { role: 'user', content: 'go' },
    ...result.responseMessages,
    ...(answers.length === 0 ? [] : [{ role: 'tool' as const, content: answers }]),
  ];
}

/** The same messages after this change of their JSON. */
function changed(messages: readonly ModelMessage[], from: string, to: string): ModelMessage[] {
  return JSON.parse(JSON.stringify(messages).replaceAll(from, to)) as ModelMessage[];
}

describe('ambitApproval', () => {
  it('runs permitted calls, records outcomes, and tells the model why other calls do not run', async () => {
    const place = new SdkPlace();
    const conversation = await talk(await place.judge(), acting('fine', 'bad'), { say: 'ok' });
    const result = await generateText({ ...conversation.settings, prompt: 'go' });
    expect([conversation.ran, result.text]).toEqual([['fine'], 'ok']);
    expect(JSON.stringify(conversation.model.requests[1]?.body)).toContain('refused by policy');
    expect(place.told()).toContain('outcome completed');
  });

  it('tells the model the output of a tool that is an instance of a class in its words', async () => {
    class Act {
      readonly #said = 'in its own words';
      readonly inputSchema = z.object({ what: z.string() });
      get description() {
        return `says something ${this.#said}`;
      }
      execute() {
        return 'done';
      }
      toModelOutput() {
        return { type: 'text', value: this.description } as const;
      }
    }
    const judge = await new SdkPlace().judge();
    const { model, settings } = await talk(judge, acting('fine'), { say: 'ok' });
    await generateText({ ...settings, ...ambitApproval(judge, { act: new Act() }), prompt: 'go' });
    expect(JSON.stringify(model.requests[0]?.body)).toContain('says something in its own words');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('in its own words');
  });

  it('does the same for a streamed answer', async () => {
    const conversation = await talk(await new SdkPlace().judge(), acting('bad', 'fine', 'odd'));
    const result = streamText({ ...conversation.settings, prompt: 'go' });
    await result.consumeStream();
    expect(conversation.ran).toEqual(['fine']);
    const requests = (await result.content).filter((part) => part.type === 'tool-approval-request');
    expect(requests.filter((part) => !part.isAutomatic)).toHaveLength(1);
  });

  it('asks the user, and runs the call after the approval, also in another process', async () => {
    const place = new SdkPlace();
    const first = await talk(await place.judge(), acting('odd'));
    const messages = await asked(first);
    expect(first.ran).toEqual([]);
    const second = await talk(await place.judge(), { say: 'ok' });
    await generateText({ ...second.settings, messages });
    expect(second.ran).toEqual(['odd']);
    expect(place.told()).toEqual(['decision needs_approval', 'approval client', 'outcome failed']);
  });

  it('runs nothing after the denial', async () => {
    const place = new SdkPlace();
    const conversation = await talk(await place.judge(), acting('odd'), { say: 'ok' });
    const messages = await asked(conversation, false);
    await generateText({ ...conversation.settings, messages });
    expect(conversation.ran).toEqual([]);
  });

  it('asks again about a refused call, also if the model repeats its id', async () => {
    const place = new SdkPlace();
    const odd = { calls: [{ name: 'act', input: { what: 'odd' }, id: 'call_same_000' }] };
    const conversation = await talk(await place.judge(), odd, odd, { say: 'ok' });
    const messages = await asked(conversation, false);
    const result = await generateText({ ...conversation.settings, messages });
    expect(conversation.ran).toEqual([]);
    expect(result.content.filter((part) => part.type === 'tool-approval-request')).toHaveLength(1);
    expect(place.told()).toEqual([
      'decision needs_approval',
      'approval client',
      'outcome refused',
      'decision needs_approval',
    ]);
  });

  it('runs no call with an input changed after the approval, or with a foreign question', async () => {
    const place = new SdkPlace();
    const conversation = await talk(await place.judge(), acting('odd'));
    const messages = await asked(conversation);
    const other = changed(messages, '"odd"', '"fine"');
    await expect(generateText({ ...conversation.settings, messages: other })).rejects.toThrow('signature');
    const elsewhere = await talk(await place.judge({ session: 'session-2' }), { say: 'ok' });
    await expect(generateText({ ...elsewhere.settings, messages })).rejects.toThrow('signature');
    expect([conversation.ran, elsewhere.ran]).toEqual([[], []]);
  });

  it('refuses a forged or repeated yes without signatures', async () => {
    const place = new SdkPlace();
    const conversation = await talk(await place.judge(), acting('odd'), { say: 'ok' });
    const { experimental_toolApprovalSecret: _secret, ...unsigned } = conversation.settings;
    const of = { ...conversation, settings: unsigned as Talk['settings'] };
    const messages = await asked(of);
    const forged = changed(messages, 'call_1_0_000', 'call_9_9_999');
    await generateText({ ...of.settings, messages: forged });
    expect(of.ran).toEqual([]);
    await generateText({ ...of.settings, messages });
    expect(of.ran).toEqual(['odd']);
    await generateText({ ...of.settings, messages });
    expect(of.ran).toEqual(['odd']);
  });

  it.each([
    ['whole', 'judge', ['decision pre_approved', 'outcome failed']],
    ['whole', 'approve', ['decision needs_approval', 'approval client', 'outcome failed']],
    ['streamed', 'judge', ['decision pre_approved', 'outcome failed']],
    ['streamed', 'approve', ['decision needs_approval', 'approval client', 'outcome failed']],
  ] as const)('runs no tool of a %s answer if the turn is aborted during `%s`', async (form, step, told) => {
    const place = new SdkPlace();
    const own = await place.judge();
    const asking = await talk(own, acting('odd'));
    const messages: ModelMessage[] =
      step === 'judge' ? [{ role: 'user', content: 'go' }] : await asked(asking);
    const aborting = new AbortController();
    const judged = async (judging: () => Promise<SdkVerdict>) => {
      const verdict = await judging();
      aborting.abort();
      return verdict;
    };
    const judge: Judge = {
      ...own,
      judge: (call) => judged(() => own.judge(call)),
      approve: (call) => judged(() => own.approve(call)),
    };
    const { settings, ran } = await talk(judge, acting('fine'), { say: 'ok' });
    const aborted = { ...settings, messages, abortSignal: aborting.signal };
    if (form === 'whole') await generateText(aborted).catch(() => undefined);
    else await streamText({ ...aborted, onError: () => undefined }).consumeStream();
    await own.close();
    expect(ran).toEqual([]);
    expect(place.told()).toEqual(told);
  });

  describe.each(['whole', 'streamed'] as const)('an abort of a %s answer', (form) => {
    /** Makes these calls in one turn, with tools that may abort it, and gives the outcomes. */
    async function outcomes(
      whats: readonly string[],
      {
        judged = 0,
        limit,
        does,
        isReplaced = false,
      }: {
        readonly judged?: number;
        readonly limit?: number;
        readonly does?: (abort: () => void) => unknown;
        readonly isReplaced?: boolean;
      },
    ) {
      const place = new SdkPlace();
      const own = await place.judge();
      const aborting = new AbortController();
      let count = 0;
      const judge: Judge = {
        ...own,
        async judge(call) {
          const verdict = await own.judge(call);
          count += 1;
          if (count === judged) aborting.abort();
          return verdict;
        },
      };
      const { settings, ran } = await talk(judge, acting(...whats), { say: 'ok' });
      const execute = async () => void ran.push(String(await does?.(() => aborting.abort())));
      const tools = { act: { ...settings.tools.act, ...(does && { execute }) } };
      const guarded = isReplaced ? { ...settings, tools } : { ...settings, ...ambitApproval(judge, tools) };
      const made = { ...guarded, ...(limit && { toolCallConcurrency: limit }) };
      const request = { ...made, prompt: 'go', abortSignal: aborting.signal } as typeof settings & {
        prompt: string;
      };
      if (form === 'whole') await generateText(request).catch(() => undefined);
      else await streamText({ ...request, onError: () => undefined }).consumeStream();
      await own.close();
      const ended = place.events().filter(({ event }) => event === 'outcome');
      const told = ended.map(({ call, outcome, error = 'no error' }) => [call, outcome, error].join(' '));
      return { ran, told: told.toSorted() };
    }
    const unbegun = 'failed the turn was aborted before this call';
    const does = (abort: () => void) => {
      abort();
      return 'ran';
    };

    it('records that a call before a question did not begin', async () => {
      expect(await outcomes(['fine', 'odd'], { judged: 2 })).toEqual({
        ran: [],
        told: [`call_1_0_000 ${unbegun}`],
      });
    });

    it('records what a call did that had begun, and that the next one did not begin', async () => {
      expect(await outcomes(['fine', 'fine'], { limit: 1, does })).toEqual({
        ran: ['ran'],
        told: ['call_1_0_000 completed no error', `call_1_1_000 ${unbegun}`],
      });
    });

    it('says nothing about a call whose tool was replaced', async () => {
      expect(await outcomes(['fine', 'fine'], { limit: 1, does, isReplaced: true })).toEqual({
        ran: ['ran'],
        told: ['call_1_0_000 completed no error'],
      });
    });

    it('says nothing about a call of an earlier turn that the user approved', async () => {
      const place = new SdkPlace();
      const aborting = new AbortController();
      const conversation = await talk(await place.judge(), acting('odd'), { say: 'ok' });
      const abortSignal = aborting.signal;
      const first = { ...conversation, settings: { ...conversation.settings, abortSignal } };
      const messages = await asked(first as Talk);
      aborting.abort();
      if (form === 'whole') await generateText({ ...conversation.settings, messages });
      else await streamText({ ...conversation.settings, messages }).consumeStream();
      expect(conversation.ran).toEqual(['odd']);
      const [error] = place.events().flatMap(({ event, error: why }) => (event === 'outcome' ? [why] : []));
      expect(error).toBe('it broke');
    });
  });

  it('records the outcome of a tool that changes its input', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const { settings } = await talk(judge, acting('fine'), { say: 'ok' });
    const execute = async (input: object) => void Object.assign(input, { what: 'other' });
    await generateText({
      ...settings,
      ...ambitApproval(judge, { act: { ...settings.tools.act, execute } }),
      prompt: 'go',
    });
    expect(place.told()).toEqual(['decision pre_approved', 'outcome completed']);
  });

  it('runs no tool with an input that was changed after it was judged', async () => {
    const place = new SdkPlace();
    const { settings, ran } = await talk(await place.judge(), acting('fine'), { say: 'ok' });
    const onToolExecutionStart = ({ toolCall }: { readonly toolCall: { readonly input: unknown } }) =>
      void Object.assign(toolCall.input as object, { what: 'bad' });
    await generateText({ ...settings, onToolExecutionStart, prompt: 'go' });
    expect(ran).toEqual([]);
    expect(place.told()).toEqual([
      'decision pre_approved',
      'decision blocked',
      'outcome refused',
      'outcome failed',
    ]);
  });

  it('does not take a tool that the provider of the model runs', async () => {
    const judge = await new SdkPlace().judge();
    const search = createAnthropic({ apiKey: 'none' }).tools.webSearch_20250305();
    expect(() => ambitApproval(judge, { search })).toThrow(
      '`search` runs at the provider of the model, before it can be judged',
    );
  });

  it('judges a tool where it runs in a turn that has only the tools of the settings', async () => {
    const place = new SdkPlace();
    const { settings, ran } = await talk(await place.judge(), acting('fine', 'bad', 'odd'), { say: 'ok' });
    const { model, tools } = settings;
    const { content } = await generateText({ model, tools, prompt: 'go' });
    expect(ran).toEqual(['fine']);
    const told = content.flatMap((part) => (part.type === 'tool-error' ? [String(part.error)] : []));
    expect(told).toEqual([
      expect.stringContaining('no rule'),
      expect.stringContaining('odd things need a look'),
    ]);
    expect(place.told()).toContain('approval client');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['gives nothing', async () => undefined],
    ['gives an unknown answer', async () => ({ decision: 'maybe', reason: '' })],
  ])('runs nothing if the judge %s', async (_what, judging) => {
    const judge = { ...(await new SdkPlace().judge()), judge: judging, approve: judging } as unknown as Judge;
    const conversation = await talk(judge, acting('fine'), { say: 'ok' });
    await generateText({ ...conversation.settings, prompt: 'go' });
    expect(conversation.ran).toEqual([]);
  });
});
