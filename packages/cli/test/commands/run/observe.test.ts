import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.write: pre_approved }\n',
  'new.yaml': 'version: 1\ndefault: blocked\n',
  'w.worker':
    'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nWrite.\n',
  'script.yaml':
    'w:\n  - call: [{ tool: write_file, args: { path: out/a.md, content: hello } }]\n  - say: done\n',
  'out/.keep': '',
};
const argv =
  'run w go --policy policy.yaml --model script:script.yaml --strict --quiet --log log.jsonl'.split(' ');

describe('run --observe', () => {
  it('runs under its policies only, and records what the observing ones would decide', async () => {
    const folder = folderOf(files);
    expect((await ambit([...argv, '--observe', 'new.yaml'], { folder })).exit).toBe(0);
    expect(readFileSync(join(folder, 'out/a.md'), 'utf8')).toBe('hello');
    const entries = jsonLines(readFileSync(join(folder, 'log.jsonl'), 'utf8'));
    expect(entries).toMatchObject([
      { event: 'run' },
      { event: 'policy', files: [{ name: 'policy.yaml' }, { name: 'new.yaml', observed: true }] },
      { event: 'decision', decision: 'pre_approved', observed: { decision: 'blocked' } },
      { event: 'outcome', outcome: 'completed' },
      { event: 'end' },
    ]);
    expect((await ambit(['log', 'verify', 'log.jsonl'], { folder })).exit).toBe(0);
    expect((await ambit(['log', 'show', '2', '--log', 'log.jsonl'], { folder })).out).toContain(
      '  observed    would be blocked\n',
    );
    expect((await ambit(['log', 'tail', 'log.jsonl'], { folder })).out).toContain(
      'observed: would be blocked',
    );
    // The first run of a process loads all that a run needs.
  });

  it('does not start with an invalid file', async () => {
    const folder = folderOf({ ...files, 'new.yaml': 'version: 1\ndefault: alow\n' });
    const { exit, out, err } = await ambit([...argv, '--observe', 'new.yaml'], { folder });
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('new.yaml:2:10 UNKNOWN_DECISION');
    expect(existsSync(join(folder, 'out/a.md')) || existsSync(join(folder, 'log.jsonl'))).toBe(false);
  });
});

const together = `version: 1
default: pre_approved
together:
  - id: exfiltration
    capabilities: [secret.read, { name: net.connect, except: { host: "**.internal.example" } }]
    within: run
    decision: blocked
capabilities:
  fs.write: { decision: needs_approval, id: trial, observe: true }
`;

describe('decide', () => {
  const lines = (...calls: readonly object[]) =>
    calls.map((call) => JSON.stringify({ tool: 'a.b', ...call })).join('\n');
  const net = (host: string) => [{ name: 'net.connect', host }];
  const argv = ['decide', '--policy', 'policy.yaml', '--open'];

  it('uses the history of a line for conditions within a run', async () => {
    const given = lines(
      { capabilities: net('a.example') },
      { capabilities: net('a.example'), history: ['secret.read'] },
      { capabilities: net('x.internal.example'), history: [{ name: 'secret.read', path: '/s' }] },
      { capabilities: ['secret.read'], history: ['net.connect'] },
      { capabilities: ['fs.read'], history: ['net.connect', 'secret.read'] },
    );
    const { exit, out } = await ambit(argv, { files: { 'policy.yaml': together }, stdin: given });
    expect([exit, jsonLines(out)]).toMatchObject([
      0,
      [
        { decision: 'pre_approved' },
        { decision: 'blocked', judgements: [{ rules: [{ id: 'exfiltration', at: 'policy.yaml:4:5' }] }] },
        { decision: 'pre_approved' },
        {
          decision: 'blocked',
          judgements: [{ rules: [], undecided: [{ id: 'exfiltration', why: 'no fact `host`' }] }],
        },
        { decision: 'pre_approved' },
      ],
    ]);
  });

  it('reports what an observed rule would decide, and does not follow it', async () => {
    const given = lines({ capabilities: ['fs.write'] }, { capabilities: ['fs.read'] });
    const { out } = await ambit(argv, { files: { 'policy.yaml': together }, stdin: given });
    const [first, second] = jsonLines(out) as [{ judgements: object[] }, { judgements: object[] }];
    expect([first, second]).toMatchObject([
      {
        decision: 'pre_approved',
        judgements: [{ default: true, rules: [], observed: [{ id: 'trial', decision: 'needs_approval' }] }],
      },
      { decision: 'pre_approved' },
    ]);
    expect(second.judgements[0]).not.toHaveProperty('observed');
  });
});

describe('explain', () => {
  it('says that the history of a logged call consists of names only', async () => {
    const folder = folderOf({
      ...files,
      'script.yaml':
        'w:\n  - call: [{ tool: write_file, args: { path: out/a.md, content: a } }]\n  - call: [{ tool: write_file, args: { path: out/b.md, content: b } }]\n  - say: done\n',
    });
    expect((await ambit(argv, { folder })).exit).toBe(0);
    const explained = async (seq: string) =>
      (await ambit(['explain', '--policy', 'policy.yaml', '--log', 'log.jsonl', '--seq', seq], { folder }))
        .out;
    const note = 'The log holds only the names of earlier capabilities';
    expect([(await explained('2')).includes(note), (await explained('4')).includes(note)]).toEqual([
      false,
      true,
    ]);
  });
});

describe('check', () => {
  const invariant = 'invariants:\n  - { id: none, capabilities: [secret.read], never: pre_approved }\n';

  it('fails for a violated invariant, which decide ignores', async () => {
    const folder = folderOf({ 'policy.yaml': `${together}${invariant}` });
    const { exit, out } = await ambit(['check', 'policy.yaml'], { folder });
    expect([exit, out]).toEqual([
      1,
      expect.stringContaining('policy.yaml:11:5 REFUTED_INVARIANT the invariant `none` does not hold'),
    ]);
    const decided = await ambit(['decide', '--policy', 'policy.yaml', '--open'], {
      folder,
      stdin: '{"tool":"a.b","capabilities":["secret.read"]}',
    });
    expect([decided.exit, JSON.parse(decided.out)]).toMatchObject([0, { decision: 'pre_approved' }]);
  });
});
