import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = `version: 1
default: needs_approval
capabilities:
  fs.read: { decision: pre_approved, id: reading }
  net: { decision: blocked, id: no-net, reason: nothing leaves }
  fs.write:
    - { decision: pre_approved, id: out, match: { path: ./out/** } }
    - { decision: blocked, id: no-secrets, match: { path: ["**/.env", "**/*.pem"] } }
`;

const passing = `policy: policy.yaml
cases:
  - name: reading runs
    call: { tool: x.read, capabilities: [fs.read] }
    expect: { decision: pre_approved, rules: [reading] }
`;

const failing = `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: x.get, capabilities: [net.connect] }
    expect: needs_approval
  - name: a secret is not written
    call: { tool: x.write, capabilities: [{ name: fs.write, path: ./out/.env }] }
    expect: { decision: blocked, rules: [out], reason: secrets stay, default: true }
  - name: later
    skip: the rule comes next week
    call: { tool: x.y }
    expect: blocked
`;

describe('test', () => {
  it('shows for each failing case its place, both decisions, and the deciding rules', async () => {
    const files = { 'policy.yaml': policy, 'a.test.yaml': failing };
    expect(await ambit(['test', 'a.test.yaml'], { files })).toEqual({
      exit: 1,
      out: `a.test.yaml:3:5 failed: nothing leaves: expected needs_approval, found blocked
  decided by no-net (policy.yaml:5:3) blocked
  reason: nothing leaves

a.test.yaml:6:5 failed: a secret is not written: expected \`out\` to decide, and it does not; expected a default to decide, and none does; expected the reason \`secrets stay\`, found none
  decided by no-secrets (policy.yaml:8:7) blocked

a.test.yaml:9:5 skipped: later (the rule comes next week)

a.test.yaml: 0 passed, 2 failed, 1 skipped
`,
      err: '',
    });
  });

  it('names the command that checks a policy', async () => {
    const { exit, err } = await ambit(['test', 'policy.yaml'], { files: { 'policy.yaml': policy } });
    expect([exit, err]).toEqual([2, 'hint: ambit check policy.yaml checks a policy\n']);
    const suite = { 'a.test.yaml': passing.replace('cases:', 'default: blocked\ncases:') };
    const mistaken = await ambit(['test', 'a.test.yaml'], { files: { 'policy.yaml': policy, ...suite } });
    expect([mistaken.exit, mistaken.err]).toEqual([2, '']);
    expect(mistaken.out).toContain('UNKNOWN_KEY `default` is not a key here');
  });

  it('runs all suites in a folder in one order, without hidden folders, packages and linked folders', async () => {
    const folder = folderOf({
      'policy.yaml': policy,
      'b.test.yaml': passing,
      'B.test.yml': passing,
      'a/z.test.yaml': passing.replace('policy.yaml', '../policy.yaml'),
      'a/notes.yaml': 'nothing\n',
      '.hidden/x.test.yaml': 'nothing\n',
      'node_modules/p/x.test.yaml': 'nothing\n',
    });
    symlinkSync('..', join(folder, 'a/up'));
    symlinkSync('b.test.yaml', join(folder, 'c.test.yaml'));
    mkdirSync(join(folder, 'd.test.yaml'));
    const lines =
      'B.test.yml: 1 passed\na/z.test.yaml: 1 passed\nb.test.yaml: 1 passed\n3 suites: 3 passed\n';
    expect(await ambit(['test'], { folder })).toEqual({ exit: 0, out: lines, err: '' });
    expect((await ambit(['test', '.', 'a', './b.test.yaml'], { folder })).out).toBe(lines);
  });

  it('fails without cases: no suite, a broken link, an empty suite', async () => {
    const folder = folderOf({ 'policy.yaml': policy, 'empty/notes.yaml': '' });
    expect(await ambit(['test'], { folder })).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: no suite in .\nhint: a suite is a file NAME.test.yaml\n',
    });
    symlinkSync('gone.test.yaml', join(folder, 'empty/x.test.yaml'));
    expect((await ambit(['test', 'empty'], { folder })).exit).toBe(2);
    writeFileSync(join(folder, 'y.test.yaml'), 'policy: policy.yaml\ncases: []\n');
    expect(await ambit(['test', 'y.test.yaml'], { folder })).toEqual({
      exit: 2,
      out: expect.stringContaining('y.test.yaml:2:1 NOTHING_TESTED this suite has no cases'),
      err: '',
    });
  });

  it('runs the remaining suites if one is unusable, and reports errors of its policy', async () => {
    const files = {
      'policy.yaml': policy,
      'bad.yaml': 'version: 1\ndefault: alow\n',
      'a.test.yaml': passing.replace('policy.yaml', 'bad.yaml'),
      'b.test.yaml': passing,
    };
    expect(await ambit(['test'], { files })).toEqual({
      exit: 2,
      out: `bad.yaml:2:10 UNKNOWN_DECISION \`alow\` is not a decision
  2 | default: alow
    |          ^^^^
help: pre_approved, needs_approval or blocked

a.test.yaml: cannot be used
b.test.yaml: 1 passed
2 suites: 1 passed
`,
      err: '',
    });
  });

  it('lets a built-in toolset describe a call from its arguments, under the root', async () => {
    const text = (root: string) => `policy: policy.yaml
${root}cases:
  - name: writing to out runs
    call: { tool: filesystem.write_file, args: { path: out/a.md, content: x } }
    expect: { decision: pre_approved, rules: [out] }
  - name: writing a secret never does
    call: { tool: filesystem.write_file, args: { path: out/.env, content: x } }
    expect: { decision: blocked, rules: [no-secrets] }
  - name: what judges is not written
    call: { tool: filesystem.write_file, args: { path: policy.yaml, content: x } }
    expect: { decision: blocked, rules: [sys.guard] }
`;
    const files = {
      'w/policy.yaml': policy,
      'w/out/b.md': '',
      'w/a.test.yaml': text(''),
      'w/tests/a.test.yaml': text('root: ..\n').replace('policy.yaml', '../policy.yaml'),
      'other/notes.md': '',
    };
    const folder = realpathSync(folderOf(files));
    expect(await ambit(['test', 'w'], { folder })).toEqual({
      exit: 0,
      out: 'w/a.test.yaml: 3 passed\nw/tests/a.test.yaml: 3 passed\n2 suites: 6 passed\n',
      err: '',
    });
    // Where the root is another one, nothing in it is the policy.
    const { exit, out } = await ambit(['test', 'w', '--root', 'other'], { folder });
    expect([exit, out.match(/failed: .*?:/g)]).toEqual([
      1,
      ['failed: what judges is not written:', 'failed: what judges is not written:'],
    ]);
  });

  it('reports the place of a root that is not a folder', async () => {
    const files = { 'policy.yaml': policy, 'a.test.yaml': `root: policy.yaml\n${passing}` };
    const { exit, out } = await ambit(['test'], { files });
    expect([exit, out.split('\n')[0]]).toEqual([
      2,
      'a.test.yaml:1:7 CANNOT_READ cannot use `policy.yaml` as the root: it is not a folder',
    ]);
  });

  it('reports arguments that the tool does not accept', async () => {
    const text = `policy: policy.yaml
cases:
  - name: x
    call: { tool: filesystem.write_file, args: { file: a } }
    expect: blocked
`;
    const { exit, out } = await ambit(['test'], { files: { 'policy.yaml': policy, 'a.test.yaml': text } });
    expect([exit, out.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(/^a\.test\.yaml:4:11 BAD_CALL this call cannot be judged: .*"file"/),
    ]);
  });

  it('decides like `ambit decide`, including grants and history', async () => {
    const together = `version: 1
default: pre_approved
capabilities: { crm.note: needs_approval, pay: { decision: needs_approval, answer: person } }
together: [{ id: leak, capabilities: [secret.read, net.connect], within: run, decision: blocked }]
grants: { workers: true }
`;
    const calls = [
      { tool: 'crm.note', worker: ['boss', 'clerk'], capabilities: ['crm.note'] },
      {
        tool: 'crm.note',
        worker: 'clerk',
        capabilities: ['crm.note'],
        grants: [{ worker: 'clerk', tool: 'crm.note' }],
      },
      { tool: 'x.pay', worker: 'clerk', capabilities: ['pay'], grants: [{ worker: 'clerk', tool: 'x.pay' }] },
      { tool: 'x.get', capabilities: ['net.connect'] },
      { tool: 'x.get', capabilities: ['net.connect'], history: ['secret.read'] },
    ];
    const cases = calls.map(
      (call, at) => `  - { name: c${at}, call: ${JSON.stringify(call)}, expect: blocked }\n`,
    );
    const files = { 'p.yaml': together, 'a.test.yaml': `policy: [p.yaml]\ncases:\n${cases.join('')}` };
    const decided = await ambit(['decide', '--policy', 'p.yaml', '--open'], {
      files,
      stdin: calls.map((call) => JSON.stringify(call)).join('\n'),
    });
    const { out } = await ambit(['test', '--json'], { files });
    const found = (JSON.parse(out) as { suites: { cases: { decision: object }[] }[] }).suites[0]?.cases ?? [];
    const lines = decided.out.trim().split('\n');
    expect(found.map(({ decision }) => ({ id: null, ...decision }))).toEqual(
      // A case of a suite has no origins of its own.
      lines.map((line) => ({ ...(JSON.parse(line) as object), origins: undefined })),
    );
    expect(lines.map((line) => (JSON.parse(line) as { decision: string }).decision)).toEqual([
      'needs_approval',
      'pre_approved',
      'needs_approval',
      'pre_approved',
      'blocked',
    ]);
  });

  it('measures coverage, and fails below the requested share', async () => {
    const files = { 'policy.yaml': policy, 'a.test.yaml': passing };
    expect(await ambit(['test', '--coverage'], { files })).toEqual({
      exit: 0,
      out: `a.test.yaml: 1 passed

coverage: 1 of 4 (25 %) rules matched, 1 of 4 decisive
  never matched   policy.yaml:5:3 blocked no-net
  never matched   policy.yaml:7:7 pre_approved out
  never matched   policy.yaml:8:7 blocked no-secrets
`,
      err: '',
    });
    expect((await ambit(['test', '--min-coverage', '25'], { files })).exit).toBe(0);
    expect((await ambit(['test', '--min-coverage', '26'], { files })).exit).toBe(1);
  });

  it('makes mutants, lists surviving ones, and fails unless their number is allowed', async () => {
    const files = {
      'policy.yaml': 'version: 1\ndefault: blocked\ncapabilities: { fs.read: pre_approved }\n',
      'a.test.yaml': passing.replace(', rules: [reading]', ''),
    };
    expect(await ambit(['test', '--mutate'], { files })).toEqual({
      exit: 1,
      out: `a.test.yaml: 1 passed

mutants: 3 of 6 noticed
  not noticed  policy.yaml:2:1 the default is pre_approved instead of blocked
  not noticed  policy.yaml:2:1 the default is needs_approval instead of blocked
  not noticed  policy.yaml:3:17 capabilities.fs.read: \`below: true\` instead of \`below: false\`
`,
      err: '',
    });
    expect((await ambit(['test', '--mutate', '--max-survivors', '3'], { files })).exit).toBe(0);
    expect((await ambit(['test', '--mutate', '--max-survivors', '2'], { files })).exit).toBe(1);
    const red = {
      ...files,
      'b.test.yaml': passing.replace('pre_approved', 'blocked').replace(', rules: [reading]', ''),
    };
    const failed = await ambit(['test', '--mutate', '--max-survivors', '3'], { files: red });
    expect([failed.exit, failed.out]).toEqual([
      1,
      expect.stringContaining('none are made while a case fails'),
    ]);
  });

  it('lists three surviving mutants of a rule, and how many more there are', async () => {
    const rule = '{ decision: pre_approved, match: { path: [/a/**, /b/**, /c/**] } }';
    const files = {
      'policy.yaml': `version: 1\ndefault: blocked\ncapabilities:\n  fs.list: ${rule}\n  fs.read: pre_approved\n`,
      'a.test.yaml': passing.replace(', rules: [reading]', ''),
    };
    const { out } = await ambit(['test', '--mutate'], { files });
    const lines = out.split('\n').filter((line) => line.includes('policy.yaml:4:3'));
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^ {2}not noticed {2}policy\.yaml:4:3 \d+ more; --json lists all$/);
  });

  it('prints one JSON document, whatever the suites contain', async () => {
    const files = { 'policy.yaml': policy, 'a.test.yaml': passing, 'b.test.yaml': 'policy: gone.yaml\n' };
    const { exit, out, err } = await ambit(['test', '--json', '--coverage'], { files });
    expect([exit, err, JSON.parse(out)]).toMatchObject([
      2,
      '',
      {
        ok: false,
        counts: { passed: 1, failed: 0, skipped: 0 },
        suites: [
          {
            file: 'a.test.yaml',
            ok: true,
            cases: [{ name: 'reading runs', at: 'a.test.yaml:3:5', status: 'passed', mismatches: [] }],
          },
          { file: 'b.test.yaml', ok: false, diagnostics: [{ code: 'MISSING_KEY' }, { code: 'CANNOT_READ' }] },
        ],
        coverage: { total: 4, matched: 1, decisive: 1 },
        mutation: null,
      },
    ]);
  });

  it('prints no control or invisible characters', async () => {
    const odd = '\\u001b[2J\\u202e\\u200b';
    const text = `policy: policy.yaml
cases:
  - { name: "${odd}", call: { tool: x.y, capabilities: [net] }, expect: { reason: "${odd}" } }
  - { name: "skipped ${odd}", skip: "${odd}", call: { tool: x.y }, expect: blocked }
  - { name: "{a}", for: { a: ["b${odd}"] }, call: { tool: x.y, args: { a: "{a}" } }, expect: blocked }
`;
    const files = { 'policy.yaml': policy, 'a.test.yaml': text, 'b.test.yaml': text.replace('x.y', odd) };
    for (const options of [[], ['--json'], ['--coverage']]) {
      const { out, err } = await ambit(['test', ...options], { files });
      expect(`${out}${err}`).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
      expect(out).toContain('202e');
    }
  });
});
