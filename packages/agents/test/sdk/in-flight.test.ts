import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { SdkCalls } from '../../src/sdk/sdk-calls.js';
import type { SdkVerdict } from '../../src/sdk/verdict.js';
import { actPolicy, SdkPlace } from './place.js';

const act = (what: string, id: string) => ({ id, tool: 'act', args: { what } });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `call_${String(index).padStart(8, '0')}`);
const permitted = (verdicts: readonly SdkVerdict[]) =>
  verdicts.filter(({ decision }) => decision === 'pre_approved').length;

/** Every sync of a file from now on. */
async function syncs(place: SdkPlace) {
  const handle = await open(join(place.base, 'any'), 'w');
  const spy = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync');
  await handle.close();
  onTestFinished(() => spy.mockRestore());
  return spy;
}

it('a call whose id is the digest of another id has another id in the log', () => {
  const calls = new SdkCalls({ agent: 'agent', tools: new Map(), describe: {} });
  const logIdFor = (id: string) => {
    const foreign = calls.toJudge(act('fine', id));
    return typeof foreign === 'string' ? foreign : String(foreign.id);
  };
  const own = logIdFor('["desk","call_1"]');
  expect(own).toMatch(/^call-[0-9a-f]{32}$/);
  expect(logIdFor(own)).not.toBe(own);
});

describe('calls that nobody answers', () => {
  it('are forgotten in the end, the oldest first', () => {
    const calls = new SdkCalls({ agent: 'agent', tools: new Map(), describe: {} });
    const callOf = (at: number) => {
      const call = act('fine', `call_${at}`);
      const foreign = calls.toJudge(call);
      if (typeof foreign === 'string') throw new Error(foreign);
      return [call, foreign] as const;
    };
    for (let at = 0; at < 10_000; at += 1) calls.open(...callOf(at), `log-${at}`);
    // A repeated one is the newest.
    for (const at of [0, 10_000]) calls.open(...callOf(at), `log-${at}`);
    const known = [0, 1, 2, 10_000].map((at) => calls.logIdOf(...callOf(at)));
    expect(known).toEqual(['log-0', undefined, 'log-2', 'log-10000']);
  });
});

describe('simultaneous calls of a long-lived session', () => {
  it('are synced to the log together, in order, each before its answer', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ isExclusive: true });
    const spy = await syncs(place);
    const ids = many(40);
    const verdicts = await Promise.all(
      ids.map(async (id) => {
        const verdict = await judge.judge(act('fine', id));
        expect(place.events().some(({ call }) => call === id)).toBe(true);
        return verdict;
      }),
    );
    expect(permitted(verdicts)).toBe(40);
    expect(spy.mock.calls.length).toBeLessThan(20);
    await judge.close();
    const decided = place.events().filter(({ event }) => event === 'decision');
    expect(decided.map(({ call }) => call)).toEqual(ids);
  });

  it('are all refused, and later ones too, if the disk is full', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ isExclusive: true });
    await judge.judge(act('fine', 'call_before_1'));
    const spy = await syncs(place);
    let fail: (error: Error) => void = () => undefined;
    spy.mockImplementationOnce(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const judging = many(5).map((id) => judge.judge(act('fine', id)));
    await vi.waitFor(() => expect(spy).toHaveBeenCalled(), { timeout: 60_000 });
    const later = judge.judge(act('fine', 'call_later_01'));
    const first = await Promise.race([...judging, later, new Promise((done) => setImmediate(done, 'none'))]);
    expect(first).toBe('none');
    fail(new Error('the disk is full'));
    expect(permitted(await Promise.all([...judging, later]))).toBe(0);
  });

  it('have recorded outcomes before the next decision, and before the judge closes', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ isExclusive: true });
    const [one = '', two = ''] = many(2);
    await judge.judge(act('fine', one));
    void judge.ended(act('fine', one), null);
    await judge.judge(act('fine', two));
    void judge.ended(act('fine', two), 'it failed');
    await judge.close();
    expect(place.told()).toEqual([
      'decision pre_approved',
      'outcome completed',
      'decision pre_approved',
      'outcome failed',
    ]);
  });

  it('never combine capabilities that one run may not combine', async () => {
    const place = new SdkPlace(`version: 1
default: blocked
capabilities: { message.send: pre_approved, secret.read: pre_approved }
together:
  - { id: no-leak, decision: blocked, capabilities: [secret.read, message.send], within: run }
`);
    const judge = await place.judge({
      isExclusive: true,
      describe: {
        read: () => [{ name: 'secret.read' }],
        send: () => [{ name: 'message.send', to: 'a', channel: 'mail' }],
      },
    });
    const verdicts = await Promise.all(
      many(20).map((id, index) => judge.judge({ id, tool: index % 2 === 0 ? 'read' : 'send', args: {} })),
    );
    expect(verdicts.map(({ decision }) => decision)).toEqual(
      verdicts.map((_, index) => (index % 2 === 0 ? 'pre_approved' : 'blocked')),
    );
    await judge.close();
  });

  it('use an approval once, and are asked about one after another', async () => {
    const place = new SdkPlace(actPolicy);
    const judge = await place.judge({ isExclusive: true });
    const id = 'call_asked_01';
    await judge.judge(act('odd', id));
    expect((await judge.approve(act('odd', id))).decision).toBe('pre_approved');
    expect((await judge.approve(act('odd', 'call_asked_02'))).decision).toBe('blocked');
    await place.approve();
    const mixed = many(12).map((each, index) => judge.judge(act(index % 3 === 0 ? 'fine' : 'odd', each)));
    const verdicts = await Promise.all(mixed);
    const odd = verdicts.filter((_, index) => index % 3 !== 0);
    expect(permitted(odd)).toBe(1);
    expect(odd.filter(({ decision }) => decision === 'needs_approval')).toHaveLength(7);
    expect(permitted(verdicts)).toBe(5);
    await judge.close();
  });

  it('get distinct ids if a client repeats an id', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ isExclusive: true });
    const twice = await Promise.all([1, 2, 3].map(() => judge.judge(act('fine', 'call_00000001'))));
    expect(new Set(twice.map(({ call }) => call)).size).toBe(3);
    await judge.close();
  });
});

describe('a long-lived judge', () => {
  it.skipIf(!isDeep).each([
    ['permitted', 'fine', 60],
    ['blocked', 'other', 60],
    // The open session has them as its past, once.
    ['asked about', 'odd', 20],
  ])('keeps nothing of calls that were %s', async (_, what, count) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const place = new SdkPlace();
    const judge = await place.judge({ isExclusive: true });
    const verdicts: WeakRef<SdkVerdict>[] = [];
    const before = used();
    for (const id of many(count)) {
      const call = { id, tool: 'act', args: { what, long: id.padEnd(1_000_000, 'x') } };
      const verdict = await judge.judge(call);
      verdicts.push(new WeakRef(verdict));
      if (verdict.decision === 'needs_approval') await judge.deny(call);
      if (verdict.decision === 'pre_approved') await judge.ended(call, null);
    }
    await expect.poll(() => used() - before, { timeout: 30_000 }).toBeLessThan(40);
    expect(verdicts.filter((each) => each.deref() !== undefined).length).toBeLessThan(3);
    await judge.close();
  });
});
