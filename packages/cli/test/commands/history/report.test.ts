import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const files = {
  'policy.yaml':
    'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.list: [{ id: lists, decision: pre_approved }]\n  net: [{ id: no-net, decision: blocked }]\n',
  'w.worker':
    'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nList.\n',
  'script.yaml': 'w:\n  - call: [{ tool: list_files, args: { path: out } }]\n  - say: done\n',
  'out/.keep': '',
};

async function runWorker(
  more: readonly string[],
  at: { folder: string; environment?: Record<string, string> },
) {
  const given = ['--policy', 'policy.yaml', '--model', 'script:script.yaml', '--strict', '--quiet'];
  expect((await ambit(['run', ...given, ...more, 'w'], at)).exit).toBe(0);
}

async function logged(): Promise<string> {
  const folder = folderOf(files);
  await runWorker(['--log', 'run.jsonl'], { folder });
  return folder;
}

describe('report', () => {
  it('writes a report that only its owner can read beside the log, with rules that never applied', async () => {
    const folder = await logged();
    expect(await ambit(['report', 'run.jsonl'], { folder })).toEqual({
      exit: 0,
      out: 'wrote run.html\n',
      err: '',
    });
    const page = readFileSync(join(folder, 'run.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toMatch(/"idle":\[\{"id":"no-net","at":"policy\.yaml:\d+:\d+"\}\]/);
    expect(statSync(join(folder, 'run.html')).mode & 0o777).toBe(0o600);
  });

  it('writes the page of a run beside its log, and not into the current folder', async () => {
    const folder = folderOf(files);
    const environment = { AMBIT_HOME: join(folderOf(), 'state') };
    await runWorker([], { folder, environment });
    const listed = await ambit(['runs', '--json'], { folder, environment });
    const [{ id: run, log }] = (JSON.parse(listed.out) as { runs: [{ id: string; log: string }] }).runs;
    const file = log.replace('.jsonl', '.html');
    const ran = await ambit(['report', run, '--json'], { folder, environment });
    expect([ran.exit, JSON.parse(ran.out), existsSync(file)]).toEqual([0, { file }, true]);
    expect(existsSync(join(folder, `${run}.html`))).toBe(false);
  });

  it('overwrites no file unless it is named', async () => {
    const folder = await logged();
    writeFileSync(join(folder, 'run.html'), 'mine');
    expect(await ambit(['report', 'run.jsonl'], { folder })).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: run.html already exists; it is not replaced\nhint: --out run.html replaces it\n',
    });
    expect((await ambit(['report', 'run.jsonl', '--out', 'run.html'], { folder })).exit).toBe(0);
    expect((await ambit(['report', 'run.jsonl', '--out', '-'], { folder })).out).toMatch(/^<!doctype html>/);
  });

  it('reports a damaged or missing log', async () => {
    const folder = await logged();
    writeFileSync(join(folder, 'bad.jsonl'), '{"v":1}\n');
    expect(await ambit(['report', 'bad.jsonl'], { folder })).toMatchObject({ exit: 1, out: '' });
    expect(await ambit(['report', 'gone.jsonl'], { folder })).toMatchObject({ exit: 2, out: '' });
    expect(existsSync(join(folder, 'bad.html'))).toBe(false);
  });
});
