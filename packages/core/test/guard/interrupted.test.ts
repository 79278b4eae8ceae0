import { describe, expect, it } from 'vitest';
import { type Answer, earlierRun, interruptedCall, type LogEvent } from '../../src/index.js';
import { ArrayLog } from './array-log.js';
import { answering, deciding, no, policy, ruleAbout, type Setting, stage, write, yes } from './stage.js';

const put = { tool: 'put', args: { path: '/w/a' } };

/** The log of a run that was killed after this number of recorded events. */
async function eventsUntil(count: number, setting: Setting): Promise<readonly LogEvent[]> {
  const log = new ArrayLog();
  const { box } = stage({ ...setting, log });
  await box.call({ ...put, id: 'call' });
  return log.events.slice(0, count);
}

/** The run goes on in another process. */
function goOn(events: readonly LogEvent[], isUnknown: boolean, setting: Setting) {
  const log = new ArrayLog();
  const again = stage({ ...setting, log, options: { earlier: earlierRun(events), ...setting.options } });
  const outcome = again.box.call({ ...put, id: 'call', interrupted: interruptedCall(events, isUnknown) });
  return { ...again, log, outcome };
}

describe('a call whose run was interrupted', () => {
  it('is not asked about again if a person has answered', async () => {
    const events = await eventsUntil(2, { answers: [yes] });
    expect(events.map(({ event }) => event)).toEqual(['decision', 'approval']);
    const { outcome, asked, executed, log } = goOn(events, false, { answers: [no] });
    expect(await outcome).toMatchObject({ status: 'completed', call: 'call' });
    expect(asked).toEqual([]);
    expect(executed).toEqual([{ path: '/w/a', text: '' }]);
    expect(log.story).toEqual(['outcome']);
  });

  it('runs with the arguments that a person had edited', async () => {
    const edit: Answer = { answer: 'approve', person: 'ann', args: { path: '/w/a', text: 'mine' } };
    const events = await eventsUntil(2, { answers: [answering(edit)] });
    const { outcome, executed, asked } = goOn(events, false, { answers: [no] });
    expect(await outcome).toMatchObject({ status: 'completed', edited: { path: '/w/a', text: 'mine' } });
    expect(executed).toEqual([{ path: '/w/a', text: 'mine' }]);
    expect(asked).toEqual([]);
  });

  it('stays refused if a person had refused it, finally or not', async () => {
    for (const ask_again of [true, false]) {
      const refuse: Answer = { answer: 'refuse', person: 'ann', note: 'not now', ask_again };
      const events = await eventsUntil(2, { answers: [answering(refuse)] });
      const { outcome, asked, executed } = goOn(events, false, { answers: [yes] });
      expect(await outcome).toMatchObject({
        status: 'refused',
        refusal: { code: 'denied', reason: 'ann refused this call: not now' },
      });
      expect([asked, executed]).toEqual([[], []]);
    }
  });

  it('stays refused if the question had no answer', async () => {
    const events = await eventsUntil(2, {});
    const { outcome, executed } = goOn(events, false, { answers: [yes] });
    expect(await outcome).toMatchObject({ refusal: { code: 'unanswered' } });
    expect(executed).toEqual([]);
  });

  it('numbers its next question after the answered ones', async () => {
    const events = await eventsUntil(1, { answers: [yes] });
    const first = goOn(events, false, { answers: [yes] });
    await first.outcome;
    expect(first.asked.map(({ id }) => id)).toEqual(['call.1']);
    const begun = await eventsUntil(2, { answers: [yes] });
    const second = goOn(begun, true, { answers: [yes] });
    await second.outcome;
    expect(second.asked.map(({ id }) => id)).toEqual(['call.2']);
  });

  it('asks about its unknown outcome, even if it was approved before', async () => {
    const events = await eventsUntil(2, { answers: [yes] });
    const { outcome, asked, executed } = goOn(events, true, { answers: [no] });
    expect(await outcome).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toMatchObject([{ again: expect.stringContaining('its outcome is unknown'), keep: null }]);
    expect(executed).toEqual([]);
  });

  it('asks about its unknown outcome, even if a rule permits the call', async () => {
    const policies = [deciding('pre_approved')] as const;
    const events = await eventsUntil(1, { policies });
    const refused = goOn(events, true, { policies, answers: [no] });
    expect(await refused.outcome).toMatchObject({ refusal: { code: 'denied' } });
    expect(refused.asked).toMatchObject([{ asked_by: [] }]);
    const approved = goOn(events, true, { policies, answers: [yes] });
    expect(await approved.outcome).toMatchObject({ status: 'completed' });
    expect(approved.executed).toHaveLength(1);
  });

  it.each(['approve_all', 'strict'] as const)(
    'is refused in the mode %s if its outcome is unknown',
    async (mode) => {
      const policies = [deciding('pre_approved')] as const;
      const events = await eventsUntil(1, { policies, mode });
      const { outcome, executed } = goOn(events, true, { policies, mode });
      expect(await outcome).toMatchObject({ refusal: { code: 'unknown_outcome' } });
      expect(executed).toEqual([]);
    },
  );

  it('runs again without a question if it only reads', async () => {
    const describe = () => ({ capabilities: [{ name: 'fs.read', path: '/w/a' }] });
    const setting = { policies: [deciding('pre_approved')] as const, tool: { describe } };
    const events = await eventsUntil(1, setting);
    const { outcome, asked, executed } = goOn(events, true, setting);
    expect(await outcome).toMatchObject({ status: 'completed' });
    expect([asked.length, executed.length]).toEqual([0, 1]);
  });

  it('is asked about if it reports only untrusted content, because its effect is unknown', async () => {
    const describe = () => ({ capabilities: [{ name: 'content.untrusted', source: 'queue' }] });
    const permitting = policy({ rules: [ruleAbout('content.untrusted', { decision: 'pre_approved' })] });
    const setting = { policies: [permitting] as const, tool: { describe } };
    const events = await eventsUntil(1, setting);
    const { outcome, asked, executed } = goOn(events, true, { ...setting, answers: [no] });
    expect(await outcome).toMatchObject({ refusal: { code: 'denied' } });
    expect([asked.length, executed.length]).toEqual([1, 0]);
  });

  it('is blocked by a newer policy in spite of an answer', async () => {
    const events = await eventsUntil(2, { answers: [yes] });
    const newer = { ...deciding('blocked'), name: 'newer.yaml' };
    const { outcome, executed } = goOn(events, false, { policies: [policy(), newer], answers: [yes] });
    expect(await outcome).toMatchObject({ refusal: { code: 'blocked' } });
    expect(executed).toEqual([]);
  });

  it('is asked about again if it now carries other capabilities', async () => {
    const events = await eventsUntil(2, { answers: [yes] });
    const describe = () => ({ capabilities: [write('/w/a'), { name: 'fs.delete', path: '/w/a' }] });
    const { outcome, asked } = goOn(events, false, { answers: [no], tool: { describe } });
    expect(await outcome).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(1);
  });
});

describe('the state of an interrupted run', () => {
  it('contains its permits, kept answers and refusals', async () => {
    const keep = { remember: 'run', reach: 'file' } as const;
    const kept = await eventsUntil(9, { answers: [answering({ answer: 'approve', person: 'ann', keep })] });
    const refused = await eventsUntil(9, { answers: [no] });
    expect(earlierRun([...kept, ...refused])).toMatchObject({
      history: [write('/w/a')],
      kept: [{ person: 'ann', tool: 'box.put', shown: [write('/w/a')], ...keep }],
      refused: [{ person: 'ann', tool: 'box.put', askAgain: false, note: 'not today' }],
    });
  });

  it('counts toward combinations, after any number of interruptions', async () => {
    const secret = { name: 'secret.read', path: '/w/key' };
    const policies = [deciding('pre_approved')] as const;
    const first = await eventsUntil(9, { policies, tool: { describe: () => ({ capabilities: [secret] }) } });
    expect(earlierRun(first).history).toEqual([]);
    const permitting = [policy({ rules: [ruleAbout('secret.read', { decision: 'pre_approved' })] })] as const;
    const second = await eventsUntil(9, {
      policies: permitting,
      tool: { describe: () => ({ capabilities: [secret] }) },
    });
    expect(earlierRun(second).history).toEqual([secret]);
    const { run } = stage({ options: { earlier: earlierRun(second) } });
    expect(run.history).toEqual([secret]);
  });

  it('refuses a refused call again after a restart', async () => {
    const events = await eventsUntil(9, { answers: [no] });
    const { box, asked } = stage({ answers: [yes], options: { earlier: earlierRun(events) } });
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'denied', came_back: 1 } });
    expect(asked).toEqual([]);
  });
});
