import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../test/texts.js';
import { ambit, folderOf } from './host.js';

function suite(policy: string, decision: string): string {
  return `policy: ${policy}\ncases: [{ name: x, call: { tool: x.y, capabilities: [net.listen] }, expect: ${decision} }]\n`;
}

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.read: pre_approved }\n',
  'open.yaml': 'version: 1\ndefault: pre_approved\n',
  'bad.yaml': 'version: 1\ndefault: alow\n',
  'near.yaml': 'version: 1\ndefault: blocked\ncapabilities: { fs.wrte: needs_approval }\n',
  'good.test.yaml': suite('policy.yaml', 'needs_approval'),
  'failing.test.yaml': suite('policy.yaml', 'pre_approved'),
  'bad.test.yaml': suite('bad.yaml', 'blocked'),
  'damaged.jsonl': '{"v":1}\n',
  'empty.jsonl': '',
};
const line = '{"tool":"x.y","capabilities":["fs.read"]}';

const usualWords = [
  'init check test show decide capabilities explain diff prove run log tail verify schema',
  '--policy policy.yaml bad.yaml --json --root . --open --strict --approve-all --attenuates --fail-on looser',
  '--log --seq -n -1 3 --context a=b --timeout -- - --help constructor',
  '__proto__ /dev/null damaged.jsonl \u001b[2J \u202e  a\0b {"tool":1}',
]
  .flatMap((words) => words.split(' '))
  .concat(line);

describe('the exit code', () => {
  it.each([
    [0, '--help'],
    [0, 'help decide'],
    [0, 'log --help'],
    [0, '--version'],
    [0, 'init new'],
    [0, 'check policy.yaml'],
    [1, 'check policy.yaml open.yaml'],
    [0, 'show --policy policy.yaml'],
    [0, 'show --policy policy.yaml --worker main'],
    [0, 'decide --policy policy.yaml', line],
    [0, 'decide --policy policy.yaml', ''],
    [0, 'decide --policy open.yaml --open', line],
    [0, 'capabilities', '{"tool":"x.y"}'],
    [0, `explain --policy policy.yaml ${line}`],
    [0, 'explain --policy policy.yaml -', line],
    [0, 'schema policy'],
    [0, 'schema suite'],
    [0, 'schema worker'],
    [0, 'schema log'],
    [0, 'log verify empty.jsonl'],
    [1, 'check near.yaml'],
    [1, 'decide --policy policy.yaml', 'no call'],
    [1, 'capabilities', '{}'],
    [1, 'log verify damaged.jsonl'],
    [1, 'log tail damaged.jsonl'],
    [1, 'log show c1 --log damaged.jsonl'],
    [2, ''],
    [2, 'chek policy.yaml'],
    [0, 'test good.test.yaml'],
    [0, 'test good.test.yaml --coverage --min-coverage 0'],
    [1, 'test failing.test.yaml'],
    [1, 'test good.test.yaml --min-coverage 100'],
    [1, 'test good.test.yaml --mutate'],
    [2, 'test bad.test.yaml'],
    [2, 'test good.test.yaml bad.test.yaml failing.test.yaml'],
    [2, 'test gone.test.yaml'],
    [2, 'test new'],
    [2, 'test good.test.yaml --min-coverage 101'],
    [2, 'test good.test.yaml --max-survivors 3'],
    [2, 'test good.test.yaml --root gone'],
    [2, 'replay empty.jsonl'],
    [2, 'check'],
    [2, 'check bad.yaml'],
    [2, 'check near.yaml bad.yaml'],
    [2, 'check gone.yaml'],
    [2, 'check .'],
    [2, 'check --observe policy.yaml'],
    [2, 'show'],
    [2, 'show --policy bad.yaml'],
    [2, 'show --policy policy.yaml --worker Reader'],
    [2, 'decide', line],
    [2, 'decide --policy', line],
    [2, 'decide --policy bad.yaml', line],
    [2, 'decide --policy gone.yaml', line],
    [2, 'decide --policy open.yaml', line],
    [2, 'decide --policy policy.yaml --root gone', line],
    [2, 'decide --policy policy.yaml --strict', line],
    [2, 'decide --policy policy.yaml extra', line],
    [2, 'capabilities --root gone', line],
    [2, 'explain --policy policy.yaml'],
    [2, 'explain --policy policy.yaml {}'],
    [2, 'explain --policy policy.yaml {nonsense'],
    [0, 'explain --policy policy.yaml git push'],
    [2, 'explain --policy policy.yaml --shell ls {}'],
    [2, 'runs shwo'],
    [2, 'log query --since 1y empty.jsonl'],
    [2, 'explain --policy policy.yaml --log empty.jsonl'],
    [2, 'explain --policy policy.yaml --log empty.jsonl --seq 1'],
    [2, 'explain --policy policy.yaml --log empty.jsonl --seq x'],
    [2, 'run'],
    [2, 'run --policy policy.yaml gone'],
    [2, 'run --policy policy.yaml --strict gone'],
    [2, 'run --policy policy.yaml --strict --approve-all gone'],
    [2, 'run --policy policy.yaml --strict --timeout 0 gone'],
    [2, 'run --policy policy.yaml --strict --max-calls 3 gone'],
    [2, 'schema polcy'],
    [2, 'log'],
    [2, 'log query'],
    [2, 'log tail gone.jsonl'],
    [2, 'log tail empty.jsonl --lines x'],
    [2, 'log show c1'],
    [2, 'log show c1 --log empty.jsonl'],
    [2, 'log verify gone.jsonl'],
    [1, 'log verify .'],
  ] as const)('is %i for: ambit %s', async (...row) => {
    const [exit, words, stdin]: readonly [number, string, string?] = row;
    const argv = words.split(' ').filter((word) => word !== '');
    const ran = await ambit(argv, { files, ...(stdin === undefined ? {} : { stdin }) });
    expect([ran.exit, ran.err]).toEqual([exit, exit === 0 ? '' : expect.any(String)]);
    if (exit === 2) expect(`${ran.out}${ran.err}`).not.toBe('');
  });
});

describe('the program', () => {
  it.each([
    [['chek'], "ambit: unknown command 'chek'\nhint: did you mean check?\n"],
    [['decide', '--polcy', 'x'], "ambit: unknown option '--polcy'\nhint: did you mean --policy?\n"],
    [['log', 'verfy'], "ambit: unknown command 'verfy'\nhint: did you mean verify?\n"],
    [['zzzzzzz'], "ambit: unknown command 'zzzzzzz'\nhint: ambit --help\n"],
    [['log', 'prove'], "ambit: missing required argument 'FILE'\nhint: ambit log prove --help\n"],
    [
      ['decide'],
      'ambit: at least one policy is required\nhint: give --policy FILE; `ambit init` writes a starter policy\n',
    ],
    [
      ['explain', '--log', 'my log', '--seq', '3'],
      "ambit: at least one policy is required\nhint: ambit log show 3 --log 'my log' prints the recorded decision; --policy FILE judges again\n",
    ],
    [
      ['run', 'w', '--policy', 'policy.yaml'],
      'ambit: cannot ask: stdin is not a terminal; nothing was run\nhint: give --strict to refuse what needs approval, --approve-all to approve it, --wait to answer with `ambit approvals`, or --park to resume later\n',
    ],
    [
      ['schema', 'sute'],
      'ambit: unknown kind of schema `sute`\nhint: policy, suite, worker, configuration or log\n',
    ],
  ])('reports what is wrong with %j in one line, and a hint', async (argv, err) => {
    expect(await ambit(argv, { files: { ...files, 'w.worker': 'name: w\n---\nDo it.\n' } })).toEqual({
      exit: 2,
      out: '',
      err,
    });
  });

  it.each([
    [['nobody', '--policy', 'policy.yaml'], 'there is no worker `nobody`'],
    [['w'], 'at least one policy is required'],
    [['w', '--policy', 'nothing.yaml'], 'nothing.yaml:1:1 CANNOT_READ'],
    [['other', '--policy', 'policy.yaml'], 'BAD_WORKER_NAME'],
  ])('reports mistakes of run %j before that it cannot ask', async (argv, message) => {
    const workers = { 'w.worker': 'name: w\n---\nDo it.\n', 'other.worker': 'name: w\n---\nDo it.\n' };
    const { exit, err } = await ambit(['run', ...argv], { files: { ...files, ...workers } });
    expect([exit, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('cannot ask');
  });

  it('does not call a worker missing in a folder that it may not enter', async () => {
    const folder = folderOf({ ...files, 'closed/w.worker': 'name: w\n---\nDo it.\n' });
    const closed = join(folder, 'closed');
    chmodSync(folder, 0o755);
    chmodSync(closed, 0);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { err } = await ambit(['run', 'closed/w.worker', '--policy', 'policy.yaml'], { folder });
      expect(err).toBe(
        `ambit: ${closed}/w.worker: permission denied\nhint: check its owner and its permissions: ls -ld\n`,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(closed, 0o700);
    }
  });

  it('prints one JSON document on stdout with --json, also for a failure', async () => {
    for (const argv of [
      ['show', '--policy', 'policy.yaml', '--json'],
      ['check', 'bad.yaml', '--json'],
      ['explain', '--policy', 'policy.yaml', line, '--json'],
      ['schema', 'log', '--json'],
      ['init', '--json'],
      ['show', '--policy', 'bad.yaml', '--json'],
      ['show', '--polcy', 'bad.yaml', '--json'],
      ['log', 'verify', 'empty.jsonl', '--json'],
      ['log', 'show', 'c1', '--json'],
    ]) {
      const { out } = await ambit(argv, {
        files: { ...files, 'policy.yaml': files['open.yaml'] },
        folder: folderOf(files),
      });
      expect(() => JSON.parse(out) as unknown).not.toThrow();
    }
  });

  it('explains a call in readable form', async () => {
    const three = [
      'pre_approved: main calls x.y',
      'decided by the rule capabilities.fs.read (policy.yaml:3:17)',
      'without the rule `capabilities.fs.read` (policy.yaml:3:17): needs_approval',
    ];
    const short = await ambit(['explain', '--policy', 'policy.yaml', line], { files });
    expect(short.out.split('\n')).toEqual([...three, '', '--full shows the whole reasoning', '']);
    const { out } = await ambit(['explain', '--full', '--policy', 'policy.yaml', line], { files });
    expect(out.split('\n').slice(0, 3)).toEqual(three);
    expect(out).toContain('policy.yaml:3:');
    expect(out.split('\n\n').at(-1)).toBe(`changes that would each alter this decision
  without the rule \`capabilities.fs.read\` (policy.yaml:3:17): needs_approval
  if the rule \`capabilities.fs.read\` (policy.yaml:3:17) said blocked: blocked
`);
  });

  it.each([
    ['runs', 'no runs here\n'],
    ['approvals', 'no open questions here\n'],
  ])('lists subcommands for %s without arguments', async (word, err) => {
    expect(await ambit([word], { files })).toEqual({ exit: 0, out: '', err });
  });

  it.each([[['git', 'push']], [['--shell', 'git push']]])('explains the command line %j', async (words) => {
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', ...words], { files });
    expect(out.split('\n')[0]).toBe('needs_approval: main calls shell.run');
  });

  it('names the guarded file of a blocked call, and a way to proceed', async () => {
    const call =
      '{"tool":"x.y","capabilities":[{"name":"sys.guard","what":"policy file","path":"/w/policy.yaml"}]}';
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], { files });
    expect(out.split('\n').slice(1, 5)).toEqual([
      'decided by the rule sys.guard (built-in)',
      'found no single change that would alter this decision',
      'because of sys.guard /w/policy.yaml: what judges, answers or records a run is not changed from within it',
      'instead: leave out what is guarded, or ask the person who started the run to make the change',
    ]);
  });

  it('gives a reason with the capability and the rule that it belongs to', async () => {
    const policy = `version: 1
default: needs_approval
extends: [org.yaml]
capabilities:
  fs.read: { id: no-read, decision: blocked }
  fs.write: { id: no-write, decision: blocked, reason: the vault writes }
  net: { id: no-net, decision: blocked, instead: ask the proxy }
`;
    const org =
      'version: 1\ndefault: blocked\ncapabilities: { fs.read: { decision: blocked, reason: old } }\n';
    const reasons = async (...names: readonly (string | object)[]) => {
      const call = JSON.stringify({ tool: 'x.y', capabilities: names });
      const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], {
        files: { 'policy.yaml': policy, 'org.yaml': org },
      });
      return out.split('\n').filter((line) => /^(?:decided|because|instead)/.test(line));
    };
    expect(await reasons('fs.read', 'fs.write')).toEqual([
      'decided by the rule no-read (policy.yaml:5:3)',
      'because of fs.write (no-write, policy.yaml:6:3): the vault writes',
    ]);
    expect(await reasons('fs.write')).toEqual([
      'decided by the rule no-write (policy.yaml:6:3)',
      'because of fs.write: the vault writes',
    ]);
    expect(await reasons({ name: 'fs.write', path: { paths: ['/w/b', '/w/a'] } })).toContain(
      'because of fs.write /w/a (2 of 2 files): the vault writes',
    );
    expect(await reasons('fs.read', 'net.connect')).toEqual([
      'decided by the rule no-read (policy.yaml:5:3)',
      'because of fs.read (capabilities.fs.read, org.yaml:3:17): old',
      'instead (no-net, policy.yaml:7:3): ask the proxy',
    ]);
    expect(await reasons('env.read', 'fs.write')).toEqual([
      'decided by the default of org.yaml: no rule covers env.read',
      'because of fs.write (no-write, policy.yaml:6:3): the vault writes',
    ]);
  });

  it.each([
    [
      '{"name":"secret.read","path":{"paths":[],"open":true}}',
      'files that are not known before the call runs',
    ],
    ['{"name":"proc.exec.opaque","why":"it is unknown"}', 'it is unknown'],
  ])('says what is unknown: %s', async (capability, unknown) => {
    const call = `{"tool":"x.y","capabilities":[${capability}]}`;
    const rules = ['secret.read', 'proc.exec.opaque'].map(
      (name) => `  ${name}: { decision: blocked, reason: no }`,
    );
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], {
      files: { 'policy.yaml': `version: 1\ndefault: blocked\ncapabilities:\n${rules.join('\n')}\n` },
    });
    expect(out).toContain(` (${unknown}): no\n`);
  });

  it('says of a path that is not canonical that it is not, and not that it is missing', async () => {
    const call = '{"tool":"x.y","capabilities":[{"name":"fs.write","path":"/w/../etc/x"}]}';
    const policy =
      'version: 1\ndefault: blocked\ncapabilities:\n  fs.write: { decision: blocked, match: { path: /etc/** } }\n';
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], {
      files: { 'policy.yaml': policy },
    });
    expect(out).toContain(', which may apply: `path` is not in canonical form\n');
  });

  it('gives the reason of a question', async () => {
    const rule = '{ decision: needs_approval, reason: mail is public, instead: write a draft }';
    const policy = `version: 1\ndefault: blocked\ncapabilities:\n  message.send: ${rule}\n`;
    const call = '{"tool":"x.y","capabilities":["message.send"]}';
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], {
      files: { 'policy.yaml': policy },
    });
    expect(out).toContain('\nbecause of message.send: mail is public\ninstead: write a draft\n');
  });

  it('explains the name of a JSON file as a command line, and says how to read the file', async () => {
    const call = '{"tool":"shell.run","args":{"command":"ls"}}';
    const explained = async (more: Readonly<Record<string, string>>) =>
      (await ambit(['explain', '--policy', 'policy.yaml', 'call.json'], { files: { ...files, ...more } }))
        .out;
    expect(await explained({ 'call.json': call })).toContain('explain - < call.json');
    expect(await explained({})).not.toContain('< call.json');
  });

  it('explains the name of a tool and its arguments as a command line, and says how to write the call', async () => {
    const argv = ['explain', '--policy', 'policy.yaml', 'shell.run', '{"command":"ls"}'];
    expect((await ambit(argv, { files })).out).toContain(
      `ambit explain '{"tool":"shell.run","args":{"command":"ls"}}'\n`,
    );
  });

  it('ignores a policy in the folder that is not given', async () => {
    for (const command of ['explain', 'decide', 'show'])
      expect(
        (await ambit([command, 'git', 'push'].slice(0, command === 'explain' ? 3 : 1), { files })).exit,
        command,
      ).toBe(2);
  });

  it('shows what would permit a call, or which part of it needs approval', async () => {
    const two = '{"tool":"x.y","capabilities":["net.listen",{"name":"fs.write","path":"/a"}]}';
    const policy =
      'version: 1\ndefault: needs_approval\ncapabilities: { fs.write: { decision: pre_approved, match: { path: /w/** } }, net: needs_approval }\n';
    const third = async (call: string) => {
      const { out } = await ambit(['explain', '--policy', 'policy.yaml', call], {
        files: { 'policy.yaml': policy },
      });
      return out.split('\n')[2];
    };
    expect(await third('{"tool":"x.y","capabilities":[{"name":"fs.write","path":"/a"}]}')).toBe(
      'if `path` were `/w/a`, which `/w/**` covers: pre_approved',
    );
    expect(await third(two)).toBe(
      'found no single change that would permit it: 2 of its 2 capabilities are not pre-approved',
    );
  });

  it.each([
    [
      'filesystem.write_fil',
      'there is no tool `filesystem.write_fil`: did you mean filesystem.write_file? there are filesystem.read_file, filesystem.read_bytes, ',
    ],
    [
      'filesytem.write_file',
      'no toolset `filesytem` is loaded: did you mean filesystem? there are filesystem, shell, http, and what --toolset MODULE loads\n',
    ],
    ['shell.exec', 'there is no tool `shell.exec`: there is shell.run\n'],
    ['mcp-notes.add', null],
  ])('suggests existing tools for the unknown tool %s', async (tool, expected) => {
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', JSON.stringify({ tool })], { files });
    if (expected === null) expect(out).not.toContain('there');
    else expect(out).toContain(`\n${expected}`);
  });

  it('reports changes that would alter a decision in JSON, including grants', async () => {
    const call = '{"tool":"x.y","capabilities":["net.listen"],"grants":[{"worker":"main","tool":"x.y"}]}';
    const policy =
      'version: 1\ndefault: needs_approval\ngrants: { workers: true }\ncapabilities: { net: needs_approval }\n';
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', call, '--json'], {
      files: { 'policy.yaml': policy },
    });
    const { decision, changes } = JSON.parse(out) as { decision: string; changes: readonly unknown[] };
    expect([decision, changes]).toEqual([
      'pre_approved',
      [
        {
          of: 'policy',
          what: 'other_decision',
          policy: 'policy.yaml',
          id: 'capabilities.net',
          at: 'policy.yaml:4:17',
          says: 'blocked',
          decision: 'blocked',
        },
      ],
    ]);
  });

  it('exits with 0, 1 or 2, without a stack trace or control characters, for any arguments', async () => {
    const words = fc.oneof(
      fc.constantFrom(...usualWords),
      fc.string({ maxLength: 12 }).filter((word) => !word.startsWith('-f') && !word.startsWith('--f')),
    );
    const folder = folderOf(files);
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 7 }),
        fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) }),
        async (argv, stdin) => {
          const { exit, out, err } = await ambit(argv, { folder, stdin });
          expect([0, 1, 2]).toContain(exit);
          expect(err).not.toMatch(/^\s+at /m);
          for (const said of [out, err]) {
            const bad = [...said].filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== '\n');
            expect(bad).toEqual([]);
          }
        },
      ),
      explore(1000),
    );
  });
});
