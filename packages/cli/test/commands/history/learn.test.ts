import { appendFileSync, chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@ambit/audit';
import type { Capability, NonEmpty } from '@ambit/core';
import { loadPolicies } from '@ambit/policy';
import { type LogEvent, loggedJudge, open } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = `# What our agents may do.
version: 1
default: needs_approval # ask

capabilities:
  fs.read: pre_approved # looking is fine
  fs.delete: { decision: needs_approval, id: deletes }
  # Programs come here.

# who answers
grants: { reach: folder }
`;

type Said = 'yes' | 'no' | null;

/** A folder with a policy, and a log with people's answers. */
async function answered(calls: readonly (readonly [Capability, Said])[], text = policy): Promise<string> {
  const folder = folderOf({ 'policy.yaml': text });
  const world = { root: folder, home: '/h', read: async () => Buffer.from(text) };
  const loaded = await loadPolicies(['policy.yaml'], world);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const judge = loggedJudge(loaded.policies);
  const log = await createLog({ file: join(folder, 'run.jsonl'), run: 'r', key: new Uint8Array(32) });
  const now = Date.parse('2026-11-20T10:00:00Z');
  const file = loaded.files[0];
  await log.append([
    {
      now,
      event: 'policy',
      files: [{ name: file.name, sha256: file.sha256, source: file.source }],
      root: '/w',
      home: '/h',
    },
  ]);
  for (const [index, [capability, said]] of calls.entries()) {
    const call = `call-${index}`;
    const shown = { tool: 'filesystem.write_file', chain: ['w'] as NonEmpty<string>, args: {}, context: {} };
    const decision = judge.decide(
      { ...shown, toolset: 'filesystem', worker: 'w', capabilities: [capability], history: [], now },
      [],
    );
    const events: NonEmpty<LogEvent> = [
      { now, event: 'decision', call, ...shown, history: [], grants: [], ...decision },
    ];
    await log.append(events);
    if (said === null) continue;
    const who = { person: 'ada', approval: `a-${index}` };
    await log.append([
      {
        now: now + 500,
        event: 'approval',
        call,
        how: 'person',
        who,
        approved: said === 'yes',
        keep: null,
        edited: false,
        note: null,
        question: null,
      },
    ]);
  }
  await log.close();
  return folder;
}

/** Names of secrets that can end in `.md`, and what is hidden. */
const excepted =
  './out/**/.* ./out/**/.*/** **/jupyter/runtime/** **/helm_vars/** **/secrets/** **/secrets.d/** **/UTC--* **/wallets/** **/keystore/** **/keystores/**';

const write = (path: string): Capability => ({ name: 'fs.write', path, bytes: 1 });
const usual: readonly (readonly [Capability, Said])[] = [
  [write('/w/out/a.md'), 'yes'],
  [write('/w/out/b.md'), 'yes'],
  [write('/w/notes.md'), 'no'],
  [{ name: 'fs.delete', path: '/w/out/a.md' }, 'yes'],
  [{ name: 'fs.read', path: '/w/in' }, null],
];

describe('learn', () => {
  it('shows each rule with its evidence, its new coverage, its limits and the change', async () => {
    const folder = await answered(usual);
    const { exit, out, err } = await ambit(['learn', 'run.jsonl', '--policy', 'policy.yaml'], { folder });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toBe(`1 rule would have answered 2 of 3 approvals by people

1. fs.write, path below /w/out ending in .md, by w through filesystem.write_file
   saves 2 questions, approved by ada; reach folder
   drawn from
     run.jsonl entry 1  filesystem.write_file  fs.write, path /w/out/a.md, bytes 1
     run.jsonl entry 3  filesystem.write_file  fs.write, path /w/out/b.md, bytes 1
   newly covers, for example
     fs.write, path /w/out/another.md, bytes 1
     fs.write, path /w/out/deeper/down.md, bytes 1
     fs.write, path /w/out/a-third.md, bytes 1
   still asks about
     fs.write, path /w/elsewhere/a.md, bytes 1

1 approval that no rule is proposed for:
  1  asked by the rule deletes (policy.yaml:7:3) on purpose, and no permission loosens a rule: edit that rule (run.jsonl entry 7)

judged again under these rules, and no looser: 2 calls refused by people, blocked, or never learnt from

what this changes:
1 class of calls is decided differently: 1 looser

added the rule \`workers.w.capabilities.fs.write[0]\` (policy.yaml:16:11)
  looser: fs.write
    from needs_approval to pre_approved
    {"worker":["w"],"tool":"filesystem.write_file","capabilities":[{"name":"fs.write","path":"/w/out/x.md"}]}

a call on many files gets the strictest decision of its files: the same holds for it if one of them
is such a file, no other one is decided more strictly, and no combination restricts them together

--- policy.yaml
+++ policy.yaml
@@ -9,3 +9,12 @@
 
 # who answers
 grants: { reach: folder }
+workers:
+  w:
+    capabilities:
+      fs.write:
+        - decision: pre_approved
+          match: { path: "./out/**/*.md" }
+          except: { path: [${excepted.replace(/\S+/g, '"$&"').replaceAll(' ', ', ')}] }
+          when: { "==": [{ var: tool }, filesystem.write_file] }
+          note: "learnt from 2 answers by ada, 2026-11-20"

give --write to write them
`);
    expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toBe(policy);
  });

  it('writes with --write, keeps the mode and links, and then proposes nothing more', async () => {
    const folder = await answered(usual);
    chmodSync(join(folder, 'policy.yaml'), 0o640);
    symlinkSync('policy.yaml', join(folder, 'link.yaml'));
    const argv = ['learn', 'run.jsonl', '--policy', 'link.yaml', '--write'];
    expect((await ambit(argv, { folder })).out).toMatch(/\nwrote link\.yaml\n$/);
    const text = readFileSync(join(folder, 'policy.yaml'), 'utf8');
    expect(text.startsWith(policy)).toBe(true);
    expect(text.split('\n').length).toBe(policy.split('\n').length + 9);
    expect(statSync(join(folder, 'policy.yaml')).mode & 0o777).toBe(0o640);
    expect((await ambit(['check', 'policy.yaml'], { folder })).exit).toBe(0);
    const again = await ambit(argv, { folder });
    expect(again.out).toMatch(/^3 approvals by people, and no rule to propose\n/);
    expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toBe(text);
  });

  it('uses the policy from the log if none is given', async () => {
    const folder = await answered(usual);
    writeFileSync(join(folder, 'policy.yaml'), 'not a policy');
    const { exit, out } = await ambit(['learn', 'run.jsonl', '--json'], { folder });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      policy: 'policy.yaml',
      reach: 'folder',
      answered: 2,
      proposals: [{ rule: { name: 'fs.write', reach: 'folder' }, untrusted: 0, saves: 2 }],
      diff: expect.stringContaining('+workers:') as string,
      written: false,
    });
    expect((await ambit(['learn', 'run.jsonl', '--write'], { folder })).exit).toBe(2);
    const { out: text } = await ambit(['learn', 'run.jsonl'], { folder });
    expect(text).toMatch(/\ngive --policy FILE and --write to write them\n$/);
  });

  it('uses the reach of --reach', async () => {
    const folder = await answered(usual);
    const { out } = await ambit(['learn', 'run.jsonl', '--reach', 'file', '--json'], { folder });
    expect((JSON.parse(out) as { proposals: unknown[] }).proposals).toHaveLength(2);
  });

  it('learns a policy from a recorded run that answers the same questions in the next run', async () => {
    const folder = folderOf({
      'policy.yaml': 'version: 1\ndefault: needs_approval\n',
      'w.worker':
        'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nWrite.\n',
      'script.yaml': ['a.md', 'b.md', 'keys/c.pem']
        .map((name) => `  - call: [{ tool: write_file, args: { path: out/${name}, content: x } }]\n`)
        .join('')
        .replace(/^/, 'w:\n')
        .concat('  - say: done\n'),
      'out/keys/.keep': '',
    });
    const run = async (log: string) => {
      const asked: string[] = [];
      const opened = await open({
        root: folder,
        policies: [join(folder, 'policy.yaml')],
        workers: join(folder, 'w.worker'),
        model: `script:${join(folder, 'script.yaml')}`,
        mode: 'interactive',
        log: join(folder, log),
        environment: { AMBIT_HOME: join(folder, 'state') },
        approver: {
          ask: async (question) => {
            asked.push(question.args.path as string);
            return { answer: question.args.path === 'out/keys/c.pem' ? 'refuse' : 'approve', person: 'ada' };
          },
        },
      });
      if (!opened.ok) throw new Error(JSON.stringify(opened));
      await opened.session.run({ input: 'Write' });
      await opened.session.close();
      return asked;
    };
    expect(await run('one.jsonl')).toEqual(['out/a.md', 'out/b.md', 'out/keys/c.pem']);
    const argv = ['learn', 'one.jsonl', '--policy', 'policy.yaml', '--write', '--json'];
    const learnt = await ambit(argv, { folder });
    expect(learnt.err).toBe('');
    // The folder holds what was refused, and that has another ending.
    expect(JSON.parse(learnt.out)).toMatchObject({
      answered: 2,
      written: true,
      proposals: [{ saves: 2, rule: { endings: ['.md'] } }],
    });
    expect(await run('two.jsonl')).toEqual(['out/keys/c.pem']);
  });

  it('says how to name the policy that stands after --write', async () => {
    const ran = await ambit(['learn', 'run.jsonl', '--write', 'policy.yaml']);
    expect(ran).toMatchObject({
      exit: 2,
      out: '',
      err: 'ambit: policy.yaml is a policy, not a log; --write takes no value\nhint: --policy policy.yaml --write\n',
    });
  });

  it('learns nothing from a modified log', async () => {
    const folder = await answered(usual);
    const file = join(folder, 'run.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"approved":false', '"approved":true'));
    const ran = await ambit(['learn', 'run.jsonl', '--policy', 'policy.yaml', '--write'], { folder });
    expect(ran).toMatchObject({
      exit: 1,
      out: '',
      err: expect.stringContaining('nothing is learnt from it') as string,
    });
    expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toBe(policy);
  });

  it('escapes text from a log', async () => {
    const folder = await answered([[{ name: 'message.send', to: 'a\u001b[2J\u202eb\n# x' }, 'yes']]);
    const { out } = await ambit(['learn', 'run.jsonl'], { folder });
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u202e');
    expect(out).toContain(String.raw`to: "a\U0000001b[2J\U0000202eb\U0000000a# x"`);
  });

  it.each([
    ['a missing log', ['gone.jsonl'], 2],
    ['a policy that does not load', ['run.jsonl', '--policy', 'run.jsonl'], 2],
    ['an invalid reach', ['run.jsonl', '--reach', 'call'], 2],
  ])('reports %s', async (_, argv, exit) => {
    const folder = await answered(usual);
    appendFileSync(join(folder, 'policy.yaml'), '');
    const ran = await ambit(['learn', ...argv], { folder });
    expect(ran.exit).toBe(exit);
    expect(ran.err).not.toMatch(/^\s+at /m);
  });

  it('prints no digests', async () => {
    const digest = 'ab'.repeat(32);
    const folder = await answered([[{ name: 'data.share', path: '/w/a.pdf', sha256: digest }, 'yes']]);
    const { out } = await ambit(['learn', 'run.jsonl', '--policy', 'policy.yaml', '--reach', 'arguments'], {
      folder,
      environment: { AMBIT_HOME: join(folder, 'state') },
    });
    const said = out.slice(0, out.indexOf('what this changes'));
    expect(said).toContain('data.share, path /w/a.pdf, with the approved content, by w');
    expect(said).not.toContain(digest);
  });
});

describe('log stats --load', () => {
  const hasty: readonly (readonly [Capability, Said])[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [
    write(`/w/out/${name}.md`),
    'yes',
  ]);

  it('shows how often people are asked, hardly read rules, and the savings of learn', async () => {
    const folder = await answered(hasty);
    const { exit, out } = await ambit(['log', 'stats', 'run.jsonl', '--load'], { folder });
    expect({ exit, out }).toEqual({
      exit: 0,
      out: `6 questions in 1 hour with calls: 6 an hour, at most 6 in one (2026-11-20T10:00 UTC)

questions by rule
  6  default of policy.yaml: 6 an hour; people approved 6, refused 0; 6 approved within two seconds

warning: 6 of 6 answers to default of policy.yaml are yes within two seconds, so its questions are hardly read: permit calls that are always approved, or ask less often

ambit learn would save 6 questions by 1 rule
  saves 6: fs.write, path below /w/out ending in .md, by w through filesystem.write_file
    newly allows fs.write, path /w/out/another.md, bytes 1
    newly allows fs.write, path /w/out/deeper/down.md, bytes 1
    newly allows fs.write, path /w/out/a-third.md, bytes 1
`,
    });
  });

  it('has the same figures in JSON and on the page of the report', async () => {
    const folder = await answered(hasty);
    const { out } = await ambit(['log', 'stats', 'run.jsonl', '--load', '--json'], { folder });
    const learnt = { saves: 6, rules: [{ saves: 6 }] };
    expect(JSON.parse(out)).toMatchObject({ load: { questions: 6, rules: [{ hardly_read: true }] }, learnt });
    const { out: page } = await ambit(['report', 'run.jsonl', '--out', '-'], { folder });
    expect(page).toContain('"learnt":{"saves":6,');
  });

  it('learns nothing from an invalid log', async () => {
    const folder = await answered(hasty);
    const file = join(folder, 'run.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"approved":true', '"approved":false'));
    const { exit, out } = await ambit(['log', 'stats', 'run.jsonl', '--load', '--unverified'], { folder });
    expect(exit).toBe(0);
    expect(out).toContain('\nambit learn: a log does not verify, so nothing is learnt from it\n');
  });
});
