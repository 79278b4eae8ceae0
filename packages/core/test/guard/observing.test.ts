import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import {
  answer,
  type CombinationRule,
  decide,
  defaultAdmission,
  entryAuthority,
  forReference,
  type LogEvent,
  modes,
  type Policy,
  plainRule,
} from '../../src/index.js';
import { someCase } from '../arbitrary/case.js';
import { someOfPolicies } from '../arbitrary/policy.js';
import { playing } from './playing.js';
import { asking, deciding, policy, ruleAbout, type Setting, stage, yes } from './stage.js';

const call = { tool: 'put', args: { path: '/w/a' } };

/** One call, with another set of policies looking on. */
async function calling(observing: readonly Policy[], setting: Setting = {}) {
  const [first, ...others] = observing;
  const options = {
    ...setting.options,
    ...(first === undefined ? {} : { observing: [first, ...others] as const }),
  };
  const set = stage({ ...setting, options });
  const outcome = await set.box.call(call);
  const [event] = set.log.of('decision');
  return { ...set, outcome, event };
}

/** A log as it would be if nobody had looked on. */
function unobserved(events: readonly LogEvent[]): readonly LogEvent[] {
  return events.map((event) => {
    if (event.event !== 'decision') return event;
    const { observed: _, observed_why: __, ...others } = event;
    return others as LogEvent;
  });
}

const combination: CombinationRule = {
  about: 'combination',
  ...plainRule,
  id: 'both',
  at: 'new.yaml:4:5',
  decision: 'blocked',
  answer: 'person',
  within: 'run',
  members: [
    { name: 'secret.read', condition: () => true },
    { name: 'fs.write', condition: () => true },
  ],
  condition: () => true,
};

describe('observing policies', () => {
  it.each([
    ['pre_approved', 'blocked', 'completed'],
    ['blocked', 'pre_approved', 'refused'],
    ['needs_approval', 'pre_approved', 'refused'],
  ] as const)(
    'are recorded: the others say %s, they say %s, and the call is %s',
    async (real, observed, status) => {
      const { outcome, event } = await calling([deciding(observed)], {
        policies: [deciding(real)],
        mode: 'strict',
      });
      expect([outcome.status, event]).toMatchObject([
        status,
        { decision: real, observed: { decision: observed } },
      ]);
    },
  );

  it('change nothing in any mode, whatever they decide', async () => {
    const given = fc.record({ at: someCase(), observing: someOfPolicies(), mode: fc.constantFrom(...modes) });
    await fc.assert(
      fc.asyncProperty(given, async ({ at, observing, mode }) => {
        const alone = await playing(at, { mode, answer: yes, times: 2 });
        const watched = await playing(at, { mode, answer: yes, times: 2, options: { observing } });
        expect([watched.outcome, watched.executed]).toEqual([alone.outcome, alone.executed]);
        expect(unobserved(watched.log.events)).toEqual(alone.log.events);
        const [first] = watched.log.of('decision');
        const { request } = at;
        const grants = first?.grants ?? [];
        const said = answer(decide(request, observing), { request, policies: observing, grants });
        expect(first?.observed).toEqual(JSON.parse(JSON.stringify(said)));
      }),
      explore(700),
    );
  });

  it('use the same grants, as far as they admit them', async () => {
    const admitting = policy({ admits: { ...defaultAdmission, workers: true } });
    const granting: Setting = {
      policies: [asking],
      mode: 'strict',
      authority: (run) =>
        forReference(entryAuthority(run, 'main'), {
          layers: [],
          grants: [{ source: 'reference', worker: 'main', tool: 'box.put' }],
        }),
    };
    const { event } = await calling([admitting], granting);
    expect(event).toMatchObject({ decision: 'needs_approval', observed: { decision: 'pre_approved' } });
    const { event: other } = await calling([asking], { ...granting, policies: [admitting] });
    expect(other).toMatchObject({ decision: 'pre_approved', observed: { decision: 'needs_approval' } });
  });

  it('see the real permits of the run, and add none', async () => {
    const observing = policy({
      name: 'new.yaml',
      default: { decision: 'pre_approved', answer: 'any' },
      rules: [combination],
      carries: [{ tool: 'box.put', capability: { name: 'crm.export' } }],
    });
    const { box, run, log } = await calling([observing], { policies: [deciding('pre_approved')] });
    run.permit([{ name: 'secret.read' }]);
    await box.call(call);
    expect(log.of('decision').map(({ observed }) => observed?.decision)).toEqual(['pre_approved', 'blocked']);
    expect(run.history.map(({ name }) => name)).toEqual(['fs.write', 'secret.read', 'fs.write']);
  });

  it('are recorded as failed if they fail, and the call continues', async () => {
    const broken = ruleAbout('fs', {
      condition: () => {
        throw new Error('a bug');
      },
    });
    const { outcome, event } = await calling([policy({ rules: [broken] })], {
      policies: [deciding('pre_approved')],
    });
    expect([outcome.status, event]).toMatchObject([
      'completed',
      { decision: 'pre_approved', observed: null, observed_why: 'observing failed: a bug' },
    ]);
    expect(event).not.toHaveProperty('why');
  });

  it('are not shown to an approver', async () => {
    const { asked } = await calling([deciding('blocked')], { policies: [asking], answers: [yes] });
    const { asked: alone } = await calling([], { policies: [asking], answers: [yes] });
    expect([asked.length, asked]).toEqual([1, alone]);
  });

  it('do not judge a call that is refused before it is judged', async () => {
    const { box, log } = await calling([deciding('blocked')]);
    await box.call({ tool: 'gone', args: {} });
    expect(log.of('decision').map((event) => Object.hasOwn(event, 'observed'))).toEqual([true, false]);
  });

  it('may share names with judging policies, but not with each other', () => {
    const twin = policy({ rules: [ruleAbout('fs')] });
    expect(() => stage({ policies: [asking], options: { observing: [asking] } })).not.toThrow();
    expect(() => stage({ options: { observing: [asking, twin] } })).toThrow(
      'two policies are called `policy.yaml`',
    );
  });

  it('stay the same for the whole run', async () => {
    const observing: [Policy, ...Policy[]] = [deciding('blocked')];
    const { box, log } = stage({ policies: [deciding('pre_approved')], options: { observing } });
    observing[0] = deciding('pre_approved');
    await box.call(call);
    expect(log.of('decision')[0]).toMatchObject({ observed: { decision: 'blocked' } });
  });
});
