import { describe, expect, it } from 'vitest';
import type { Capability } from '../../src/index.js';
import { policy, ruleAbout, stage } from '../guard/stage.js';

const blocked = ['net.connect', 'fs.write', 'fs.read', 'secret.read'].map((name) =>
  ruleAbout(name, { decision: 'blocked', at: `policy.yaml:${name.length}:1` }),
);

const carried: readonly Capability[] = [
  { name: 'net.connect', host: 'a.example' },
  { name: 'fs.write', path: '/w/b' },
  { name: 'fs.write', path: '/w/a' },
  { name: 'fs.list', path: '/w' },
  { name: 'fs.read', path: '/w/c' },
];

async function refusalOf(capabilities: readonly Capability[], reason: string | null = null) {
  const rules = blocked.map((rule) => ({ ...rule, reason }));
  const { box } = stage({
    policies: [policy({ rules, default: { decision: 'pre_approved', answer: 'any' } })],
    options: { open: true },
    tool: { describe: () => ({ capabilities }) },
  });
  const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
  return outcome.status === 'refused' ? outcome.refusal : null;
}

describe('a refusal of several blocked capabilities', () => {
  it('names all of them in one order, regardless of the tool’s order', async () => {
    const orders = [
      carried,
      carried.toReversed(),
      carried.toSorted((one, other) => (one.name < other.name ? 1 : -1)),
    ];
    const refusals = await Promise.all(orders.map((order) => refusalOf(order)));
    expect(refusals[0]).toMatchObject({
      code: 'blocked',
      reason:
        'fs.read is blocked by the rule about-fs.read (policy.yaml:7:1) (blocked: fs.read, fs.write, net.connect)',
      rule: { id: 'about-fs.read' },
    });
    expect(refusals).toEqual(refusals.map(() => refusals[0]));
  });

  it('adds them to the reason of a policy', async () => {
    expect((await refusalOf(carried, 'not here'))?.reason).toBe(
      'not here (blocked: fs.read, fs.write, net.connect)',
    );
  });

  it('names no other capability if only one is blocked', async () => {
    expect((await refusalOf(carried.slice(1, 3), 'not here'))?.reason).toBe('not here');
  });
});

describe('a refusal', () => {
  it.each(['blocked', 'needs_approval'] as const)(
    '%s has its reason, file and rule from one rule',
    async (decision) => {
      const [read, write] = (['fs.read', 'fs.write'] as const).map((name) => ruleAbout(name, { decision }));
      const rules = [read, { ...write, reason: 'not written' }] as NonNullable<typeof read>[];
      const capabilities = [
        { name: 'fs.read', path: { paths: ['/w/a', '/w/b'] } },
        { name: 'fs.write', path: { paths: ['/w/c', '/w/d'] } },
      ];
      const { box } = stage({
        policies: [policy({ rules })],
        mode: 'strict',
        tool: { describe: () => ({ capabilities }) },
      });
      expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
        refusal: {
          reason: expect.stringMatching(/^not written: c, d /),
          rule: { id: 'about-fs.write' },
          instead: expect.stringContaining('leave out c, d'),
        },
      });
    },
  );

  it('says that a file is not known', async () => {
    expect(await refusalOf([{ name: 'secret.read' }], 'secrets are not for agents')).toMatchObject({
      reason: 'secrets are not for agents: it is not known which file',
      instead: expect.stringContaining('name its files'),
    });
  });
});

describe('a refusal for a guarded file', () => {
  it('names the file and a way to proceed', async () => {
    const guarded = { name: 'sys.guard', what: 'policy file', path: '/w/policy.yaml' };
    expect(await refusalOf([{ name: 'fs.list', path: '/w' }, guarded])).toMatchObject({
      reason: 'what judges, answers or records a run is not changed from within it: /w/policy.yaml',
      instead: 'leave out what is guarded, or ask the person who started the run to make the change',
    });
  });
});
