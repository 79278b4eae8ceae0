import { join } from 'node:path';
import { createLog } from '@ambit/audit';
import type { NonEmpty } from '@ambit/core';
import type { LogEvent } from '@ambit/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';

const day = Date.UTC(2026, 10, 20, 10);

type Decision = 'pre_approved' | 'needs_approval' | 'blocked';

interface Made {
  readonly call: string;
  readonly tool: string;
  readonly chain: NonEmpty<string>;
  readonly decision: Decision;
  readonly rule: string;
  readonly capability: string;
  readonly at: number;
  readonly args?: Record<string, string>;
}

function decision({ call, tool, chain, decision: said, rule, capability, at, args = {} }: Made): LogEvent {
  return {
    now: at,
    event: 'decision',
    call,
    chain,
    tool,
    args,
    context: {},
    history: [],
    grants: [],
    decision: said,
    capabilities: [{ name: capability }],
    judgements: [
      {
        capability: 0,
        policy: 'policy.yaml',
        decision: said,
        default: false,
        rules: [
          { id: rule, at: 'policy.yaml:3:5', decision: said },
          { id: 'reads', at: 'policy.yaml:4:5', decision: 'pre_approved' },
        ],
        undecided: [],
        answer: said === 'needs_approval' ? 'any' : null,
        answered_by: null,
      },
    ],
    reason: said === 'blocked' ? '=HYPERLINK("http://x.example","\u202ea")' : null,
    instead: null,
  };
}

function approval(call: string, at: number, person: string, approved = true): LogEvent {
  return {
    now: at,
    event: 'approval',
    call,
    how: 'person',
    who: { person, approval: `a-${call}` },
    approved,
    keep: null,
    edited: false,
    note: null,
    question: null,
  };
}

const events: NonEmpty<LogEvent> = [
  {
    now: day,
    event: 'run',
    version: '1.0',
    user: 'ann',
    machine: 'box',
    mode: 'interactive',
    context: {},
    workers: {},
    toolsets: {},
  },
  decision({
    call: 'c1',
    tool: 'fs.read',
    chain: ['main'],
    decision: 'pre_approved',
    rule: 'reads',
    capability: 'fs.read',
    at: day,
  }),
  { now: day, event: 'outcome', call: 'c1', outcome: 'completed' },
  decision({
    call: 'c2',
    tool: 'fs.write',
    chain: ['main', 'helper'],
    decision: 'needs_approval',
    rule: 'asks',
    capability: 'fs.write.outside',
    at: day + 1000,
  }),
  approval('c2', day + 1500, 'ann'),
  { now: day + 1500, event: 'outcome', call: 'c2', outcome: 'completed' },
  decision({
    call: 'c3',
    tool: 'fs.write',
    chain: ['main', 'helper'],
    decision: 'needs_approval',
    rule: 'asks',
    capability: 'fs.write.outside',
    at: day + 2000,
  }),
  approval('c3', day + 9000, 'bob', false),
  {
    now: day + 9000,
    event: 'outcome',
    call: 'c3',
    outcome: 'refused',
    code: 'denied',
    reason: 'bob refused',
  },
  decision({
    call: 'c4',
    tool: 'net.get',
    chain: ['main'],
    decision: 'blocked',
    rule: 'no-net',
    capability: 'net.connect',
    at: day + 86_400_000,
  }),
  { now: day + 86_400_000, event: 'outcome', call: 'c4', outcome: 'refused', code: 'blocked', reason: 'no' },
  decision({
    call: 'c5',
    tool: 'fs.read',
    chain: ['main'],
    decision: 'pre_approved',
    rule: 'reads',
    capability: 'fs.read',
    at: day + 86_400_000,
  }),
];

let folder = '';
beforeAll(async () => {
  folder = folderOf();
  const log = await createLog({ file: join(folder, 'run.jsonl'), run: 'run-1', key: Buffer.alloc(32) });
  await log.append(events);
  await log.close();
});

const calls = async (...flags: readonly string[]) => {
  const { exit, out } = await ambit(['log', 'query', 'run.jsonl', '--json', ...flags], { folder });
  return { exit, calls: jsonLines(out).map((row) => (row as { call: string }).call) };
};

describe('log query', () => {
  it('prints each call as a line, with decision, reason, approver and outcome', async () => {
    const { exit, out } = await ambit(
      ['log', 'query', 'run.jsonl', '--tool', 'fs.write', '--person', 'ann'],
      { folder },
    );
    expect({ exit, out }).toEqual({
      exit: 0,
      out: '2026-11-20T10:00:01.000Z  c2  main > helper  fs.write  needs_approval  asks  approved by person ann  completed\n',
    });
  });

  it('finds the calls that a kept answer of a person allowed, and refuses a part of the id of a rule', async () => {
    const log = await createLog({ file: join(folder, 'kept.jsonl'), run: 'kept', key: Buffer.alloc(32) });
    const who = [{ by: 'kept' as const, approval: 'a-c0', person: 'ann' }];
    const source = 'default: blocked\ncapabilities:\n  x: [{ id: never-applied, decision: blocked }]\n';
    const file = { name: 'policy.yaml', sha256: '0'.repeat(64), source };
    await log.append([
      events[0],
      { now: day, event: 'policy', files: [file] },
      events[1] as LogEvent,
      { ...approval('c1', day, 'ann'), how: 'grant', who } as LogEvent,
      events[2] as LogEvent,
    ]);
    await log.close();
    const query = (...flags: readonly string[]) =>
      ambit(['log', 'query', 'kept.jsonl', ...flags], { folder });
    expect((await query('--person', 'ann')).out).toContain('approved by an answer of ann (a-c0)');
    expect((await query('--rule', 'never-applied')).exit).toBe(0);
    expect(await query('--rule', 'never-appl')).toMatchObject({
      exit: 2,
      err: 'ambit: no policy of these logs has the rule `never-appl`\nhint: rules that applied: reads\n',
    });
    const tail = await ambit(['log', 'tail', 'kept.jsonl'], { folder });
    expect(tail.out).toContain('approved  an answer of ann (a-c0)');
  });

  it('describes each call in one line, shortened and without control characters', async () => {
    const of = (call: string, args: Record<string, string>): LogEvent =>
      decision({
        call,
        tool: 'shell.run',
        chain: ['main'],
        decision: 'pre_approved',
        rule: 'asks',
        capability: 'proc.exec',
        at: day,
        args,
      });
    const file = join(folder, 'done.jsonl');
    const log = await createLog({ file, run: 'done', key: Buffer.alloc(32) });
    await log.append([
      { ...(events[0] as LogEvent) },
      of('d1', { command: 'git  push\n\u001b[2J' }),
      of('d2', { command: 'x'.repeat(300) }),
    ]);
    await log.close();
    const { out } = await ambit(['log', 'query', 'done.jsonl'], { folder });
    expect(out.split('\n').map((line) => line.split('  ')[3])).toEqual([
      'shell.run git push \\u{1b}[2J',
      `shell.run ${'x'.repeat(80)}…`,
      undefined,
    ]);
    // Neither has an outcome: the word is the one that `--outcome` takes.
    expect(out.match(/ {2}open$/gm)).toHaveLength(2);
    const rows = jsonLines((await ambit(['log', 'query', 'done.jsonl', '--json'], { folder })).out);
    expect(rows.map((row) => (row as { subject: string }).subject.length)).toEqual([14, 300]);
  });

  it.each([
    [[], ['c1', 'c2', 'c3', 'c4', 'c5']],
    [
      ['--tool', 'fs'],
      ['c1', 'c2', 'c3', 'c5'],
    ],
    [
      ['--tool', 'fs.read', '--tool', 'net.get'],
      ['c1', 'c4', 'c5'],
    ],
    [
      ['--worker', 'helper'],
      ['c2', 'c3'],
    ],
    [['--worker', 'help'], []],
    [
      ['--capability', 'fs.write'],
      ['c2', 'c3'],
    ],
    [['--decision', 'blocked'], ['c4']],
    [['--since', '1h'], []],
    [['--rule', 'asks', '--outcome', 'denied'], ['c3']],
    [['--outcome', 'open'], ['c5']],
    [['--person', 'bob'], ['c3']],
    [
      ['--since', '2026-11-21'],
      ['c4', 'c5'],
    ],
    [
      ['--until', '2026-11-20T10:00:01Z'],
      ['c1', 'c2'],
    ],
    [
      ['--since', '2026-11-20', '--until', '2026-11-20'],
      ['c1', 'c2', 'c3'],
    ],
  ])('with %j finds %j', async (flags, expected) => {
    expect(await calls(...flags)).toEqual({ exit: 0, calls: expected });
  });

  it.each([
    ['--since', 'yesterday'],
    ['--decision', 'approved'],
    ['--outcome', 'refused'],
    ['--until', '2026-13-01'],
    ['--since', '2026-02-30'],
    ['--since', '2026-02-30T10:00:00Z'],
    ['--rule', 'no-such-rule'],
    ['--since', '1y'],
  ])('refuses %s %s', async (...flag) => {
    expect((await calls(...flag)).exit).toBe(2);
  });
});

describe('log query with --since after --until', () => {
  it('says that no time is between them', async () => {
    const times = ['--since', '2026-11-20T10:00:00Z', '--until', '2020-01-01'];
    expect(await ambit(['log', 'query', 'run.jsonl', ...times], { folder })).toEqual({
      exit: 2,
      out: '',
      err: `ambit: no time is between --since 2026-11-20T10:00:00.000Z and --until 2020-01-01T23:59:59.999Z
hint: give an earlier time for --since, or a later one for --until
`,
    });
  });
});

describe('log query with a name that no call has', () => {
  it.each([
    ['worker', 'hepler', 'did you mean helper?'],
    ['tool', 'fs.raed', 'did you mean fs.read?'],
    ['tool', 'nett', 'did you mean net?'],
    ['tool', 'read', 'did you mean fs.read?'],
    ['capability', 'fs.wirte.outside', 'did you mean fs.write.outside?'],
    ['person', 'carla', 'ambit log query --help'],
  ])('says on stderr that no %s is %s', async (kind, name, hint) => {
    const ran = await ambit(['log', 'query', 'run.jsonl', `--${kind}`, name], { folder });
    expect(ran).toEqual({
      exit: 0,
      out: '',
      err: `ambit: no call of these logs has the ${kind} \`${name}\`\nhint: ${hint}\n`,
    });
  });

  it('says nothing if a call has it that another filter leaves out', async () => {
    const argv = ['log', 'query', 'run.jsonl', '--worker', 'helper', '--tool', 'net', '--json'];
    expect(await ambit(argv, { folder })).toEqual({ exit: 0, out: '', err: '' });
  });
});

describe('the order of log query', () => {
  it('is that of the outcomes', async () => {
    const [run, first, ended, second] = events as [LogEvent, LogEvent, LogEvent, LogEvent];
    const log = await createLog({ file: join(folder, 'mixed.jsonl'), run: 'mixed', key: Buffer.alloc(32) });
    await log.append([
      run,
      first,
      second,
      { now: day, event: 'outcome', call: 'c2', outcome: 'completed' },
      ended,
    ]);
    await log.close();
    const { out } = await ambit(['log', 'query', 'mixed.jsonl', '--json'], { folder });
    expect(jsonLines(out).map((row) => (row as { call: string }).call)).toEqual(['c2', 'c1']);
  });
});

describe('log stats', () => {
  it('shows deciding rules, questions, approvers and response times', async () => {
    const { exit, out } = await ambit(['log', 'stats', 'run.jsonl', '--json'], { folder });
    expect({ exit, ...(JSON.parse(out) as object) }).toMatchObject({
      exit: 0,
      calls: 5,
      runs: 1,
      decisive: [
        { name: 'asks', count: 2, decision: 'needs_approval' },
        { name: 'reads', count: 2, decision: 'pre_approved' },
        { name: 'no-net', count: 1, decision: 'blocked' },
      ],
      questions: [
        { name: 'fs.write (fs.write.outside), because of asks', count: 2, approved: 1, refused: 1 },
      ],
      people: [
        { person: 'ann', approved: 1, refused: 0 },
        { person: 'bob', approved: 0, refused: 1 },
      ],
      fatigue: {
        asked: 2,
        per_run: 2,
        per_hundred_calls: 40,
        equal: 1,
        median_answer: 500,
        approved_at_once: 1,
      },
    });
  });

  it('has a readable form', async () => {
    const { out } = await ambit(['log', 'stats', 'run.jsonl'], { folder });
    expect(out).toMatch(/^5 calls in 1 run, from /);
    expect(out).toContain(
      'rules that decided\n  2  asks: needs_approval\n  2  reads: pre_approved\n  1  no-net: blocked\n',
    );
    expect(out).toContain('  2 questions: 2 a run, 40 in a hundred calls; 1 repeated an earlier one\n');
  });
});

describe('log export', () => {
  it('writes CSV without formulas or cursor movements', async () => {
    const { exit, out } = await ambit(['log', 'export', 'run.jsonl', '--format', 'csv'], { folder });
    const lines = out.split('\r\n');
    expect(exit).toBe(0);
    expect(lines).toHaveLength(7);
    expect(lines[0]).toContain('"time","run","call"');
    expect(lines[4]).toContain(`"'=HYPERLINK(""http://x.example""`);
    expect(out).not.toContain('\u202e');
  });

  it('writes events of the class API Activity', async () => {
    const { out } = await ambit(['log', 'export', 'run.jsonl', '--format', 'ocsf', '--outcome', 'denied'], {
      folder,
    });
    expect(jsonLines(out)).toMatchObject([
      {
        class_uid: 6003,
        category_uid: 6,
        activity_id: 3,
        type_uid: 600303,
        time: day + 2000,
        severity_id: 1,
        status_id: 2,
        status_code: 'denied',
        metadata: { version: '1.6.0', uid: 'run-1:c3', product: { name: 'ambit', version: '1.0' } },
        actor: { user: { name: 'ann' } },
        api: { operation: 'fs.write' },
        src_endpoint: { hostname: 'box' },
        unmapped: { decision: 'needs_approval', rules: ['asks'] },
      },
    ]);
  });

  it('refuses an unknown format', async () => {
    expect((await ambit(['log', 'export', 'run.jsonl', '--format', 'xml'], { folder })).exit).toBe(2);
  });
});
