import { bearingOnLearning, formatLearning, type LogEntry, learn, pastCalls } from '@ambit/audit';
import { type Capability, createRequest, type Decision, isStricter, settle } from '@ambit/core';
import { loadPolicies, type PolicyWorld } from '@ambit/policy';
import { loggedJudge, policyTrials } from '@ambit/runtime';
import { wellKnown } from '@ambit/toolsets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';

/** A call, and what happened to it: `yes` and `no` are a person's, `edit` a yes to something else. */
interface Happened {
  readonly capabilities: readonly Capability[];
  readonly said: 'yes' | 'no' | 'edit' | 'nobody' | 'mode';
  readonly worker?: string;
  readonly tool?: string;
  readonly history?: readonly string[];
  readonly run?: string;
}

const world = (files: Readonly<Record<string, string>>): PolicyWorld => ({
  root: '/w',
  home: '/home/ada',
  read: async (name) => Buffer.from(files[name] ?? ''),
});

async function trialsOf(text: string, others: Readonly<Record<string, string>> = {}) {
  const files = { 'policy.yaml': text, ...others };
  const names = Object.keys(files) as [string, ...string[]];
  const loaded = await loadPolicies(names, world(files));
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const trials = policyTrials(loaded, { files: names, world: world(files) });
  return { trials, judge: loggedJudge(loaded.policies) };
}

/** The lines of a log in which these calls were judged under the policy, and answered. */
function linesOf(calls: readonly Happened[], judge: ReturnType<typeof loggedJudge>) {
  const events = calls.flatMap((happened, index) => {
    const {
      capabilities,
      said,
      worker = 'w',
      tool = 'filesystem.write_file',
      history = [],
      run = 'r',
    } = happened;
    const request = createRequest({
      tool,
      chain: ['main', worker],
      args: {},
      context: {},
      history: [],
      now: 0,
      capabilities,
    });
    const decision = judge.decide(request, []);
    const call = `c${index}`;
    const decided = {
      run,
      event: 'decision',
      call,
      chain: ['main', worker],
      tool,
      args: {},
      context: {},
      history,
      grants: [],
      ...decision,
    };
    if (decision.decision !== 'needs_approval' || said === 'nobody') return [decided];
    const who = said === 'mode' ? 'approve_all' : { person: 'ada', approval: `a${index}` };
    const how = said === 'mode' ? 'mode' : 'person';
    return [
      decided,
      { run, event: 'approval', call, how, who, approved: said !== 'no', edited: said === 'edit' },
    ];
  });
  const files = [{ name: 'policy.yaml' }, { name: 'other.yaml' }];
  const first = ['r', 'other', 'third'].map((run) => ({ run, event: 'policy', files }));
  return [...first, ...events].map((event, seq) => ({
    line: seq + 1,
    entry: {
      v: 1,
      seq,
      time: '2026-11-20T10:00:00.000Z',
      prev: '',
      hash: '',
      ...event,
    } as unknown as LogEntry,
  }));
}

async function learnt(
  calls: readonly Happened[],
  given: {
    readonly policy?: string;
    readonly others?: Readonly<Record<string, string>>;
    readonly reach?: 'file' | 'folder' | 'program' | 'capability';
    readonly widen?: boolean;
  } = {},
) {
  const { trials, judge } = await trialsOf(
    given.policy ?? 'version: 1\ndefault: needs_approval\n',
    given.others,
  );
  const past = await pastCalls('run.jsonl', linesOf(calls, judge));
  const reach = given.reach ?? 'folder';
  const { widen = false } = given;
  const { target, root, files, tryRules } = trials;
  const options = { target, reach, root, files, widen, tryRules };
  const learning = await learn(past, options);
  // As the command line reads a log: it forgets calls that cannot matter, and arguments that no rule reads.
  const matters = bearingOnLearning(judge);
  const args = judge.reads?.args !== false;
  const bearing = await pastCalls('run.jsonl', linesOf(calls, judge), { matters, args });
  expect(await learn(bearing, options)).toEqual(learning);
  return { learning, past, trials, words: learning.proposals.map(({ words }) => words) };
}

const write = (path: string, said: Happened['said'] = 'yes', more: Partial<Happened> = {}): Happened => ({
  capabilities: [{ name: 'fs.write', path, bytes: 3, exists: false }],
  said,
  ...more,
});

const obstacles = ({ learning }: Awaited<ReturnType<typeof learnt>>) =>
  learning.left.map(({ obstacle, about, calls }) => [obstacle, about, calls]);

describe('learn', () => {
  it('proposes the narrowest rule for a single approval', async () => {
    expect((await learnt([write('/w/out/a')])).words).toEqual([
      'fs.write, path /w/out/a, by w through filesystem.write_file',
    ]);
  });

  it('chooses a wider reach if one rule then replaces several, and reports what it newly covers', async () => {
    const { learning, words } = await learnt([
      write('/w/out/a'),
      write('/w/out/c'),
      write('/w/out/d', 'nobody'),
      write('/w/out/a'),
    ]);
    expect(words).toEqual([
      'fs.write, path below /w/out without a dot in its name, by w through filesystem.write_file',
    ]);
    expect(learning).toMatchObject({
      approvals: 3,
      answered: 3,
      fewest: { exact: true, atLeast: 1 },
      proposals: [
        {
          saves: 3,
          people: ['ada'],
          covers: [
            { capability: { path: '/w/out/d' }, entry: { seq: 7 } },
            { capability: { path: '/w/out/another' }, entry: null },
            { capability: { path: '/w/out/deeper/down' }, entry: null },
          ],
          not: { path: '/w/elsewhere/a' },
        },
      ],
    });
  });

  it.each([2 ** 60, '\ud800'])('drops a rule that no policy file can hold, and no other: %j', async (n) => {
    const odd: Happened = { capabilities: [{ name: 'crm.a', n }], said: 'yes' };
    const { learning, words } = await learnt([write('/w/out/a'), odd, write('/w/b')]);
    expect(words).toEqual([
      'fs.write, path /w/out/a, by w through filesystem.write_file',
      'fs.write, path /w/b, by w through filesystem.write_file',
    ]);
    const names = learning.dropped.map((one) => one.words.slice(0, 5));
    expect([...new Set(names)]).toEqual(['crm.a']);
  });

  it('reports as newly covered only what the rule then permits', async () => {
    const open = ['.hidden', 'k.pem', 'draft.md', 'd'].map((name) => write(`/w/out/${name}`, 'nobody'));
    const policy =
      'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.write: { decision: needs_approval, match: { path: "**/draft.*" } }\n';
    const { learning } = await learnt([write('/w/out/a'), write('/w/out/c'), ...open], { policy });
    const covers = learning.proposals.flatMap((proposal) => proposal.covers);
    expect(covers.flatMap(({ capability: { path }, entry }) => (entry ? [path] : []))).toEqual(['/w/out/d']);
  });

  it('stays within the folders of approved calls, unless a wider reach is permitted', async () => {
    const docs = ['a', 'b', 'c', 'd', 'e'].map((name) => write(`/w/repo/docs/${name}.md`));
    const calls = [...docs, write('/w/repo/docs')];
    const below = 'fs.write, path below /w/repo/docs ending in .md, by w through filesystem.write_file';
    expect((await learnt(calls)).words).toEqual([
      'fs.write, path /w/repo/docs, by w through filesystem.write_file',
      below,
    ]);
    expect((await learnt(calls, { reach: 'capability' })).words).toContain(below);
    const wide = 'fs.write, path below /w/repo, by w through filesystem.write_file';
    expect((await learnt(calls, { widen: true })).words).toEqual([wide]);
    const deep = await learnt([write('/w/a/x.md'), write('/w/a/b/y.md')]);
    expect(deep.words).toEqual([
      'fs.write, path /w/a/x.md, by w through filesystem.write_file',
      'fs.write, path /w/a/b/y.md, by w through filesystem.write_file',
    ]);
    // All of the root, or of a folder above it.
    const top = [write('/w/x.md'), write('/w/y.md')];
    expect((await learnt(top)).words).toHaveLength(2);
    expect((await learnt(top, { widen: true })).words).toHaveLength(1);
  });

  /** What `learn` proposes where files with these endings were approved in a folder, and what it then decides. */
  async function learntOf(endings: readonly string[]) {
    const files = endings.flatMap((ending) => [`a${ending}`, `b${ending}`]);
    const { trials, learning } = await learnt(files.map((file) => write(`/w/repo/docs/${file}`)));
    const rules = learning.proposals.map(({ rule }) => ({ ...rule, note: 'learnt' }));
    const tried = await trials.tryRules(rules);
    if (!tried.ok) throw new Error(tried.why);
    const decided = (path: string) => {
      const base = { tool: 'filesystem.write_file', chain: ['main', 'w'] as const, args: {}, context: {} };
      const capabilities = [{ name: 'fs.write', path }] as const;
      return tried.judge.decide(createRequest({ ...base, history: [], now: 0, capabilities }), []).decision;
    };
    return { text: trials.withRules(rules), decided };
  }

  it.each([
    [['.md'], '"./repo/docs/**/*.md"'],
    [
      ['.json', '.yml', '.key_2'],
      '["./repo/docs/**/*.json", "./repo/docs/**/*.key_2", "./repo/docs/**/*.yml"]',
    ],
    [[''], '"./repo/docs/*/**"'],
    [['', '.md'], '"./repo/docs/*/**"'],
    [['.a', '.json', '.yml', '.md'], '"./repo/docs/*/**"'],
    [['.~1'], '"./repo/docs/*/**"'],
  ])(
    'covers the endings %j of approved files, and no secret, hidden file or worker file',
    async (endings, pattern) => {
      const { text, decided } = await learntOf(endings);
      expect(text).toContain(`match: { path: ${pattern} }`);
      const places = wellKnown.flatMap((row) => (row.capability === 'secret.read' ? row.places : []));
      const visible = places.filter((place) => place.startsWith('**/') && !place.includes('/.'));
      const stars = ['', 'x', ...endings.map((ending) => `x${ending}`)];
      const secrets = ['x.worker', 'ambit.yaml', '.git/x*', '.x*', ...visible.map((place) => place.slice(3))];
      const names = secrets.flatMap((name) =>
        stars.map((star) => name.replace('**', '*').replaceAll('*', star)),
      );
      expect(names.filter((name) => decided(`/w/repo/docs/x/${name}`) === 'pre_approved')).toEqual([]);
      for (const ending of endings) expect(decided(`/w/repo/docs/deeper/c${ending}`)).toBe('pre_approved');
      const isAny = pattern.endsWith('/*/**"');
      expect(decided('/w/repo/docs/other.txt')).toBe(
        isAny && !endings.every((each) => each === '') ? 'pre_approved' : 'needs_approval',
      );
    },
  );

  it('never covers a well-known secret, a hidden file or a worker file', async () => {
    const { decided } = await learntOf(['', '.md']);
    const names = ['c.md', 'deep/down/d.md', '.env', 'x/.env.local', '.ssh/id', 'id_rsa', 'k/server.pem'];
    const more = ['prod.env', '.git/config', 'evil.worker', 'ambit.yaml', 'credentials.json'];
    expect([...names, ...more].filter((name) => decided(`/w/repo/docs/${name}`) === 'pre_approved')).toEqual([
      'c.md',
      'deep/down/d.md',
    ]);
    expect(decided('/w/repo/.env')).toBe('needs_approval');
  });

  it('learns nothing about a well-known secret', async () => {
    const secrets = [write('/w/repo/.env'), write('/w/repo/.env'), write('/w/repo/key.pem')];
    const read = { capabilities: [{ name: 'secret.read', path: '/w/key' }], said: 'yes' } as const;
    const result = await learnt([...secrets, read]);
    expect(result.words).toEqual([]);
    expect(obstacles(result)).toEqual([
      ['secret', '/w/repo/.env', 2],
      ['secret', '/w/repo/key.pem', 1],
      ['never_permitted', 'secret.read', 1],
    ]);
  });

  it('counts a file set member by member', async () => {
    const set = (...paths: readonly string[]): Happened => ({
      capabilities: [{ name: 'fs.read', path: { paths } } as unknown as Capability],
      said: 'yes',
    });
    const { words, learning } = await learnt([
      set('/w/a/x', '/w/a/y', '/w/b/z'),
      set('/w/a/x', '/w/a/v'),
      { capabilities: [{ name: 'fs.read', path: '/w/b/z' }], said: 'yes' },
    ]);
    expect(words).toEqual([
      'fs.read, path /w/b/z, by w through filesystem.write_file',
      'fs.read, path below /w/a without a dot in its name, by w through filesystem.write_file',
    ]);
    expect(learning).toMatchObject({ approvals: 3, answered: 3 });
  });

  it('learns only the asked members of a file set', async () => {
    const set = (said: Happened['said'], ...paths: readonly string[]): Happened => ({
      capabilities: [{ name: 'fs.read', path: { paths }, by: 'cat' } as unknown as Capability],
      said,
    });
    const policy =
      'version: 1\ndefault: needs_approval\ncapabilities: { fs.read: { decision: pre_approved, match: { path: ./src/** } } }';
    const approved = set('yes', '/w/docs/a', '/w/docs/b', '/w/src/a', '/w/src/b', '/w/src/c');
    const { words, learning } = await learnt([approved], { policy });
    expect(words).toEqual([
      'fs.read, path below /w/docs without a dot in its name, by cat, by w through filesystem.write_file',
    ]);
    expect(formatLearning(learning)).toContain(
      'fs.read, path 2 files under /w/docs: /w/docs/a, /w/docs/b, by cat',
    );
    const kept = await learnt([approved, set('no', '/w/docs/b', '/w/src/a')], { policy });
    expect(kept.words).toEqual([]);
    expect(obstacles(kept)).toEqual([['refused_too', null, 1]]);
    const apart = await learnt([approved, set('no', '/w/docs/c', '/w/src/a')], { policy });
    expect(apart.words).toHaveLength(2);
    expect(apart.learning).toMatchObject({ approvals: 1, answered: 1 });
  });

  it('samples a few files per folder of a large set, and checks its rules with all', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `/w/a/f${index}`);
    const set = (said: Happened['said'], paths: readonly string[]): Happened => ({
      capabilities: [{ name: 'fs.read', path: { paths: [...paths].sort() } } as unknown as Capability],
      said,
    });
    const large = set('yes', [...names, '/w/a/.hidden']);
    expect((await learnt([large])).words).toEqual([
      'fs.read, path /w/a/.hidden, by w through filesystem.write_file',
      'fs.read, path below /w/a without a dot in its name, by w through filesystem.write_file',
    ]);
    const kinds = (...endings: readonly string[]) =>
      set(
        'yes',
        names.map((name, index) => `${name}${endings[Math.floor((index * endings.length) / 300)]}`),
      );
    const by = 'by w through filesystem.write_file';
    expect((await learnt([kinds('.md', '.ts')])).words).toEqual([
      `fs.read, path below /w/a ending in .md or .ts, ${by}`,
    ]);
    const many = ['.a', '.b', '.c', '.d', '.e'];
    expect((await learnt([kinds(...many)])).words).toEqual([`fs.read, path below /w/a, ${by}`]);
    const refused = await learnt([large, set('no', ['/w/a/f250'])]);
    expect(refused.words).toEqual([]);
    const folders = Array.from({ length: 500 }, (_, index) => `/w/d${index}/f`);
    expect(obstacles(await learnt([set('yes', folders)]))).toEqual([['too_many', null, 1]]);
  });

  it('stays below and beside refused calls', async () => {
    const { words } = await learnt([write('/w/out/a'), write('/w/out/b'), write('/w/out/secret/x', 'no')]);
    expect(words).toEqual([
      'fs.write, path /w/out/a, by w through filesystem.write_file',
      'fs.write, path /w/out/b, by w through filesystem.write_file',
    ]);
  });

  it('proposes nothing for a call that was both approved and refused', async () => {
    const result = await learnt([write('/w/out/a'), write('/w/out/a', 'no')]);
    expect(result.words).toEqual([]);
    expect(obstacles(result)).toEqual([['refused_too', null, 1]]);
  });

  it('stays within the given reach, even if a wider one needs fewer rules', async () => {
    const calls = [write('/w/a/x'), write('/w/b/y'), write('/w/b/z')];
    expect((await learnt(calls, { reach: 'file' })).words).toHaveLength(3);
    expect((await learnt(calls)).words).toHaveLength(2);
    expect((await learnt(calls, { reach: 'capability', widen: true })).words).toEqual([
      'fs.write, with any facts, by w through filesystem.write_file',
    ]);
  });

  it('covers only the answered workers, and the tools that they used', async () => {
    const { words } = await learnt([
      write('/w/out/a'),
      write('/w/out/b', 'yes', { worker: 'v', tool: 'filesystem.edit_file' }),
      write('/w/out/c', 'no', { worker: 'x' }),
    ]);
    expect(words).toEqual([
      'fs.write, path below /w/out without a dot in its name, by v or w through filesystem.edit_file or filesystem.write_file',
    ]);
    const apart = await learnt([
      write('/w/out/a'),
      write('/w/out/b', 'yes', { worker: 'v' }),
      write('/w/out/b', 'no', { worker: 'v', tool: 'filesystem.edit_file' }),
      write('/w/out/a', 'yes', { tool: 'filesystem.edit_file' }),
    ]);
    expect(apart.words).toHaveLength(2);
  });

  it('combines no rules that together permit a refused call', async () => {
    const read: Capability = { name: 'fs.read', path: '/w/in/a' };
    const send: Capability = { name: 'net.connect', host: 'a.example', port: 443 };
    const result = await learnt([
      { capabilities: [read], said: 'yes' },
      { capabilities: [read], said: 'yes' },
      { capabilities: [send], said: 'yes' },
      { capabilities: [read, send], said: 'no' },
    ]);
    // Either would do; the one that answers more stays.
    expect(result.words).toEqual(['fs.read, path /w/in/a, by w through filesystem.write_file']);
    expect(obstacles(result)).toEqual([['refused_too', null, 1]]);
  });

  it.each<[string, Happened, string | undefined, unknown]>([
    [
      'a rule that asks',
      write('/w/a'),
      'capabilities: { fs.write: { decision: needs_approval, id: mine } }',
      ['asked_by_rule', 'mine (policy.yaml:3:17)', 1],
    ],
    [
      'a rule that wants a person',
      write('/w/a'),
      'capabilities: { fs.write: { decision: needs_approval, id: mine, answer: person } }',
      ['wants_person', 'mine (policy.yaml:3:17)', 1],
    ],
    [
      'an opaque program',
      {
        capabilities: [
          { name: 'proc.exec', program: 'ls' },
          { name: 'proc.exec.opaque', text: '$X', why: 'x' },
        ],
        said: 'yes',
      },
      undefined,
      ['never_permitted', 'proc.exec.opaque', 1],
    ],
    [
      'code',
      { capabilities: [{ name: 'code.eval', language: 'python' }], said: 'yes' },
      undefined,
      ['never_permitted', 'code.eval', 1],
    ],
    [
      'code that the policy permits, with asked capabilities',
      {
        capabilities: [
          { name: 'code.load', path: '/w/x' },
          { name: 'fs.write', path: '/w/x' },
        ],
        said: 'yes',
      },
      'capabilities: { code.load: pre_approved }',
      ['never_permitted', 'code.load', 1],
    ],
    [
      'the system',
      { capabilities: [{ name: 'sys.persist', what: 'cron' }], said: 'yes' },
      undefined,
      ['never_permitted', 'sys.persist', 1],
    ],
    ['a masked call', write('/w/out/masked:hmac-sha256:0123456789abcdef'), undefined, ['masked', null, 1]],
    [
      'a call of a created worker',
      write('/w/a', 'yes', { worker: 'created:w' }),
      undefined,
      ['created_worker', 'created:w', 1],
    ],
    [
      'a call with unknown facts',
      { capabilities: [{ name: 'fs.write' }], said: 'yes' },
      undefined,
      ['facts_unknown', 'fs.write', 1],
    ],
    ['an invalid path', write('/w/../etc'), undefined, ['facts_unknown', 'fs.write', 1]],
  ])('does not learn from %s, and reports it', async (_, call, rules, left) => {
    const policy = `version: 1\ndefault: needs_approval\n${rules ?? ''}\n`;
    const result = await learnt([call], { policy });
    expect(result.words).toEqual([]);
    expect(obstacles(result)).toEqual([left]);
  });

  it('does not learn from a default that requires a person, or that it cannot edit', async () => {
    const policy = 'version: 1\ndefault: { decision: needs_approval, answer: person }\n';
    expect(obstacles(await learnt([write('/w/a')], { policy }))).toEqual([['wants_person', null, 1]]);
    const others = { 'other.yaml': 'version: 1\ndefault: needs_approval\n' };
    expect(obstacles(await learnt([write('/w/a')], { others }))).toEqual([
      ['asked_elsewhere', 'other.yaml', 1],
    ]);
  });

  it('learns from people, and not from modes or edited calls', async () => {
    const { learning } = await learnt([
      write('/w/a', 'mode'),
      write('/w/b', 'edit'),
      write('/w/c', 'nobody'),
    ]);
    expect(learning).toMatchObject({ approvals: 0, proposals: [], guarded: 1 });
  });

  it('reports that a run had untrusted content before the answer', async () => {
    const reads: Happened = {
      capabilities: [{ name: 'content.untrusted', source: 'x' }],
      said: 'nobody',
      tool: 'http.fetch',
    };
    const policy = 'version: 1\ndefault: needs_approval\ncapabilities: { content.untrusted: pre_approved }\n';
    const { learning } = await learnt(
      [
        write('/w/a'),
        reads,
        write('/w/b'),
        write('/w/c', 'yes', { run: 'other', history: ['content.untrusted'] }),
        write('/w/d', 'yes', { run: 'third' }),
      ],
      { policy, reach: 'file' },
    );
    expect(learning.proposals.map(({ words, untrusted }) => [words.slice(10, 19), untrusted])).toEqual([
      ['path /w/a', 0],
      ['path /w/b', 1],
      ['path /w/c', 1],
      ['path /w/d', 0],
    ]);
  });

  it('excludes the possible values of a masked call from every rule', async () => {
    const masked = write('/w/out/masked:hmac-sha256:0123456789abcdef', 'no');
    expect((await learnt([write('/w/out/a'), write('/w/out/b'), masked])).words).toEqual([]);
    expect(
      (await learnt([write('/w/out/a'), write('/w/out/b'), write('/w/out/c', 'no')])).words,
    ).toHaveLength(2);
  });

  it('drops rules that violate an invariant, reports it, and proposes narrower ones', async () => {
    const policy = `version: 1
default: needs_approval
invariants:
  - { id: no-notes, capabilities: [{ name: fs.write, match: { path: /w/out/notes } }], never: pre_approved }
`;
    const { learning, words } = await learnt([write('/w/out/a'), write('/w/out/b')], { policy });
    expect(words).toEqual([
      'fs.write, path /w/out/a, by w through filesystem.write_file',
      'fs.write, path /w/out/b, by w through filesystem.write_file',
    ]);
    expect(learning.dropped).toEqual([
      {
        words: 'fs.write, path below /w/out without a dot in its name, by w through filesystem.write_file',
        why: expect.stringContaining(
          'it breaks no-notes (policy.yaml:4:5): the invariant `no-notes` does not hold',
        ) as string,
      },
    ]);
  });
});

const paths = [
  '/w/a/x',
  '/w/a/y',
  '/w/a/b/z',
  '/w/a/x.md',
  '/w/a/y.md',
  '/w/a/b/z.md',
  '/w/a/z.json',
  '/w/c',
  '/w/a',
  '/etc/p',
  '/w/a/masked:hmac-sha256:0123456789abcdef',
  '/w/*/x',
  '/w/a/../b',
];
const capability: fc.Arbitrary<Capability> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constantFrom('fs.write', 'fs.read'),
      path: fc.constantFrom(...paths),
      bytes: fc.constantFrom(1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('proc.exec'),
      program: fc.constantFrom('npm', 'git'),
      argv: fc.constantFrom(['npm', 'test'], ['git'], []),
      cwd: fc.constantFrom('/w', '/w/a'),
    }),
  },
  fc.record({ name: fc.constant('net.connect'), host: fc.constantFrom('a.example', 'b.example') }),
  fc.record({ name: fc.constantFrom('code.eval', 'sys.admin', 'proc.exec.opaque', 'content.untrusted') }),
  fc.record({ name: fc.constant('crm.export') }),
);
const happened: fc.Arbitrary<Happened> = fc.record({
  capabilities: fc.array(capability, { minLength: 1, maxLength: 3 }),
  said: fc.constantFrom('yes', 'yes', 'yes', 'no', 'edit', 'nobody', 'mode'),
  worker: fc.constantFrom('w', 'v', 'created:w'),
  tool: fc.constantFrom('filesystem.write_file', 'shell.run'),
  history: fc.constantFrom([], ['content.untrusted']),
});
const policies = [
  'version: 1\ndefault: needs_approval\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.read: pre_approved\n  fs.write: { decision: blocked, match: { path: "**/z" } }\n  code.eval: pre_approved\n',
  'version: 1\ndefault: needs_approval\ncapabilities:\n  net: needs_approval\n  proc.exec: { decision: needs_approval, answer: person, match: { program: git } }\n  fs.write: [{ decision: pre_approved, match: { path: /w/c } }]\n',
  'version: 1\ndefault: needs_approval\nworkers: { v: { capabilities: { fs.write: needs_approval } } }\ninvariants:\n  - { id: i, capabilities: [{ name: fs.write, match: { path: "/w/a/y" } }], never: pre_approved }\n',
  'version: 1\ndefault: needs_approval\ncapabilities: { fs.read: pre_approved }\ntogether:\n  - { id: t, capabilities: [fs.read, net.connect], decision: blocked }\n',
];

/** Everything that the proposals promise, checked by the engine that will judge under them. */
async function promises(
  calls: readonly Happened[],
  policy: string,
  reach: 'file' | 'folder' | 'program' | 'capability',
) {
  const { learning, past, trials } = await learnt(calls, { policy, reach });
  const rules = learning.proposals.map(({ rule }) => rule);
  const judged = async (some: typeof rules) => {
    const tried = await trials.tryRules(some);
    if (!tried.ok) throw new Error(tried.why);
    return past.map(({ request, others }) =>
      settle([...tried.judge.decide(request, []).judgements, ...others]),
    );
  };
  const [before, after] = [await judged([]), await judged(rules)];
  const claimed = new Set(learning.proposals.flatMap(({ sources }) => sources.map(({ seq }) => seq)));
  const answered = (decisions: readonly Decision[]) =>
    past.filter(
      ({ seq, fate }, index) =>
        fate === 'approved' && claimed.has(seq) && decisions[index] === 'pre_approved',
    ).length;
  expect(claimed.size).toBe(learning.answered);
  expect(answered(after)).toBe(claimed.size);
  for (const [index, call] of past.entries()) {
    const isLooser = isStricter(before[index] as Decision, after[index] as Decision);
    const mustStay =
      ['refused', 'blocked', 'edited'].includes(call.fate) ||
      call.request.capabilities.some(({ name }) => /^(?:code|sys|proc\.exec\.opaque)/.test(name)) ||
      call.request.worker.startsWith('created:') ||
      (call.fate !== 'approved' && JSON.stringify(call.request.capabilities).includes('masked:'));
    if (mustStay) expect(isLooser, JSON.stringify(call.request)).toBe(false);
    expect(isStricter(after[index] as Decision, before[index] as Decision)).toBe(false);
  }
  for (const [which] of rules.entries())
    expect(answered(await judged(rules.filter((_, index) => index !== which)))).toBeLessThan(claimed.size);
  return { trials, learning };
}

/** What an attacker without answers can write into a log: calls with any outcome, and no approval. */
const poison: fc.Arbitrary<Happened> = happened.map((one) => ({
  ...one,
  said: one.said === 'yes' ? 'nobody' : one.said,
}));

/** Calls that carry one thing each: everything that the calls of these properties are made of. */
const probes = ['w', 'v', 'x'].flatMap((worker) =>
  ['filesystem.write_file', 'shell.run', 'http.fetch'].flatMap((tool) =>
    [
      ...['fs.write', 'fs.read'].flatMap((name) =>
        [...paths, '/w/a/new', '/w'].map((path) => ({ name, path, bytes: 1 })),
      ),
      { name: 'net.connect', host: 'a.example' },
      { name: 'net.connect', host: 'c.example' },
      { name: 'code.eval' },
      { name: 'crm.export' },
    ].map((one) =>
      createRequest({
        tool,
        chain: [worker],
        args: {},
        context: {},
        history: [],
        now: 0,
        capabilities: [one],
      }),
    ),
  ),
);

describe('the proposals of learn', () => {
  const reach = fc.constantFrom('file', 'folder', 'program', 'capability');

  it('answer all claimed calls, permit no refused, blocked or excluded one, and contain no spare rule', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happened, { maxLength: 12 }),
        fc.constantFrom(...policies),
        reach,
        async (calls, policy, far) => {
          await promises(calls, policy, far as 'file');
        },
      ),
      explore(250),
    );
  });

  it('ignore calls without a yes, at any place in the log', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happened, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(poison, fc.nat({ max: 6 })), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...policies),
        async (calls, poisoned, policy) => {
          const mixed = [...calls];
          for (const [one, place] of poisoned) mixed.splice(place, 0, one);
          const [clean, dirty] = [await learnt(calls, { policy }), await learnt(mixed, { policy })];
          const passes = async ({ trials, learning }: typeof clean) => {
            const tried = await trials.tryRules(learning.proposals.map(({ rule }) => rule));
            if (!tried.ok) throw new Error(tried.why);
            return probes.filter((probe) => tried.judge.decide(probe, []).decision === 'pre_approved');
          };
          const before = new Set(await passes(clean));
          expect((await passes(dirty)).filter((probe) => !before.has(probe))).toEqual([]);
        },
      ),
      explore(100),
    );
  });
});
