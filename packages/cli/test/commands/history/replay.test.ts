import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = `version: 1
default: needs_approval
capabilities:
  fs.list: pre_approved
  fs.read: pre_approved
  fs.write:
    - { id: no-env, decision: blocked, match: { path: "**/.env" } }
together:
  - { id: read-then-write, capabilities: [fs.read, fs.delete], within: run, decision: blocked }
`;
const files = {
  'policy.yaml': policy,
  'w.worker': `name: w
sandbox:
  paths:
    out: { root: ./out, mode: rw, write_approval: true }
toolsets:
  filesystem: {}
---
Write what you are asked to write.
`,
  'script.yaml': `w:
  - call: [{ tool: list_files, args: { path: out } }]
  - call: [{ tool: write_file, args: { path: out/a.md, content: "hello\\n" } }]
  - call: [{ tool: write_file, args: { path: out/.env, content: "x" } }]
  - call: [{ tool: read_file, args: { path: out/b.md } }]
  - call: [{ tool: delete_file, args: { path: out/b.md } }]
  - call: [{ tool: write_file, args: { path: out/token=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789, content: "x" } }]
  - say: done
`,
  'out/b.md': 'b',
  'looser.yaml':
    'version: 1\ndefault: blocked\ncapabilities: { fs: { decision: needs_approval }, fs.list: pre_approved }\n',
  'stricter.yaml': `${policy}tools: { filesystem.list_files: blocked }\n`,
  'path.yaml': `version: 1
default: needs_approval
capabilities: { fs.write: [{ decision: pre_approved, match: { path: ./out/a.md } }] }
`,
};

async function logged(mode = '--approve-all', ...more: readonly string[]): Promise<string> {
  const folder = folderOf(files);
  const argv = [
    'run',
    '--policy',
    'policy.yaml',
    '--model',
    'script:script.yaml',
    mode,
    '--quiet',
    '--log',
    'run.jsonl',
    ...more,
    'w',
  ];
  expect((await ambit(argv, { folder })).exit).toBe(0);
  return folder;
}

const lineOf = (folder: string, file: string, seq: number) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line || '{}') as { readonly seq?: number; readonly call?: string })
    .find((entry) => entry.seq === seq) ?? {};

const replayed = async (folder: string, policyFile: string, ...more: readonly string[]) => {
  const { exit, out } = await ambit(['replay', 'run.jsonl', '--policy', policyFile, '--json', ...more], {
    folder,
    environment: { AMBIT_HOME: join(folder, 'state') },
  });
  return {
    exit,
    ...(JSON.parse(out) as {
      readonly classes: unknown;
      readonly questions: unknown;
      readonly ways: unknown;
    }),
  };
};

describe('replay', () => {
  it.each(['--approve-all', '--strict'])(
    'gives the recorded decision under the policies of the run, or reports masking: %s',
    async (mode) => {
      const folder = await logged(mode);
      expect(await replayed(folder, 'policy.yaml')).toMatchObject({
        exit: 0,
        calls: 6,
        same: 5,
        looser: 0,
        stricter: 0,
        unknown: 1,
        classes: [
          { to: 'unknown', tool: 'filesystem.write_file', because: ['`capability.path` was masked'] },
        ],
      });
    },
  );

  it('shows changes by tool and rule, with an example entry', async () => {
    const folder = await logged();
    expect(await ambit(['replay', 'run.jsonl', '--policy', 'stricter.yaml'], { folder })).toMatchObject({
      exit: 0,
      out: expect.stringContaining(`6 calls judged again: 4 the same, 0 looser, 1 stricter, 1 unknown

  from pre_approved to blocked: 1

1 decision: from pre_approved to blocked
  filesystem.list_files (fs.list)
  because of tools.filesystem.list_files
  for example entry 2 of run.jsonl, call `) as string,
    });
  });

  it('names the file of an example entry in a rotated log', async () => {
    const folder = await logged('--approve-all', '--log-max-entries', '7');
    const { out } = await ambit(['replay', 'run.jsonl', '--policy', 'looser.yaml'], { folder });
    const examples = [...out.matchAll(/for example entry (\d+) of (\S+), call (\S+)/g)];
    for (const [, seq, file, call] of examples)
      expect(lineOf(folder, file ?? '', Number(seq)).call).toBe(call);
    expect(examples.at(-1)?.[2]).toMatch(/^run\.\d+\.jsonl$/);
  });

  it('counts each of the six possible changes of a decision', async () => {
    const { ways } = await replayed(await logged(), 'stricter.yaml');
    expect(ways).toEqual([
      { from: 'pre_approved', to: 'needs_approval', calls: 0 },
      { from: 'pre_approved', to: 'blocked', calls: 1 },
      { from: 'needs_approval', to: 'pre_approved', calls: 0 },
      { from: 'needs_approval', to: 'blocked', calls: 0 },
      { from: 'blocked', to: 'pre_approved', calls: 0 },
      { from: 'blocked', to: 'needs_approval', calls: 0 },
    ]);
  });

  it('applies the restrictions of a worker file even if the new policy is looser', async () => {
    const folder = await logged();
    const { classes } = await replayed(folder, 'path.yaml');
    // `write_approval` asks about the write that the policy would let pass.
    expect(classes).not.toContainEqual(expect.objectContaining({ to: 'pre_approved' }));
  });

  it.each([
    ['stricter.yaml', 'stricter', 1],
    ['stricter.yaml', 'any', 1],
    ['looser.yaml', 'looser', 1],
    // One decision is unknown, and might be looser.
    ['policy.yaml', 'looser', 1],
  ])('with %s, exits under --fail-on %s with %d', async (file, way, exit) => {
    expect((await replayed(await logged(), file, '--fail-on', way)).exit).toBe(exit);
  });

  it('counts calls like `stats` and the report, even if one was described several times', async () => {
    const folder = folderOf({
      ...files,
      'script.yaml':
        'w:\n  - call: [{ tool: list_files, args: { path: out } }, { tool: list_files, args: { path: 3 } }]\n  - say: done\n',
    });
    const words = 'run --policy policy.yaml --model script:script.yaml --strict --quiet --log run.jsonl w';
    await ambit(words.split(' '), { folder });
    const log = join(folder, 'run.jsonl');
    const entries = readFileSync(log, 'utf8').split('\n');
    const first = entries.findIndex((line) => line.includes('"decision":"pre_approved"'));
    writeFileSync(log, entries.toSpliced(first, 0, entries[first] ?? '').join('\n'));
    const { out } = await ambit(['log', 'stats', 'run.jsonl', '--json', '--unverified'], { folder });
    const { calls } = JSON.parse(out) as { readonly calls: number };
    expect(await replayed(folder, 'policy.yaml')).toMatchObject({ calls, unjudged: 1, decisions: 2 });
    const told = await ambit(['replay', 'run.jsonl', '--policy', 'policy.yaml', '--unverified'], { folder });
    expect(told.out).toContain('1 call judged again, by 2 decisions: 2 the same');
    expect(told.out).toContain('; 1 call refused before judging');
    await ambit(['report', 'run.jsonl', '--unverified'], { folder });
    expect(readFileSync(join(folder, 'run.html'), 'utf8')).toContain(`"calls":${calls},"runs":1`);
  });

  it('counts the questions of a day, before and after', async () => {
    const { questions } = await replayed(await logged(), 'looser.yaml');
    expect(questions).toEqual([
      { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, before: 2, after: 6, new: 4 },
    ]);
  });

  it('combines several logs, and all logs of a folder', async () => {
    const folder = await logged();
    mkdirSync(join(folder, 'logs'));
    for (const name of ['a', 'b'])
      writeFileSync(join(folder, 'logs', `${name}.jsonl`), readFileSync(join(folder, 'run.jsonl')));
    const replayAll = async (...logs: readonly string[]) =>
      JSON.parse(
        (await ambit(['replay', ...logs, '--policy', 'stricter.yaml', '--json'], { folder })).out,
      ) as unknown;
    const both = await replayAll('logs');
    expect(both).toMatchObject({
      calls: 12,
      same: 8,
      stricter: 2,
      unknown: 2,
      classes: [
        { to: 'blocked', calls: 2 },
        { to: 'unknown', calls: 2 },
      ],
      questions: [{ before: 4, after: 2, new: 0 }],
    });
    expect((both as { ways: unknown }).ways).toContainEqual({
      from: 'pre_approved',
      to: 'blocked',
      calls: 2,
    });
    expect(await replayAll('logs/a.jsonl', 'logs/b.jsonl', 'logs')).toEqual(both);
  });

  it('keeps an index of a long log in the state folder, with the same result for a grown log', async () => {
    const folder = await logged();
    const file = join(folder, 'run.jsonl');
    const decision = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('"event":"decision"'));
    writeFileSync(file, `${decision}\n`.repeat(3000), { flag: 'a' });
    const judged = async (...more: readonly string[]) =>
      (await replayed(folder, 'path.yaml', ...more)) as object;
    const whole = await judged('--no-index');
    const indexes = () =>
      readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.index'),
      );
    expect(await judged()).toEqual(whole);
    expect(indexes()).toHaveLength(1);
    expect(await judged()).toEqual(whole);
    writeFileSync(file, `${decision}\n`, { flag: 'a' });
    expect(await judged()).toMatchObject({ calls: 6, decisions: 3007 });
    expect(indexes()).toHaveLength(1);
  });

  it.each([
    ['a missing log', ['gone.jsonl', '--policy', 'policy.yaml'], 2],
    ['a policy that does not load', ['run.jsonl', '--policy', 'w.worker'], 2],
    ['no policy', ['run.jsonl'], 2],
    ['an unknown kind of change', ['run.jsonl', '--policy', 'policy.yaml', '--fail-on', 'softer'], 2],
    ['a file that is not a log', ['out/b.md', '--policy', 'policy.yaml'], 1],
    ['a damaged log', ['bad.jsonl', '--policy', 'policy.yaml'], 1],
  ])('reports %s', async (_, argv, exit) => {
    const folder = await logged();
    writeFileSync(join(folder, 'bad.jsonl'), '{"v":1}\n');
    const ran = await ambit(['replay', ...argv], { folder });
    expect(ran.exit).toBe(exit);
    expect(ran.err).not.toMatch(/^\s+at /m);
  });
});
