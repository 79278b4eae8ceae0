import { join } from 'node:path';
import type { DecisionEvent, JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { findCall, formatCall, formatEvent, logSchema, readLog } from '../../src/index.js';
import { createMask } from '../../src/log/mask/mask.js';
import { decisionEvent, folder, key, openLog } from '../events.js';

const secret = 'hunter2-and-more';
const evil = '\u001b[2J\u202e';

function judged(decision: 'pre_approved' | 'blocked'): Extract<DecisionEvent, { judgements: unknown }> {
  const event = decisionEvent('call-1', decision, { password: secret });
  if (event.decision === null) throw new Error('it was judged');
  return event;
}

/** A decision, and what observing policies said: blocked, by a rule that is decided and one that is only observed. */
function observed(): DecisionEvent {
  const { capabilities, judgements, reason, instead } = judged('blocked');
  const [judgement] = judgements;
  if (judgement === undefined) throw new Error('it was judged');
  const looking = [{ id: 'trial', at: 'new.yaml:9:5', decision: 'needs_approval' as const }];
  return {
    ...judged('pre_approved'),
    observed: {
      decision: 'blocked',
      capabilities: [capabilities[0], { name: 'crm.export', note: `${secret}${evil}` }],
      judgements: [{ ...judgement, policy: 'new.yaml', observed: looking }],
      reason: reason === null ? null : `not with ${secret}`,
      instead,
    },
  };
}

const failed: DecisionEvent = {
  ...judged('pre_approved'),
  observed: null,
  observed_why: `observing failed: ${secret}`,
};
const files: LogEvent = {
  now: 0,
  event: 'policy',
  files: [
    { name: 'policy.yaml', sha256: '0'.repeat(64), source: 'x' },
    { name: 'new.yaml', sha256: '1'.repeat(64), source: 'y', observed: true },
  ],
};

async function written(events: NonEmpty<LogEvent>): Promise<string> {
  const file = join(folder(), 'run.jsonl');
  const log = await openLog(file);
  await log.append(events);
  await log.close();
  return file;
}

describe('the decisions of observing policies', () => {
  it('are masked like the decision: names and codes stay, secrets are masked', () => {
    const [whole, broken] = [observed(), failed].map(createMask(key)) as [JsonObject, JsonObject];
    expect(JSON.stringify([whole, broken])).not.toContain(secret);
    const { observed: said } = whole as unknown as DecisionEvent;
    const { observed: meant } = observed();
    expect(said?.judgements).toEqual(meant?.judgements);
    expect(said?.capabilities.map(({ name }) => name)).toEqual(['fs.write', 'crm.export']);
    expect([said?.decision, broken.observed]).toEqual(['blocked', null]);
    expect(broken.observed_why).toMatch(/^observing failed: masked:hmac-sha256:[0-9a-f]{16}$/);
  });

  it('keep decisions and names that equal a secret', () => {
    const [whole] = [{ ...observed(), args: { password: 'blocked', token: 'trial' } }].map(createMask(key));
    const { observed: said } = whole as unknown as DecisionEvent;
    expect([said?.decision, said?.judgements]).toEqual(['blocked', observed().observed?.judgements]);
  });

  it('are part of the story of a call', async () => {
    const file = await written([observed()]);
    const found = await findCall(file, 'call-1');
    if (!found.ok) throw new Error(found.message);
    const lines = formatCall(found.story).split('\n');
    const from = lines.findIndex((line) => line.includes('observed'));
    expect(lines.slice(from)).toEqual([
      '  observed    would be blocked',
      '  - new.yaml on `write /w/a.md`: blocked',
      '      rule ask at policy.yaml:3:5 says blocked',
      '      rule trial at new.yaml:9:5, which only observes, would say needs_approval',
      expect.stringMatching(/^ {2}reason {6}not with masked:hmac-sha256:[0-9a-f]{16}$/),
    ]);
  });

  it('are part of the story of a call after a failure', async () => {
    const found = await findCall(await written([failed]), 'call-1');
    if (!found.ok) throw new Error(found.message);
    expect(formatCall(found.story).split('\n').slice(-2)).toEqual([
      '  observed    failed',
      expect.stringMatching(/^ {2}because {5}observing failed: masked:hmac-sha256:[0-9a-f]{16}$/),
    ]);
  });

  it.each<readonly [string, DecisionEvent, RegExp]>([
    ['if different', observed(), / {2}observed: would be blocked$/],
    ['if failed', failed, / {2}observing failed$/],
    [
      'but not if equal',
      { ...judged('pre_approved'), observed: judged('pre_approved') },
      /ask at policy\.yaml:3:5$/,
    ],
  ])('are in the line of a decision %s', async (_, event, expected) => {
    for await (const { entry } of readLog(await written([event])))
      expect(formatEvent(entry)).toMatch(expected);
  });

  it('come from files that the log marks as observing', async () => {
    for await (const { entry } of readLog(await written([files]))) {
      expect(entry.files).toMatchObject([{ name: 'policy.yaml' }, { name: 'new.yaml', observed: true }]);
      expect(formatEvent(entry)).toMatch(/policy\.yaml, new\.yaml \(only observes\)$/);
    }
  });

  it('are an optional member of the schema', () => {
    const { oneOf } = logSchema() as unknown as {
      oneOf: readonly { required: string[]; properties: Record<string, JsonObject> }[];
    };
    const line = oneOf.find(({ properties }) => properties.event?.const === 'decision');
    const members = ['observed', 'observed_why'];
    expect(members.map((member) => line?.properties[member] !== undefined)).toEqual([true, true]);
    expect(line?.required.filter((member) => members.includes(member))).toEqual([]);
  });
});
