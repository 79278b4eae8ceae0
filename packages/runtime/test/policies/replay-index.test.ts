import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildIndex,
  canReplayIndexed,
  createLog,
  type Judge,
  openIndex,
  pastCalls,
  readLog,
  replay,
  replayFile,
  replayIndex,
  summarise,
} from '@ambit/audit';
import { answer, type Capability, createRequest, type Grant, type Json, type JsonObject } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { loggedJudge } from '@ambit/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';

const policies = [
  'version: 1\ndefault: needs_approval\n',
  'version: 1\ndefault: blocked\ncapabilities: { fs: { decision: needs_approval }, fs.read: pre_approved }\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.write: { decision: pre_approved, match: { path: /w/**, bytes: { to: 5 } } }\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.write: { decision: pre_approved, when: { "==": [{ var: args.text }, a] } }\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.write: { decision: pre_approved, when: { "==": [{ var: context.env }, ci] } }\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs: { decision: pre_approved, below: true }\ntogether:\n  - { id: t, capabilities: [fs.read, fs.write], within: run, decision: blocked }\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.read: { decision: pre_approved, until: 2026-11-21T00:00:00Z }\n',
  'version: 1\ndefault: needs_approval\ntools: { t.a: blocked, "t.*": { decision: pre_approved, when: { "!!": [{ var: args.history }] } } }\nworkers: { w: { capabilities: { fs.read: pre_approved } } }\n',
].map((text) => {
  const loaded = loadPolicyText('policy.yaml', text, { root: '/w', home: '/h' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  return loaded.policy;
});

/** Texts that look like members of an entry. */
const tricky = [
  'a',
  '","args_digest":"x","context":{}',
  'judgements',
  'ü\u2028',
  'masked:hmac-sha256:0123456789abcdef',
  '{"judgements":[],"reason":null}',
];
const keys = ['text', 'args', 'context', 'history', 'grants', 'judgements', 'reason', 'args_digest', 'tool'];
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...tricky),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const object = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 5 }) as fc.Arbitrary<JsonObject>;
const capability: fc.Arbitrary<Capability> = fc.record(
  {
    name: fc.constantFrom('fs.read', 'fs.write', 'crm.x'),
    path: fc.constantFrom('/w/a', '/w/b', '/etc/x', '/w/masked:hmac-sha256:0123456789abcdef'),
    bytes: fc.constantFrom(1, 9),
    judgements: value,
    'masked:hmac-sha256:0': fc.constant('x'),
  },
  { requiredKeys: ['name'] },
) as unknown as fc.Arbitrary<Capability>;
const made = fc.record({
  capabilities: fc.array(capability, { minLength: 1, maxLength: 2 }),
  tool: fc.constantFrom('t.a', 't.b'),
  worker: fc.constantFrom('w', 'v'),
  args: object,
  context: fc.oneof(fc.constant({ env: 'ci' }), object),
  by: fc.constantFrom(...policies),
  others: fc.boolean(),
  grant: fc.constantFrom('none', 'reference', 'kept', 'ended'),
  day: fc.constantFrom('2026-11-20', '2026-11-21'),
  approved: fc.constantFrom(true, false, null),
  /** Written by something else, in another order. */
  shuffled: fc.boolean(),
});
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

const { decide } = createEngine();

function linesOf(calls: readonly Made[]): string {
  const hash = '0'.repeat(64);
  const history: Capability[] = [];
  const events: Record<string, unknown>[] = [
    { event: 'run', mode: 'x' },
    { event: 'policy', files: [{ name: 'policy.yaml' }] },
  ];
  for (const [
    index,
    { capabilities, tool, worker, args, context, by, others, grant, day, approved, shuffled },
  ] of calls.entries()) {
    const now = Date.parse(`${day}T10:00:00Z`);
    const request = createRequest({
      tool,
      chain: ['main', worker],
      args,
      context,
      capabilities,
      history,
      now,
    });
    const kept = {
      source: 'kept',
      chain: ['main', worker],
      tool,
      args,
      shown: capabilities,
      policies: ['policy.yaml'],
      approval: 'a',
      person: 'ada',
      remember: 'run',
      reach: 'arguments',
    } as const;
    const grants: readonly Grant[] = {
      none: [],
      reference: [{ source: 'reference' as const, worker, tool }],
      kept: [kept],
      ended: [{ ...kept, until: now - index }],
    }[grant];
    const decision = answer(decide(request, [by]), { request, policies: [by], grants });
    const extra = { ...decision.judgements[0], policy: 'workers/w', decision: 'needs_approval', rules: [] };
    const { judgements, reason, instead, ...decided } = decision;
    const call = `call-${index}`;
    const event = {
      event: 'decision',
      call,
      ...(index % 3 === 0 ? { parent: 'call-0' } : {}),
      chain: ['main', worker],
      tool,
      args,
      context,
      history: history.map(({ name }) => name),
      grants,
      ...decided,
      judgements: others ? [...judgements, extra] : judgements,
      reason,
      instead,
      ...(index % 2 === 0 ? { observed: { judgements: [], reason: null } } : {}),
      args_digest: hash,
    };
    events.push({ day, ...(shuffled ? Object.fromEntries(Object.entries(event).reverse()) : event) });
    if (approved !== null)
      events.push({ event: 'approval', call, how: 'person', who: { person: 'a' }, approved });
    if (approved === true || decision.decision === 'pre_approved') history.push(...decision.capabilities);
    events.push({ event: 'outcome', call, outcome: 'completed' });
  }
  return events
    .map(
      ({ day = '2026-11-20', event, ...own }, seq) =>
        `${JSON.stringify({ v: 1, seq, time: `${String(day)}T10:00:00.000Z`, run: 'r', event, ...own, prev: hash, hash: seq.toString(16).padStart(64, '0') })}\n`,
    )
    .join('');
}

const judges = policies.map((policy) => loggedJudge([policy]));
const plainly = async (file: string, judge: Judge) => summarise(replay(readLog(file), judge));

describe('replay', () => {
  it('has the same result from full lines, from partial reading and from an index', async () => {
    const folder = temporaryFolder('ambit-replay-');
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 8 }), async (calls) => {
        number += 1;
        const [file, index] = [join(folder, `${number}.jsonl`), join(folder, `${number}.index`)];
        writeFileSync(file, linesOf(calls));
        expect(await (await buildIndex(file)).save(index)).toBe(true);
        for (const judge of judges) {
          const whole = await plainly(file, judge);
          expect(await replayFile(file, judge)).toEqual(whole);
          expect(await replayFile(file, { decide: judge.decide, keysRead: judge.keysRead })).toEqual(whole);
          const open = await openIndex(file, index);
          if (open === null) throw new Error('the index is not of its log');
          if (canReplayIndexed(judge)) expect(await replayIndex(open, judge)).toEqual(whole);
        }
      }),
      explore(120),
    );
  });

  it('does not use an index for history or time', () => {
    expect(judges.map(canReplayIndexed)).toEqual([true, true, true, true, true, false, false, true]);
    expect(canReplayIndexed({ ...(judges[0] as Judge), reads: null })).toBe(false);
  });
});

describe('an index', () => {
  const sample = (): Made => ({
    capabilities: [{ name: 'fs.read', path: '/w/a' }],
    tool: 't.a',
    worker: 'w',
    args: {},
    context: {},
    by: policies[0] as (typeof policies)[number],
    others: false,
    grant: 'none',
    day: '2026-11-20',
    approved: null,
    shuffled: false,
  });

  async function indexed(count = 3) {
    const folder = temporaryFolder('ambit-index-');
    const [file, index] = [join(folder, 'run.jsonl'), join(folder, 'index')];
    writeFileSync(file, linesOf(Array.from({ length: count }, sample)));
    await (await buildIndex(file)).save(index);
    return { file, index };
  }

  it.each<[string, (of: { file: string; index: string }) => void]>([
    ['that went on', ({ file }) => appendFileSync(file, linesOf([sample()]))],
    [
      'that was changed with the same length',
      ({ file }) => {
        writeFileSync(file, readFileSync(file, 'utf8').replace('/w/a', '/w/b'));
        utimesSync(file, 1, 1);
      },
    ],
    [
      'whose last line was changed',
      ({ file }) =>
        writeFileSync(file, readFileSync(file, 'utf8').replace(/.{20}"\}\n$/, `${'f'.repeat(20)}"}\n`)),
    ],
    ['that was cut', ({ file }) => writeFileSync(file, linesOf([sample()]))],
    ['that was emptied', ({ file }) => writeFileSync(file, '')],
    ['whose index is cut', ({ index }) => writeFileSync(index, readFileSync(index, 'utf8').slice(0, 40))],
    [
      'whose index is cut at its end',
      ({ index }) => writeFileSync(index, readFileSync(index, 'utf8').slice(0, -40)),
    ],
    [
      'whose index is of another version',
      ({ index }) =>
        writeFileSync(index, readFileSync(index, 'utf8').replace(/"ambit_index":\d/, '"ambit_index":1')),
    ],
  ])('is rejected for a log %s', async (_, change) => {
    const made = await indexed();
    expect(await openIndex(made.file, made.index)).not.toBeNull();
    change(made);
    expect(await openIndex(made.file, made.index)).toBeNull();
  });

  it('replays nothing from a damaged level', async () => {
    const { file, index } = await indexed();
    writeFileSync(index, readFileSync(index, 'utf8').replaceAll('/w/', '/v/'));
    const [plain] = judges as [Judge];
    const open = await openIndex(file, index);
    expect(open && (await replayIndex(open, plain))).toBeNull();
  });

  it('leaves out arguments that differ so much that they would fill the memory', async () => {
    const { file, index } = await indexed();
    const calls = Array.from({ length: 5 }, (_, number) => ({
      ...sample(),
      args: { text: `${number}`.repeat(300) },
    }));
    writeFileSync(file, linesOf(calls));
    const [plain, , , byArguments] = judges as [Judge, Judge, Judge, Judge];
    const built = await buildIndex(file, 1000);
    expect(await replayIndex(built, plain)).toEqual(await plainly(file, plain));
    expect(await replayIndex(built, byArguments)).toBeNull();
    await built.save(index);
    const open = await openIndex(file, index);
    if (open === null) throw new Error('the index is not of its log');
    expect(await replayIndex(open, plain)).toEqual(await plainly(file, plain));
    expect(await replayIndex(open, byArguments)).toBeNull();
  });

  it('is not saved for a log that grew meanwhile', async () => {
    const { file, index } = await indexed();
    const built = await buildIndex(file);
    appendFileSync(file, linesOf([sample()]));
    expect(await built.save(index)).toBe(false);
  });
});

describe('a log in segments', () => {
  it('is replayed, indexed and learnt from as a whole', async () => {
    const file = join(temporaryFolder('ambit-segments-'), 'run.jsonl');
    const log = await createLog({ file, run: 'r', key: new Uint8Array(32), rotate: { entries: 5 } });
    const now = Date.parse('2026-11-20T10:00:00Z');
    const [by] = policies as [(typeof policies)[number]];
    const files = [{ name: 'policy.yaml', sha256: '', source: '' }];
    await log.append([{ now, event: 'policy', files }]);
    for (let index = 0; index < 12; index += 1) {
      const shown = { tool: 't.a', chain: ['w'] as const, args: { text: `ü ${index}` }, context: {} };
      const capabilities: [Capability] = [{ name: 'fs.write', path: `/w/${index}`, bytes: index }];
      const request = createRequest({ ...shown, capabilities, history: [], now });
      const call = `call-${index}`;
      await log.append([
        { now, event: 'decision', call, ...shown, history: [], grants: [], ...decide(request, [by]) },
      ]);
      await log.append([
        {
          now,
          event: 'approval',
          call,
          how: 'person',
          who: { person: 'a' },
          approved: true,
          keep: null,
          edited: false,
          note: null,
          question: null,
        },
        { now, event: 'outcome', call, outcome: 'completed' },
      ]);
    }
    await log.close();
    const index = join(file, '..', 'index');
    await (await buildIndex(file)).save(index);
    for (const judge of judges) {
      const whole = await plainly(file, judge);
      expect(whole.calls).toBe(12);
      expect(await replayFile(file, judge)).toEqual(whole);
      const open = await openIndex(file, index);
      if (open !== null && canReplayIndexed(judge)) expect(await replayIndex(open, judge)).toEqual(whole);
    }
    expect(await openIndex(file, index)).not.toBeNull();
    const past = await pastCalls('run.jsonl', readLog(file));
    expect(new Set(past.map(({ log: segment }) => segment)).size).toBeGreaterThan(3);
    expect(past.every(({ fate }) => fate === 'approved')).toBe(true);
  });
});
