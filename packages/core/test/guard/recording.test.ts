import { describe, expect, it } from 'vitest';
import { ArrayLog } from './array-log.js';
import { deciding, type Setting, stage, yes } from './stage.js';

const calling = async (setting: Setting) => {
  const set = stage(setting);
  const outcome = await set.box.call({ tool: 'put', args: { path: '/w/a' } });
  return { ...set, outcome };
};

const stopped = 'the log cannot be written: the disk is full';

class FullLog extends ArrayLog {
  override append(): Promise<void> {
    return Promise.reject(Object.assign(new Error(`${stopped} indeed`), { code: 'WRITE_FAILED' }));
  }
}

class SlowLog extends ArrayLog {
  override async append(...[events]: Parameters<ArrayLog['append']>): Promise<void> {
    await Promise.resolve();
    await super.append(events);
  }
}

describe('a call that is refused before it is judged', () => {
  it.each(['no_such_tool', 'put'])(
    'is recorded as it was made, whatever becomes of its arguments: %s',
    async (tool) => {
      const { box, log } = stage({ log: new SlowLog() });
      const args: Record<string, string> = { odd: 'before' };
      const outcome = box.call({ tool, args });
      args.odd = 'after';
      expect(await outcome).toMatchObject({ status: 'refused' });
      expect(log.of('decision')).toMatchObject([{ decision: null, args: { odd: 'before' } }]);
    },
  );
});

describe('a log that cannot be written', () => {
  it.each<readonly [string, Setting, number]>([
    ['the decision', { policies: [deciding('pre_approved')] }, 1],
    ['the asking decision', { answers: [yes] }, 1],
    ['the approval', { answers: [yes] }, 2],
    ['the approval of the mode', { mode: 'approve_all' }, 1],
  ])('stops the run before %s has an effect', async (_, setting, failsAt) => {
    const { outcome, executed, run, box } = await calling({ ...setting, log: new ArrayLog([failsAt]) });
    expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'unrecorded' } });
    expect(executed).toEqual([]);
    expect(run.stopped).toBe(stopped);
    expect(run.history).toEqual([]);
    expect(await box.call({ tool: 'put', args: { path: '/w/b' } })).toMatchObject({
      refusal: { code: 'stopped' },
    });
    expect(executed).toEqual([]);
  });

  it('gives the reason once, even if the log already names it', async () => {
    const { run } = await calling({ policies: [deciding('pre_approved')], log: new FullLog() });
    expect(run.stopped).toBe(`${stopped} indeed`);
  });

  it('keeps no answer whose approval is not recorded', async () => {
    const keeping: Setting['answers'] = [
      () => Promise.resolve({ answer: 'approve', person: 'ann', keep: { remember: 'run', reach: 'file' } }),
    ];
    const { run } = await calling({ answers: keeping, log: new ArrayLog([2]) });
    expect(run.asker.memory.kept).toEqual([]);
  });

  it('runs no call whose second judgement is not recorded', async () => {
    let round = 0;
    const { outcome, executed } = await calling({
      answers: [yes],
      log: new ArrayLog([3]),
      tool: { describe: () => ({ capabilities: round++ === 0 ? [{ name: 'fs.write' }] : [] }) },
      policies: [deciding('needs_approval')],
    });
    expect(outcome).toMatchObject({ refusal: { code: 'unrecorded' } });
    expect(executed).toEqual([]);
  });

  it('stops the run at an unrecorded outcome', async () => {
    const { outcome, executed, run, box } = await calling({
      policies: [deciding('pre_approved')],
      log: new ArrayLog([2]),
    });
    expect(outcome).toEqual({
      status: 'failed',
      call: 'id-1',
      error: 'the outcome could not be recorded, so the run stops',
    });
    expect(executed).toHaveLength(1);
    expect(run.stopped).toBe(stopped);
    expect(await box.call({ tool: 'put', args: { path: '/w/b' } })).toMatchObject({
      refusal: { code: 'stopped' },
    });
    expect(executed).toHaveLength(1);
  });

  it('still refuses a call whose refusal is not recorded', async () => {
    const { outcome, run, executed } = await calling({
      policies: [deciding('blocked')],
      log: new ArrayLog([1]),
    });
    expect(outcome.status).toBe('refused');
    expect(executed).toEqual([]);
    expect(run.stopped).toBe(stopped);
  });

  it('cancels calls in progress', async () => {
    const { box, log, executed } = stage({
      policies: [deciding('pre_approved')],
      log: new ArrayLog([2]),
      tool: {
        execute: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve('stopped early'));
          }),
      },
    });
    const first = box.call({ tool: 'put', args: { path: '/w/a' } });
    const second = box.call({ tool: 'put', args: { path: '/w/b' } });
    expect(await second).toMatchObject({ refusal: { code: 'unrecorded' } });
    expect(await first).toMatchObject({ status: 'completed', result: 'stopped early' });
    expect(executed).toHaveLength(1);
    expect(log.of('outcome')).toMatchObject([{ outcome: 'completed' }]);
  });
});
