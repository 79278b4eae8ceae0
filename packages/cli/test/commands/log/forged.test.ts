import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@ambit/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.list: pre_approved }\n',
  'w.worker':
    'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nW.\n',
  'script.yaml': `w:
  - call: [{ tool: list_files, args: { path: out } }]
  - call: [{ tool: write_file, args: { path: out/a.md, content: a } }]
  - say: done
`,
  'out/b.md': 'b',
};

let folder = '';
let environment: Readonly<Record<string, string>> = {};
let good = '';
const at = (name: string) => join(folder, 'logs', name);
const cli = (...argv: readonly string[]) => ambit(argv, { folder, environment });

/** The lines with recomputed hashes, as by an attacker. */
function rehashed(text: string, change: (entry: JsonObject) => JsonObject): string {
  let prev = '0'.repeat(64);
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const next = JSON.stringify({ ...change(JSON.parse(line) as JsonObject), prev });
      prev = createHash('sha256').update(next).digest('hex');
      return `${next}\n`;
    });
  return lines.join('');
}

const calmed = (entry: JsonObject): JsonObject =>
  entry.event === 'approval' ? { ...entry, how: 'person', who: { person: 'ada', approval: 'a' } } : entry;

beforeAll(async () => {
  folder = folderOf(files);
  environment = { AMBIT_HOME: join(folder, 'state') };
  mkdirSync(join(folder, 'logs'));
  await cli('log', 'key');
  const policies = ['--policy', 'policy.yaml', '--model', 'script:script.yaml'];
  const flags = ['--approve-all', '--quiet', '--log', 'logs/good.jsonl'];
  const run = await cli('run', 'w', 'go', ...policies, ...flags);
  expect(run).toMatchObject({ exit: 0 });
  good = readFileSync(at('good.jsonl'), 'utf8');
  // A word changed; then every hash made right, the heads and the name of the key taken away.
  writeFileSync(at('changed.jsonl'), good.replace('"how":"mode"', '"how":"grant"'));
  copyFileSync(at('good.jsonl.heads'), at('changed.jsonl.heads'));
  const { signer: _, ...unsigned } = JSON.parse(good.split('\n')[0] ?? '') as JsonObject;
  const stripped = rehashed(good, (entry) => calmed(entry.event === 'run' ? unsigned : entry));
  writeFileSync(at('stripped.jsonl'), stripped);
  expect(stripped).toContain('"person":"ada"');
});

const forgeries = [
  ['changed.jsonl', 'PREV_MISMATCH'],
  ['stripped.jsonl', 'UNSIGNED'],
] as const;

/** What reads logs, with `LOG` for the log; where its JSON says `verified`. */
const readers: readonly (readonly [readonly string[], 'document' | 'lines' | 'cells' | 'unmapped'])[] = [
  [['report', 'LOG', '--out', 'page.html', '--json'], 'document'],
  [['log', 'query', 'LOG', '--json'], 'lines'],
  [['log', 'stats', 'LOG', '--json'], 'document'],
  [['log', 'export', 'LOG', '--json'], 'lines'],
  [['log', 'export', 'LOG', '--format', 'ocsf'], 'unmapped'],
  [['log', 'export', 'LOG', '--format', 'csv'], 'cells'],
  [['replay', 'LOG', '--policy', 'policy.yaml', '--json'], 'document'],
  [['explain', '--log', 'LOG', '--seq', '2', '--policy', 'policy.yaml', '--json'], 'document'],
  [['log', 'show', '2', '--log', 'LOG', '--json'], 'document'],
  [['log', 'tail', 'LOG', '--json'], 'lines'],
];

function marks(out: string, where: (typeof readers)[number][1]): readonly unknown[] {
  if (where === 'cells')
    return out
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').at(-1));
  const documents = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  return documents.map((one) => (where === 'unmapped' ? (one.unmapped as JsonObject) : one).verified);
}

describe.each(readers)('%j', (argv, where) => {
  const named = (log: string) => argv.map((one) => one.replace('LOG', `logs/${log}`));

  it.each(forgeries)('reports a forged log: %s', async (log, code) => {
    const { exit, out, err } = await cli(...named(log));
    expect([exit, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^ambit: this log does not verify; it may contain false entries\nlogs/${log}:\\d+: ${code} `,
        ),
      ),
    ]);
    const isMarked = (mark: unknown) => mark === false || mark === '"false"' || mark === '"verified"';
    expect(marks(out, where).length).toBeGreaterThan(0);
    expect(marks(out, where).filter((mark) => !isMarked(mark))).toEqual([]);
    const accepted = await cli(...named(log), '--unverified');
    expect([accepted.exit, accepted.out]).toEqual([0, out]);
  });

  it('accepts a genuine log', async () => {
    const { exit, out, err } = await cli(...named('good.jsonl'));
    expect([exit, err]).toEqual([0, '']);
    expect(out).not.toContain('verified');
  });
});

describe('human-readable output about a forged log', () => {
  it('begins with a warning', async () => {
    const commands = [
      ['log', 'query', 'logs/stripped.jsonl'],
      ['log', 'stats', 'logs/stripped.jsonl'],
      ['replay', 'logs/stripped.jsonl', '--policy', 'policy.yaml'],
      ['explain', '--log', 'logs/stripped.jsonl', '--seq', '2', '--policy', 'policy.yaml'],
      ['log', 'show', '2', '--log', 'logs/stripped.jsonl'],
      ['log', 'tail', 'logs/stripped.jsonl'],
    ];
    for (const argv of commands) {
      const { out } = await cli(...argv);
      expect(out).toMatch(/^NOT VERIFIED: this log does not verify; it may contain false entries\n/);
    }
  });

  it('has a banner on the page', async () => {
    expect(await cli('report', 'logs/stripped.jsonl', '--out', 'forged.html')).toMatchObject({ exit: 1 });
    expect(readFileSync(join(folder, 'forged.html'), 'utf8')).toContain('<strong>Not verified.</strong>');
    expect(await cli('report', 'logs/good.jsonl', '--out', 'good.html')).toMatchObject({ exit: 0 });
    expect(readFileSync(join(folder, 'good.html'), 'utf8')).not.toContain('Not verified');
  });

  it('proposes nothing from it, unless asked to', async () => {
    const argv = ['learn', 'logs/stripped.jsonl', '--policy', 'policy.yaml', '--json'];
    const refused = await cli(...argv);
    const error = { message: 'this log does not verify, so nothing is learnt from it', hint: null };
    expect([refused.exit, JSON.parse(refused.out)]).toEqual([1, { error, verified: false }]);
    expect(refused.err).toContain('this log does not verify, so nothing is learnt from it');
    const learnt = await cli(...argv, '--unverified');
    expect([learnt.exit, JSON.parse(learnt.out)]).toMatchObject([0, { verified: false }]);
  });
});

describe('log verify', () => {
  it('accepts several logs, and reports on each', async () => {
    const { exit, out } = await cli('log', 'verify', 'logs/good.jsonl', 'logs/stripped.jsonl', '--json');
    expect([exit, JSON.parse(out)]).toMatchObject([
      1,
      {
        ok: false,
        logs: [
          { file: 'logs/good.jsonl', ok: true, signed: { trust: 'given' } },
          { file: 'logs/stripped.jsonl', ok: false, code: 'UNSIGNED' },
        ],
      },
    ]);
    const text = await cli('log', 'verify', 'logs/good.jsonl', 'logs/stripped.jsonl');
    expect(text.out).toMatch(/^logs\/good.jsonl: verified.*\nlogs\/stripped.jsonl:1: UNSIGNED /);
    expect(await cli('log', 'verify', 'logs/good.jsonl', 'logs/good.jsonl')).toMatchObject({ exit: 0 });
  });

  it('finds the key of the folder, from any working folder', async () => {
    const deep = join(folder, 'out/deep/run.jsonl');
    mkdirSync(dirname(deep), { recursive: true });
    copyFileSync(at('stripped.jsonl'), deep);
    const elsewhere = folderOf();
    expect(await ambit(['log', 'verify', deep], { folder: elsewhere, environment })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('UNSIGNED'),
    });
    const [project = ''] = readdirSync(join(folder, 'state')).filter((name) => /-[0-9a-f]{16}$/.test(name));
    const kept = join(folder, 'state/log', project, 'run.jsonl');
    mkdirSync(dirname(kept), { recursive: true });
    copyFileSync(at('stripped.jsonl'), kept);
    expect(await ambit(['log', 'verify', kept], { folder: elsewhere, environment })).toMatchObject({
      exit: 1,
    });
    const outside = join(elsewhere, 'run.jsonl');
    copyFileSync(at('stripped.jsonl'), outside);
    expect(await cli('log', 'verify', outside)).toMatchObject({ exit: 1 });
    expect(await ambit(['log', 'verify', outside], { folder: elsewhere, environment })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('not signed'),
    });
  });
});

describe('run --resume', () => {
  it('does not sign a log again whose signatures were removed', async () => {
    const place = folderOf({
      ...files,
      'script.yaml':
        'w:\n  - call: [{ tool: write_file, args: { path: out/a.md, content: a } }]\n  - say: done\n',
    });
    const there = { folder: place, environment: { AMBIT_HOME: join(place, 'state') } };
    await ambit(['log', 'key'], there);
    const argv = ['run', 'w', 'go', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--park'];
    const parked = await ambit([...argv, '--quiet', '--json', '--log', 'run.jsonl'], there);
    const { run } = JSON.parse(parked.out.trimEnd().split('\n').at(-1) ?? '') as { run: string };
    const log = join(place, 'run.jsonl');
    const text = readFileSync(log, 'utf8');
    const { signer: _, ...unsigned } = JSON.parse(text.split('\n')[0] ?? '') as JsonObject;
    writeFileSync(
      log,
      rehashed(text, (entry) => (entry.event === 'run' ? unsigned : entry)),
    );
    rmSync(`${log}.heads`);
    const { exit, err } = await ambit(['run', '--resume', run, '--strict'], there);
    expect([exit, err]).toEqual([2, expect.stringContaining('UNSIGNED')]);
    expect(readdirSync(place)).not.toContain('run.jsonl.heads');
  });
});
