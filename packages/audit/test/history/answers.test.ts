import { callRows, formatRow, type LogEntry, pastCalls, statisticsOf } from '@ambit/audit';
import { describe, expect, it } from 'vitest';

function linesOf(events: readonly Readonly<Record<string, unknown>>[]) {
  return events.map(({ at = 0, ...event }, seq) => ({
    line: seq + 1,
    entry: {
      v: 1,
      seq,
      time: new Date(Date.parse('2026-11-20T10:00:00Z') + Number(at) * 1000).toISOString(),
      run: 'r',
      prev: '',
      hash: '',
      ...event,
    } as unknown as LogEntry,
  }));
}

const decided = (call: string, decision = 'needs_approval') => ({
  event: 'decision',
  call,
  chain: ['w'],
  tool: 't.a',
  args: {},
  context: {},
  history: [],
  grants: [],
  decision,
  capabilities: [{ name: 'fs.write', path: '/w/a' }],
  judgements: [],
});
const answer = (call: string, more: object = {}) => ({
  event: 'approval',
  call,
  how: 'person',
  who: { person: 'ada' },
  approved: true,
  edited: false,
  ...more,
});
const part = (number: number, id = `q.${number}`) => ({ question: { id, part: { number, of: 2 } } });
const outcome = (call: string, more: object = { outcome: 'completed' }) => ({
  event: 'outcome',
  call,
  ...more,
});

describe('pastCalls', () => {
  it.each<[string, readonly object[], string]>([
    ['was approved', [decided('c'), answer('c')], 'approved'],
    ['was approved in both parts', [decided('c'), answer('c', part(1)), answer('c', part(2))], 'approved'],
    [
      'was approved in one part, and ran by an answer that was given before',
      [decided('c'), answer('c', part(1)), outcome('c')],
      'approved',
    ],
    ['was approved in one part alone', [decided('c'), answer('c', part(1))], 'none'],
    [
      'was approved in one part, and refused',
      [decided('c'), answer('c', part(1)), answer('c', { ...part(2), approved: false })],
      'refused',
    ],
    [
      'was approved in one part, and had no answer in the other',
      [
        decided('c'),
        answer('c', part(1)),
        answer('c', { ...part(2), how: 'timeout', who: null, approved: false }),
        outcome('c', { outcome: 'refused', code: 'unanswered' }),
      ],
      'none',
    ],
    [
      'was approved, and had no answer when asked again',
      [decided('c'), answer('c'), answer('c', { how: 'timeout', who: null, approved: false })],
      'none',
    ],
    ['was refused', [decided('c'), answer('c', { approved: false })], 'refused'],
    [
      'was refused, and had no answer when asked again',
      [
        decided('c'),
        answer('c', { approved: false }),
        answer('c', { how: 'timeout', who: null, approved: false }),
      ],
      'refused',
    ],
    [
      'was repeated after a refusal',
      [decided('c'), outcome('c', { outcome: 'refused', code: 'denied' })],
      'refused',
    ],
    ['was edited', [decided('c'), answer('c', { edited: true })], 'edited'],
    ['does not say whether it was edited', [decided('c'), answer('c', { edited: undefined })], 'edited'],
    ['was blocked', [decided('c', 'blocked')], 'blocked'],
    ['was answered by a mode', [decided('c'), answer('c', { how: 'mode', who: 'approve_all' })], 'none'],
    ['was answered by an unnamed person', [decided('c'), answer('c', { who: {} })], 'none'],
  ])('gives the fate of a call that %s', async (_, events, fate) => {
    const calls = await pastCalls('l', linesOf(events as readonly Record<string, unknown>[]));
    expect(calls.map((call) => call.fate)).toEqual([fate]);
  });

  it.each([
    { capabilities: [null] },
    { capabilities: [{ name: 'fs.write' }, { name: 7 }] },
    { capabilities: [] },
    { chain: [7] },
    { tool: null },
    { grants: [null] },
    { judgements: [null] },
  ])('names a decision with a member of another kind: %j', async (more) => {
    const lines = linesOf([decided('a'), { ...decided('b'), ...more }]);
    const calls = pastCalls('l', lines, { members: () => 'none' });
    await expect(calls).rejects.toThrow('entry 1 is not a decision on a call');
  });

  it('names calls after untrusted content, by permits and by recorded names', async () => {
    const read = { ...decided('a', 'pre_approved'), capabilities: [{ name: 'content.untrusted.web' }] };
    const permits = { ...decided('b'), history: undefined };
    const named = { ...decided('c'), history: ['content.untrusted.web'] };
    const clean = decided('d');
    const lines = linesOf([clean, { ...read, history: undefined }, permits]);
    expect((await pastCalls('l', lines)).map((call) => call.untrusted)).toEqual([false, false, true]);
    const later = (await pastCalls('l', linesOf([clean, named, decided('e')]))).map(
      ({ untrusted }) => untrusted,
    );
    expect(later).toEqual([false, true, false]);
  });

  it('visits each permit a few times, even in a long run', async () => {
    let looks = 0;
    const events = Array.from({ length: 500 }, (_, at) => ({
      ...decided(`c${at}`, 'pre_approved'),
      history: undefined,
      capabilities: [
        {
          get name() {
            looks += 1;
            return 'fs.write';
          },
        },
      ],
    }));
    expect(await pastCalls('l', linesOf(events))).toHaveLength(500);
    expect(looks).toBeLessThan(500 * 10);
  });
});

describe('formatRow', () => {
  it.each([
    ['a person', {}, 'approved by person ada'],
    ['a time limit', { how: 'timeout', who: null, approved: false }, 'not approved (timeout)'],
  ])('says how a question ended by %s', async (_, more, words) => {
    const rows = [];
    for await (const row of callRows(linesOf([decided('a'), answer('a', more), outcome('a')])))
      rows.push(row);
    expect(rows.map(formatRow)).toEqual([expect.stringContaining(`  ${words}  completed`)]);
  });
});

describe('statisticsOf', () => {
  it('counts a shared question once, and each part of a call', async () => {
    const together = { question: { id: 'a.1', calls: ['a', 'b'] } };
    const lines = linesOf([
      decided('a'),
      decided('b'),
      { ...answer('a', together), at: 1 },
      { ...answer('b', together), at: 1 },
      decided('c'),
      { ...answer('c', part(1, 'c.1')), at: 5 },
      { ...answer('c', part(2, 'c.2')), at: 9 },
    ]);
    const { people, fatigue } = await statisticsOf(callRows(lines));
    expect({ people, fatigue }).toEqual({
      people: [{ person: 'ada', approved: 3, refused: 0 }],
      fatigue: {
        asked: 3,
        per_run: 3,
        per_hundred_calls: 100,
        equal: 2,
        median_answer: 4000,
        approved_at_once: 1,
      },
    });
  });

  it('counts what a mode and kept answers approved without a question', async () => {
    const by = (call: string, how: string, who: string) => ({ ...answer(call), how, who });
    const lines = linesOf([
      ...['a', 'b', 'c', 'd'].map((call) => decided(call)),
      { ...by('a', 'mode', 'approve_all') },
      { ...by('b', 'mode', 'approve_all') },
      { ...by('c', 'grant', 'an answer of ada (g-1)') },
      { ...answer('d'), at: 1 },
    ]);
    const { unasked, fatigue } = await statisticsOf(callRows(lines));
    expect([unasked, fatigue.asked]).toEqual([
      [
        { name: 'approved by mode approve_all', count: 2 },
        { name: 'approved by an answer of ada (g-1)', count: 1 },
      ],
      1,
    ]);
  });

  it('counts the time to an answer from the first refused try', async () => {
    const tried = (call: string, at: number, digest = 'd') => ({ ...decided(call), at, args_digest: digest });
    const unanswered = { outcome: 'refused', code: 'unanswered' };
    const lines = linesOf([
      tried('a', 0),
      outcome('a', unanswered),
      tried('b', 20),
      outcome('b', unanswered),
      tried('c', 30),
      { ...answer('c'), at: 30 },
      { ...outcome('c'), at: 31 },
      // Of another call, and of the same one after its answer.
      tried('d', 40, 'e'),
      { ...answer('d'), at: 41 },
      tried('e', 50),
      { ...answer('e'), at: 53 },
    ]);
    const rows = [];
    for await (const { call, answer: given } of callRows(lines)) rows.push([call, given?.after ?? null]);
    expect(rows).toEqual([
      ['a', null],
      ['b', null],
      ['c', 30_000],
      ['d', 1000],
      ['e', 3000],
    ]);
    const { people, fatigue, load } = await statisticsOf(callRows(lines));
    expect(people).toEqual([{ person: 'ada', approved: 3, refused: 0 }]);
    expect([fatigue.asked, load.questions]).toEqual([3, 3]);
  });

  it('counts a question that waits for its answer, once for all tries of the call', async () => {
    const tried = (call: string, digest: string) => ({ ...decided(call), args_digest: digest });
    const unanswered = { outcome: 'refused', code: 'unanswered' };
    const calls = ['a', 'b', 'c'].flatMap((call, index) => [
      tried(call, index < 2 ? 'd' : 'e'),
      outcome(call, unanswered),
    ]);
    const { questions, people, load } = await statisticsOf(callRows(linesOf(calls)));
    expect(questions).toMatchObject([{ count: 2, approved: 0, refused: 0 }]);
    expect([people, load.questions]).toEqual([[], 2]);
  });
});

describe('approval load', () => {
  const asked = (call: string, rule: string, at: number) => ({
    at,
    ...decided(call),
    judgements: [
      {
        capability: 0,
        policy: 'p.yaml',
        decision: 'needs_approval',
        default: false,
        rules: [{ id: rule, at: 'p.yaml:1:1', decision: 'needs_approval' }],
        undecided: [],
      },
    ],
  });
  const answers = (rule: string, from: number, waits: readonly (number | 'no')[]) =>
    waits.flatMap((wait, index) => {
      const [call, at] = [`${rule}-${index}`, from + index * 60];
      const seconds = wait === 'no' ? 1 : wait;
      return [
        asked(call, rule, at),
        answer(call, { at: at + seconds, approved: wait !== 'no' }),
        outcome(call),
      ];
    });
  const loadOf = async (events: readonly Readonly<Record<string, unknown>>[]) =>
    (await statisticsOf(callRows(linesOf(events)))).load;

  it('counts questions per active hour, by rule', async () => {
    const events = [...answers('build', 0, [1, 3, 'no']), ...answers('push', 7200, [9])];
    expect(await loadOf([...events, { at: 10_800, ...decided('free', 'pre_approved') }])).toEqual({
      questions: 4,
      hours: 3,
      per_hour: 1.33,
      busiest: { hour: '2026-11-20T10', questions: 3 },
      rules: [
        { rule: 'build', questions: 3, per_hour: 1, approved: 2, refused: 1, at_once: 1, hardly_read: false },
        {
          rule: 'push',
          questions: 1,
          per_hour: 0.33,
          approved: 1,
          refused: 0,
          at_once: 0,
          hardly_read: false,
        },
      ],
    });
  });

  it('counts for the rules that asked, and not for those that a grant answered or that judged later', async () => {
    const [answered] = asked('c', 'answered', 0).judgements;
    const events = [
      {
        ...asked('c', 'asks', 0),
        judgements: [...asked('c', 'asks', 0).judgements, { ...answered, answered_by: { by: 'kept' } }],
      },
      { at: 5, ...answer('c') },
      { ...asked('c', 'later', 6), decision: 'pre_approved' },
      { at: 7, ...outcome('c') },
    ];
    const { rules } = await loadOf(events);
    expect(rules.map(({ rule, questions, approved }) => [rule, questions, approved])).toEqual([
      ['asks', 1, 1],
    ]);
  });

  it.each<[boolean, string, readonly (number | 'no')[]]>([
    [true, 'ten of ten', [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]],
    [true, 'ten of eleven', [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 'no']],
    [false, 'nine of ten', [1, 1, 1, 1, 1, 1, 1, 1, 1, 3]],
    [false, 'four of four, which are few', [1, 1, 1, 1]],
  ])(
    'reports hardly read questions (%s) if %s answers are yes within two seconds',
    async (hardly, _, waits) => {
      const { rules } = await loadOf(answers('build', 0, waits));
      expect(rules.map(({ hardly_read }) => hardly_read)).toEqual([hardly]);
    },
  );

  it('is zero in a log without calls', async () => {
    expect(await loadOf([])).toEqual({ questions: 0, hours: 0, per_hour: 0, busiest: null, rules: [] });
  });
});
