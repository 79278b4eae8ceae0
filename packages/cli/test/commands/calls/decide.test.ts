import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../../../test/depth.js';
import { LineCutter, mostLineBytes } from '../../../src/commands/given/filter.js';
import { runProgram } from '../../../src/program.js';
import { ambit, folderOf, hostIn, jsonLines } from '../../host.js';

const policy = `
version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  net: { decision: blocked, id: no-net, reason: nothing leaves, instead: stay here }
`;
const files = { 'policy.yaml': policy };
const decide = ['decide', '--policy', 'policy.yaml'];

interface Answer {
  readonly id: unknown;
  readonly decision?: string;
  readonly error?: { readonly code: string };
}

const call = (id: unknown, capability = 'fs.read') =>
  JSON.stringify({ id, tool: 'x.y', capabilities: [capability] });

const answers = (text: string) =>
  (jsonLines(text) as Answer[]).map(({ id, decision, error }) => [id, decision ?? error?.code]);

describe('decide', () => {
  it('answers each line with the whole decision, in order', async () => {
    const { exit, out, err } = await ambit(decide, { files, stdin: `${call(1, 'net.connect')}\n` });
    expect({ exit, err, answers: jsonLines(out) }).toEqual({
      exit: 0,
      err: '',
      answers: [
        {
          id: 1,
          decision: 'blocked',
          capabilities: [{ name: 'net.connect' }],
          origins: [{ by: 'map' }],
          judgements: [
            {
              capability: 0,
              policy: 'policy.yaml',
              decision: 'blocked',
              default: false,
              rules: [{ id: 'no-net', at: 'policy.yaml:6:3', decision: 'blocked' }],
              undecided: [],
              answer: null,
              answered_by: null,
            },
          ],
          reason: 'nothing leaves',
          instead: 'stay here',
        },
      ],
    });
  });

  it('continues after invalid lines, and exits with 1', async () => {
    const stdin = Buffer.concat([
      Buffer.from(`\ufeff${call(1)}\r\n\r\n   \nnope\n${call('\ud83e\udd8a')}\n`),
      Buffer.from('{"id":3,"tool":"x.\xff"}\n', 'latin1'),
      Buffer.from(`[]\n{"id":5}\n{"id":6,"tol":"x.y"}\n${call(7)}`),
    ]);
    const { exit, out } = await ambit(decide, { files, stdin });
    expect({ exit, answers: answers(out) }).toEqual({
      exit: 1,
      answers: [
        [1, 'pre_approved'],
        [null, 'bad_json'],
        ['🦊', 'pre_approved'],
        [null, 'bad_encoding'],
        [null, 'not_an_object'],
        [5, 'missing_key'],
        [6, 'unknown_key'],
        [7, 'pre_approved'],
      ],
    });
  });

  it.each([
    [0, []],
    [0, ['fs.read']],
    [3, ['fs.read', 'fs.write', 'fs.read']],
    [4, ['fs.write', 'net.connect', 'fs.read']],
    [1, ['net.connect', 'No']],
  ])('exits with %i for the strictest of the decisions with --exit-code: %j', async (exit, names) => {
    const stdin = names.map((name) => `${call(1, name)}\n`).join('');
    expect(await ambit([...decide, '--exit-code'], { files, stdin })).toMatchObject({ exit, err: '' });
  });

  it('refuses a line that is too long, and keeps no part of it', async () => {
    const stdin = `${call(1)}\n{"id":2,"tool":"${'x'.repeat(mostLineBytes)}"}\n${call(3)}\n`;
    const { exit, out } = await ambit(decide, { files, stdin });
    expect({ exit, answers: answers(out) }).toEqual({
      exit: 1,
      answers: [
        [1, 'pre_approved'],
        [null, 'too_long'],
        [3, 'pre_approved'],
      ],
    });
  });

  it('answers a line before the next one arrives', async () => {
    const folder = folderOf(files);
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const ended = runProgram(decide, hostIn(folder, { stdin, stdout, stderr }));
    const answered = stdout[Symbol.asyncIterator]();
    for (const id of [1, 2, 3]) {
      stdin.write(`${call(id)}\n`);
      const { value } = await answered.next();
      expect(answers(String(value))).toEqual([[id, 'pre_approved']]);
    }
    stdin.end();
    expect(await ended).toBe(0);
  });

  it('accepts thousands of lines at once, with a slower reader', async () => {
    const count = tries(200_000);
    const folder = folderOf(files);
    const lines = Array.from({ length: count }, (_, id) => `${call(id)}\n`).join('');
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end(lines);
    const ended = runProgram(decide, hostIn(folder, { stdin, stdout, stderr }));
    const done = ended.then((exit) => {
      stdout.end();
      return exit;
    });
    let [text, waiting] = ['', 0];
    for await (const chunk of stdout) {
      waiting = Math.max(waiting, stdout.writableLength);
      text += String(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await done).toBe(0);
    const given = jsonLines(text) as Answer[];
    expect(given.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id));
    // A few batches at most wait for the reader, whatever the length of the input.
    expect(waiting).toBeLessThan(1_000_000);
  });

  it('waits once for a slow reader, even with several pending answers', async () => {
    const folder = folderOf({ ...files, 'a.md': 'a' });
    const lines = Array.from(
      { length: 300 },
      () => '{"tool":"filesystem.read_file","args":{"path":"a.md"}}\n',
    ).join('');
    let [waiting, answered] = [0, 0];
    const stdout = new Writable({
      highWaterMark: 1,
      write(chunk, _, done) {
        answered += jsonLines(String(chunk)).length;
        setTimeout(() => {
          waiting = Math.max(waiting, this.listenerCount('drain'));
          done();
        }, 2);
      },
    });
    const exit = await runProgram(
      decide,
      hostIn(folder, {
        stdin: Readable.from([Buffer.from(lines)]),
        stdout,
        stderr: new PassThrough(),
      }),
    );
    expect({ exit, answered, waiting }).toEqual({ exit: 0, answered: 300, waiting: 1 });
  });

  it('judges by all given policies: the strictest decision wins', async () => {
    const open = 'version: 1\ndefault: pre_approved\n';
    const strict = 'version: 1\ndefault: pre_approved\ncapabilities: { fs.read: blocked }\n';
    const given = { files: { ...files, 'open.yaml': open, 'strict.yaml': strict }, stdin: call(1) };
    const decided = async (argv: readonly string[], more: object = {}) => {
      const { exit, out } = await ambit(['decide', ...argv], { ...given, ...more });
      return [exit, ...answers(out)];
    };
    const machine = join(folderOf({ 'policy.yaml': strict }), 'policy.yaml');
    const AMBIT_POLICY = 'policy.yaml:strict.yaml';
    expect({
      one: await decided(['--policy', 'policy.yaml']),
      two: await decided(['--policy', 'policy.yaml', '--policy', 'strict.yaml']),
      machine: await decided(['--policy', 'policy.yaml'], { machinePolicy: machine }),
      environment: await decided([], { environment: { AMBIT_POLICY } }),
      given: await decided(['--policy', 'policy.yaml'], { environment: { AMBIT_POLICY } }),
      none: await decided([]),
      allOpen: await decided(['--policy', 'open.yaml', '--policy', 'strict.yaml']),
      asked: await decided(['--policy', 'open.yaml', '--open']),
      missing: await decided(['--policy', 'policy.yaml', '--policy', 'gone.yaml']),
    }).toEqual({
      one: [0, [1, 'pre_approved']],
      two: [0, [1, 'blocked']],
      machine: [0, [1, 'blocked']],
      environment: [0, [1, 'blocked']],
      given: [0, [1, 'pre_approved']],
      none: [2],
      allOpen: [2],
      asked: [0, [1, 'pre_approved']],
      missing: [2],
    });
  });

  it('describes the calls of built-in tools under --root, and guards the policy', async () => {
    const folder = folderOf({ ...files, 'work/a.md': 'a' });
    const lines = [
      { id: 1, tool: 'filesystem.read_file', args: { path: 'a.md' } },
      { id: 2, tool: 'filesystem.write_file', args: { path: join(folder, 'policy.yaml'), content: '' } },
    ];
    const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
    const { out } = await ambit([...decide, '--root', 'work'], { folder, stdin });
    const [first, second] = jsonLines(out) as { decision: string; capabilities: { name: string }[] }[];
    expect(first?.capabilities).toEqual([
      { name: 'fs.read', path: join(folder, 'work/a.md'), by: 'toolset:filesystem' },
    ]);
    expect(second?.decision).toBe('blocked');
    expect(second?.capabilities.map(({ name }) => name)).toContain('sys.guard');
  });

  it('guards missing worker files, and the link to a policy', async () => {
    const folder = folderOf({ 'real/policy.yaml': policy });
    symlinkSync(join('real', 'policy.yaml'), join(folder, 'policy.yaml'));
    const paths = ['new.worker', 'sub/new.worker', 'policy.yaml', 'real/policy.yaml', 'real/other.yaml'];
    const stdin = paths
      .map((path) => JSON.stringify({ tool: 'filesystem.write_file', args: { path, content: '' } }))
      .join('\n');
    const { out } = await ambit(decide, { folder, stdin });
    const given = jsonLines(out) as { capabilities: { name: string; what?: string; path?: string }[] }[];
    const guards = given.map(({ capabilities }) => capabilities.filter(({ name }) => name === 'sys.guard'));
    expect(guards).toEqual([
      [{ name: 'sys.guard', what: 'worker file', path: join(folder, 'new.worker') }],
      [],
      [
        { name: 'sys.guard', what: 'policy file', path: join(folder, 'policy.yaml') },
        { name: 'sys.guard', what: 'policy file', path: join(folder, 'real/policy.yaml') },
      ],
      [{ name: 'sys.guard', what: 'policy file', path: join(folder, 'real/policy.yaml') }],
      [],
    ]);
  });

  it('reads policies from the working folder, and `./` in them as --root', async () => {
    const rooted =
      'version: 1\ndefault: blocked\ncapabilities:\n  fs.read: { decision: pre_approved, match: { path: ./** } }\n';
    const folder = folderOf({ 'policy.yaml': rooted, 'work/a.md': 'a', 'b.md': 'b' });
    const line = (path: string) => JSON.stringify({ tool: 'x.y', capabilities: [{ name: 'fs.read', path }] });
    const stdin = `${line(join(folder, 'work/a.md'))}\n${line(join(folder, 'b.md'))}`;
    const { out } = await ambit([...decide, '--root', 'work'], { folder, stdin });
    expect(answers(out).map(([, decision]) => decision)).toEqual(['pre_approved', 'blocked']);
  });

  it('escapes control and invisible characters of the input', async () => {
    const stdin = JSON.stringify({ id: 'a\u001b[2J\u202e\u200b\u0085\u{e0041}', tool: 'x.y' });
    const { out } = await ambit(decide, { files, stdin });
    expect(out.trimEnd()).toMatch(/^[\x20-\x7e]*$/);
    expect((jsonLines(out) as Answer[])[0]?.id).toBe('a\u001b[2J\u202e\u200b\u0085\u{e0041}');
  });
});

describe('capabilities', () => {
  it('prints what the built-in toolsets report, without a judgement', async () => {
    const folder = folderOf({ 'a.md': 'a' });
    const lines = [
      { id: 1, tool: 'filesystem.read_file', args: { path: 'a.md' } },
      { id: 2, tool: 'crm.export' },
      { id: 3, tool: 'filesystem.read_file', args: { path: 7 } },
    ];
    const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
    const { exit, out } = await ambit(['capabilities'], { folder, stdin });
    const [first, second, third] = jsonLines(out) as Answer[];
    expect([exit, first, second, third?.error?.code]).toEqual([
      1,
      { id: 1, capabilities: [{ name: 'fs.read', path: join(folder, 'a.md'), by: 'toolset:filesystem' }] },
      { id: 2, capabilities: [{ name: 'tool.call', tool: 'crm.export' }] },
      'bad_args',
    ]);
  });
});

describe('LineCutter', () => {
  it('cuts at the same places, regardless of how the bytes arrive', () => {
    const bytes = Buffer.from('\ufeffa\r\n\n b\u00e4\n\u{1f98a}');
    const cut = (size: number) => {
      const cutter = new LineCutter();
      const lines = [];
      for (let at = 0; at < bytes.length; at += size)
        lines.push(...cutter.push(bytes.subarray(at, at + size)));
      return [...lines, ...cutter.end()];
    };
    const expected = ['a\r', ' bä', '🦊'].map((text) => ({ ok: true, text }));
    for (const size of [1, 2, 3, 5, 100]) expect(cut(size)).toEqual(expected);
  });
});

describe('file sets', () => {
  const setCall = (path: unknown, id = 1) =>
    JSON.stringify({ id, tool: 'x.y', capabilities: [{ name: 'fs.read', path }] });
  const paths = (count: number) =>
    Array.from({ length: count }, (_, index) => `/w/src/${String(index).padStart(5, '0')}`);

  it('are inline up to 32 members, and larger ones are a folder, a count and a digest', async () => {
    const stdin = [paths(2), paths(32), paths(33)].map((list) => setCall({ paths: list })).join('\n');
    const { out } = await ambit(decide, { files, stdin });
    const found = jsonLines(out) as {
      capabilities: { path: unknown }[];
      judgements: { member: unknown }[];
    }[];
    expect(found.map(({ capabilities }) => capabilities[0]?.path)).toEqual([
      { paths: paths(2) },
      { paths: paths(32) },
      { folder: '/w/src', count: 33, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(found[2]?.judgements[0]?.member).toEqual({ path: '/w/src/00000', count: 33, of: 33 });
  });

  it('have the same digest in one folder, and another one elsewhere', async () => {
    const digest = async (folder: string) => {
      const { out } = await ambit(decide, { folder, stdin: setCall({ paths: paths(40) }) });
      return (jsonLines(out)[0] as { capabilities: { path: { digest: string } }[] }).capabilities[0]?.path
        .digest;
    };
    const [one, other] = [folderOf(files), folderOf(files)];
    expect(await digest(one)).toBe(await digest(one));
    expect(await digest(one)).not.toBe(await digest(other));
  });

  it('count as a missing path without their members', async () => {
    const byPath = `${policy.replace('fs.read: pre_approved', 'fs.read: { decision: pre_approved, match: { path: /w/** } }')}`;
    const listed = { folder: '/w/src', count: 2, digest: '0'.repeat(64) };
    const stdin = [setCall({ paths: paths(2) }, 1), setCall(listed, 2)].join('\n');
    const { out } = await ambit(decide, { files: { 'policy.yaml': byPath }, stdin });
    expect(answers(out)).toEqual([
      [1, 'pre_approved'],
      [2, 'needs_approval'],
    ]);
  });
});
