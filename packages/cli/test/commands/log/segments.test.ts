import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const files = {
  'policy.yaml': `version: 1
default: needs_approval
capabilities: { fs.list: pre_approved, fs.write: pre_approved }
`,
  'w.worker': `name: w
sandbox:
  paths:
    out: { root: ./out, mode: rw }
toolsets:
  filesystem: {}
---
Write what you are asked to write.
`,
  'script.yaml': `w:
${[1, 2, 3, 4, 5]
  .map(
    (number) =>
      `  - call: [{ tool: write_file, args: { path: out/${number}.md, content: "call me Ishmael ${number}" } }]`,
  )
  .join('\n')}
  - say: done
`,
  'attack.yaml': `attack:
${[
  'logs/my.0002.jsonl',
  'logs/my.0009.jsonl',
  'logs/my.jsonl.torn-1',
  'logs/my.jsonl.heads.torn-2',
  'logs/other.0002.jsonl',
]
  .map((path) => `  - call: [{ tool: write_file, args: { path: ${path}, content: "x" } }]`)
  .join('\n')}
  - say: done
`,
  'attack.worker': `name: attack
sandbox:
  paths:
    logs: { root: ./logs, mode: rw }
toolsets:
  filesystem: {}
---
Write what you are asked to write.
`,
  'logs/.keep': '',
  'out/.keep': '',
};
const run = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--strict', '--quiet'];
const cut = ['--log-max-entries', '5', '--log-commit', 'sync', '--log-mask', 'filesystem.write_file=content'];

async function cutLog() {
  const folder = folderOf(files);
  const { exit, err } = await ambit([...run, '--log', 'logs/my.jsonl', ...cut, 'w'], { folder });
  if (exit !== 0) throw new Error(err);
  const names = readdirSync(join(folder, 'logs')).filter((name) => name.endsWith('.jsonl'));
  return { folder, names: names.sort() };
}

describe('a log in segments', () => {
  it('is written on request, with the requested masking', async () => {
    const { folder, names } = await cutLog();
    expect(names).toEqual(['my.0002.jsonl', 'my.0003.jsonl', 'my.0004.jsonl', 'my.jsonl']);
    for (const name of names) {
      const text = readFileSync(join(folder, 'logs', name), 'utf8');
      expect(text).not.toContain('Ishmael');
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
    }
    expect(readFileSync(join(folder, 'logs/my.jsonl'), 'utf8')).toContain('"content":"masked:hmac-sha256:');
  });

  it.each(['my.jsonl', 'my.0003.jsonl'])('is read completely from any segment: %s', async (name) => {
    const { folder } = await cutLog();
    const file = `logs/${name}`;
    const verified = await ambit(['log', 'verify', file, '--redecide'], { folder });
    expect(verified).toMatchObject({ exit: 0, err: '' });
    expect(verified.out).toContain('entries in 4 segments of run');
    const stats = await ambit(['log', 'stats', file, '--json'], { folder });
    expect(JSON.parse(stats.out)).toMatchObject({ calls: 5 });
    for (const command of [['query'], ['tail', '-n', '1000']])
      expect((await ambit(['log', ...command, file], { folder })).out.match(/write_file/g)).toHaveLength(5);
    const replayed = await ambit(['replay', file, '--policy', 'policy.yaml', '--json'], { folder });
    expect(replayed).toMatchObject({ exit: 0 });
    const shown = await ambit(['log', 'show', '1', '--log', 'logs/my.0003.jsonl'], { folder });
    expect(shown).toMatchObject({ exit: 0, err: '' });
  });

  it('is one log of its folder', async () => {
    const { folder } = await cutLog();
    await ambit([...run, '--log', 'logs/other.jsonl', 'w'], { folder });
    const { exit, out } = await ambit(['log', 'verify', 'logs', '--json'], { folder });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      folder: 'logs',
      ok: true,
      logs: [
        { file: 'logs/my.jsonl', ok: true, segments: 4 },
        { file: 'logs/other.jsonl', ok: true, segments: 1 },
      ],
    });
    const stats = await ambit(['log', 'stats', 'logs', '--json'], { folder });
    expect(JSON.parse(stats.out)).toMatchObject({ calls: 10 });
    mkdirSync(join(folder, 'logs/my.jsonl.heads'));
    const unread = await ambit(['log', 'verify', 'logs', '--json'], { folder });
    expect(unread).toMatchObject({ exit: 2, err: expect.stringContaining('my.jsonl.heads') });
    expect(JSON.parse(unread.out)).toMatchObject({
      ok: false,
      logs: [{ file: 'logs/other.jsonl', ok: true }],
    });
    rmdirSync(join(folder, 'logs/my.jsonl.heads'));
    rmSync(join(folder, 'logs/my.0002.jsonl'));
    const cutOut = await ambit(['log', 'verify', 'logs'], { folder });
    expect(cutOut).toMatchObject({ exit: 1 });
    expect(cutOut.out).toContain(
      'logs/my.jsonl:5: SEGMENT_MISSING the next segment of the log is missing: expected my.0002.jsonl',
    );
    expect(await ambit(['log', 'stats', 'logs'], { folder })).toMatchObject({ exit: 1 });
    expect(await ambit(['log', 'verify', 'out'], { folder })).toMatchObject({ exit: 2 });
  });

  it('is protected from its own run, including future segments', async () => {
    const folder = folderOf(files);
    const { exit } = await ambit(
      [
        'run',
        '--policy',
        'policy.yaml',
        '--model',
        'script:attack.yaml',
        '--strict',
        '--quiet',
        '--log',
        'logs/my.jsonl',
        ...cut,
        'attack.worker',
      ],
      { folder },
    );
    expect(exit).toBe(0);
    const query = await ambit(['log', 'query', 'logs/my.jsonl', '--json'], { folder });
    const rows = query.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { outcome: string; capabilities: string[] });
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'blocked',
      'completed',
    ]);
    expect(await ambit(['log', 'verify', 'logs/my.jsonl'], { folder })).toMatchObject({ exit: 0 });
  });

  it('that was left unfinished is continued, with a message', async () => {
    const { folder } = await cutLog();
    appendFileSync(join(folder, 'logs/my.0004.jsonl'), '{"prev":"');
    const { exit, err } = await ambit([...run, '--log', 'logs/my.jsonl', 'w'], { folder });
    expect(exit).toBe(0);
    const file = join(folder, 'logs/my.0004.jsonl.torn-1');
    expect(err).toContain(
      `ambit: an unfinished part of the log from a killed run, 9 bytes, was set aside: ${file}\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{"prev":"');
    expect(await ambit(['log', 'verify', 'logs'], { folder })).toMatchObject({ exit: 0 });
  });

  it.each([
    ['--log-max-bytes', '0'],
    ['--log-max-entries', 'many'],
    ['--log-max-age', '-1'],
    ['--log-commit', 'never'],
    ['--log-mask', 'crm.login'],
    ['--log-mask', 'crm.login=a..b'],
  ])('is refused for an invalid limit: %s %s', async (flag, value) => {
    const folder = folderOf(files);
    writeFileSync(join(folder, 'x'), '');
    expect(await ambit([...run, flag, value, 'w'], { folder })).toMatchObject({ exit: 2, out: '' });
    expect(readdirSync(folder)).not.toContain('.ambit');
  });
});
