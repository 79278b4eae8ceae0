import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createLog } from '@ambit/audit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { folderOf } from './host.js';

const ambit = fileURLToPath(new URL('../../../bin/ambit', import.meta.url));
const policy = 'version: 1\ndefault: needs_approval\ncapabilities: { fs.read: pre_approved }\n';
/** Root may write into every file, except without this privilege. */
const asUser = process.getuid?.() === 0 ? 'setpriv --bounding-set -dac_override' : '';
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
const line = (id: number) => `{"id":${id},"tool":"x.y","capabilities":["fs.read"]}\n`;

describe('the process', () => {
  let child: ChildProcessWithoutNullStreams | null = null;
  beforeAll(() => {
    // Builds where there is no build.
    expect(spawnSync(ambit, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }, 300_000);
  afterEach(() => child?.kill('SIGKILL'));

  const start = (argv: readonly string[], folder = folderOf({ 'policy.yaml': policy })) => {
    child = spawn(ambit, [...argv], { cwd: folder });
    return child;
  };
  const shell = (command: string, folder = folderOf({ 'policy.yaml': policy })) =>
    spawnSync('bash', ['-c', command, ambit], { cwd: folder, encoding: 'utf8' });

  it('answers each line at once, as a filter of a waiting program', async () => {
    const filter = start(['decide', '--policy', 'policy.yaml']);
    const answers = createInterface(filter.stdout)[Symbol.asyncIterator]();
    for (const id of [1, 2, 3]) {
      filter.stdin.write(line(id));
      const { value } = await answers.next();
      expect(JSON.parse(String(value))).toMatchObject({ id, decision: 'pre_approved' });
    }
    filter.stdin.end();
    expect(await once(filter, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--policy', 'none.yaml'], 'none.yaml:1:1 CANNOT_READ'],
    [[], 'hint: give --policy FILE'],
    [['--policy', 'policy.yaml', '--root', 'policy.yaml'], '/policy.yaml: is not a folder'],
  ])('says of `decide` what is wrong, and where: %j', async (argv, words) => {
    const filter = start(['decide', ...argv]);
    let said = '';
    filter.stderr.on('data', (text) => {
      said += String(text);
    });
    expect(await once(filter, 'close')).toEqual([2, null]);
    expect(said).toContain(words);
  });

  it('exits quietly when the reader of its answers is gone', () => {
    const lines = Array.from({ length: 20_000 }, (_, id) => line(id)).join('');
    const folder = folderOf({ 'policy.yaml': policy, 'calls.jsonl': lines });
    const ran = shell('"$0" decide --policy policy.yaml < calls.jsonl | head -n 1', folder);
    expect([ran.stdout.split('\n').length, ran.stderr]).toEqual([2, '']);
  });

  it('exits at a signal without output', async () => {
    const filter = start(['decide', '--policy', 'policy.yaml']);
    let said = '';
    filter.stderr.on('data', (text) => {
      said += String(text);
    });
    filter.stdin.write(line(1));
    await once(filter.stdout, 'data');
    filter.kill('SIGTERM');
    expect(await once(filter, 'exit')).toEqual([null, 'SIGTERM']);
    expect(said).toBe('');
  });

  it('follows a log until interrupted', async () => {
    const folder = folderOf();
    const file = join(folder, 'log.jsonl');
    const log = await createLog({ file, run: 'r', key: Buffer.alloc(32) });
    const append = (call: string) =>
      log.append([{ now: 0, event: 'outcome', call, outcome: 'refused', code: 'strict', reason: 'no' }]);
    await append('first');
    const tail = start(['log', 'tail', '-f', file], folder);
    const lines = createInterface(tail.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain('first');
    await append('second');
    expect((await lines.next()).value).toContain('second');
    await log.close();
    tail.kill('SIGINT');
    expect(await once(tail, 'exit')).toEqual([0, null]);
  });

  it('reports that it waits for a missing log', async () => {
    const folder = folderOf();
    const file = join(folder, 'log.jsonl');
    const tail = start(['log', 'tail', '-f', 'log.jsonl'], folder);
    const [said] = (await once(tail.stderr, 'data')) as [Buffer];
    expect(said.toString()).toBe(`ambit: ${file} does not exist yet; waiting for it\n`);
    const log = await createLog({ file, run: 'r', key: Buffer.alloc(32) });
    await log.append([
      { now: 0, event: 'outcome', call: 'c', outcome: 'refused', code: 'strict', reason: 'no' },
    ]);
    await log.close();
    const lines = createInterface(tail.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain('strict');
    tail.kill('SIGINT');
    expect(await once(tail, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['a folder for its input', '"$0" decide --policy policy.yaml < .'],
    ['a closed input', '"$0" decide --policy policy.yaml <&-'],
    ['an endless policy', '"$0" check /dev/zero'],
  ])('reports without a stack trace: %s', (_, command) => {
    const ran = shell(command);
    expect([0, 1, 2]).toContain(ran.status);
    expect(ran.stderr).not.toMatch(/^\s+at |node:internal/m);
    expect(ran.stderr.split('\n').length).toBeLessThan(8);
  });

  it.each([
    'check policy.yaml',
    'run hello --policy policy.yaml --strict',
    'explain --policy policy.yaml --shell ls',
    'decide --policy policy.yaml',
    'runs',
    'gateway --policy policy.yaml -- cat',
  ])('names a deleted working folder: %s', (args) => {
    const folder = folderOf({ 'policy.yaml': policy, 'gone/policy.yaml': policy });
    const ran = shell(`cd gone; rm -r ../gone; "$0" ${args} < /dev/null`, folder);
    expect([ran.status, ran.stderr]).toEqual([
      2,
      `ambit: ${folder}/gone: the working folder no longer exists\nhint: change to a folder that exists\n`,
    ]);
    expect(shell('cd gone; rm -r ../gone; "$0" --version', folderOf({ 'gone/a': '' })).status).toBe(0);
  });

  it('reports a folder as its input', () => {
    const ran = shell('"$0" decide --policy policy.yaml < .');
    expect([ran.status, ran.stderr]).toEqual([2, 'ambit: the input cannot be read: it is a folder\n']);
  });

  it.runIf(process.platform === 'linux')('reports a folder that the system cannot create', () => {
    const ran = spawnSync(ambit, ['init', '/proc/none/deeper'], { encoding: 'utf8', timeout: 100_000 });
    expect([ran.status, ran.stderr]).toEqual([
      2,
      'ambit: /proc/none: no such file or folder\nhint: give another place\n',
    ]);
  });

  it.runIf(process.platform === 'linux').each<readonly [string, readonly string[], Record<string, string>]>([
    ['a log', ['--log', '/proc/none/deeper/log.jsonl'], {}],
    ['its state', [], { AMBIT_HOME: '/proc/none/deeper' }],
  ])('runs nothing if no folder can be created for %s', (_, args, environment) => {
    const folder = folderOf({
      'policy.yaml': policy,
      'main.worker': 'description: says one word\n---\nWork.\n',
      'script.yaml': 'main: [{ say: done }]\n',
    });
    const command = ['run', 'main.worker', '--policy', 'policy.yaml', '--model', 'script:script.yaml'];
    const ran = spawnSync(ambit, [...command, '--strict', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, AMBIT_HOME: join(folder, 'state'), ...environment },
      timeout: 100_000,
    });
    expect([ran.status, ran.stderr.includes('/proc/none'), ran.stdout]).toEqual([2, true, '']);
  });

  it.each(['"$0" check <(cat policy.yaml)', 'cat policy.yaml | "$0" check /dev/stdin'])(
    'refuses a policy that is a pipe: %s',
    (command) => {
      const ran = shell(command);
      expect([ran.status, ran.stdout]).toEqual([
        2,
        expect.stringContaining('CANNOT_READ cannot read `/dev/'),
      ]);
      expect(ran.stdout).toContain('it is a pipe, not a regular file');
    },
  );

  it('reads a policy from redirected input', () => {
    const ran = shell('"$0" check /dev/stdin < policy.yaml');
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining(': ok, 1 rule')]);
  });

  it('reports that its output cannot be written', () => {
    const ran = shell('"$0" schema policy > /dev/full');
    expect([ran.status, ran.stderr]).toEqual([
      2,
      'ambit: the output cannot be written: no space left on the disk\n',
    ]);
  });

  it('leaves no file that it could not fill, and names it', () => {
    const readme = '| tool | reports | meaning |\n| old |\n';
    const mail = 'export default { name: "mail", tools: [], capabilities: [] };\n';
    const folder = folderOf({ 'README.md': readme, 'mail.mjs': mail });
    const limited = (words: string) => {
      const ran = shell(
        `(ulimit -f 0; exec "$0" ${words}); rmdir new 2> /dev/null; LC_ALL=C ls -A; cat README.md`,
        folder,
      );
      return `${ran.stdout}${ran.stderr.split('\n')[0]}`.replaceAll(`${folder}/`, '');
    };
    const rest = `README.md\nmail.mjs\n${readme}`;
    const why = 'the file would be larger than is allowed';
    expect(limited('init')).toBe(`${rest}ambit: policy.yaml: ${why}`);
    expect(limited('init --toolset crm new')).toBe(`${rest}ambit: new/package.json: ${why}`);
    expect(limited('toolset describe ./mail.mjs --write')).toBe(`${rest}ambit: README.md: ${why}`);
  });

  it('keeps the old page if a report cannot be written, and writes a report into a pipe', async () => {
    const folder = folderOf({ 'page.html': 'old' });
    await aLog(folder);
    const limited = shell(
      '(ulimit -f 0; exec "$0" report run.jsonl --out page.html); cat page.html; ls',
      folder,
    );
    expect(limited.stdout).toBe('oldpage.html\nrun.jsonl\n');
    expect(limited.stderr).toContain('page.html: the file would be larger than is allowed');
    const piped = shell('"$0" report run.jsonl --out >(head -c 15) | cat', folder);
    expect(piped.stdout).toContain('<!doctype html>');
    const linked = shell(
      'chmod 640 page.html; ln -s page.html link.html; "$0" report run.jsonl --out link.html; head -c 15 page.html; stat -c " %a %F" page.html link.html',
      folder,
    );
    expect(linked.stdout).toBe('wrote link.html\n<!doctype html> 640 regular file\n 777 symbolic link\n');
  });

  it('replaces no read-only page, and writes where no page can be created beside', async () => {
    const folder = folderOf({ 'page.html': 'old', 'mounted.html': 'old' });
    await aLog(folder);
    const at = (command: string) =>
      shell(command.replaceAll('REPORT', '"$0" report run.jsonl --out'), folder);
    const readOnly = at(`chmod 444 page.html; ${asUser} REPORT page.html; head -c 15 page.html`);
    expect(readOnly.stdout).toBe('old');
    expect(readOnly.stderr).toContain('page.html: permission denied');
    const made = at('ln -s made.html link.html; REPORT link.html; head -c 15 made.html');
    expect(made.stdout).toBe('wrote link.html\n<!doctype html>');
    const long = `${'x'.repeat(245)}.html`;
    expect(at(`REPORT ${long}`).stdout).toBe(`wrote ${long}\n`);
    const log = `${'y'.repeat(240)}.jsonl`;
    const beside = shell(`cp run.jsonl ${log}; "$0" report ${log}; "$0" report ${log}`, folder);
    expect(beside.stdout).toBe(`wrote ${'y'.repeat(240)}.html\n`);
    expect(beside.stderr).toContain('already exists; it is not replaced');
    if (!canMount) return;
    const mounted = at(
      `unshare -rm sh -c 'mount --bind page.html mounted.html; REPORT mounted.html; head -c 15 page.html' "$0"`,
    );
    expect(mounted.stdout).toBe('wrote mounted.html\n<!doctype html>');
  });

  it('asks, runs and writes nothing without a terminal and a mode', () => {
    const folder = folderOf({ 'policy.yaml': policy, 'w.worker': 'name: w\n---\nDo it.\n' });
    const ran = shell('"$0" run --policy policy.yaml w go < /dev/null; echo $?; ls -A', folder);
    expect(ran.stdout).toBe('2\npolicy.yaml\nw.worker\n');
    expect(ran.stderr).toContain('cannot ask: stdin is not a terminal');
  });
});

async function aLog(folder: string): Promise<void> {
  const log = await createLog({ file: join(folder, 'run.jsonl'), run: 'r', key: Buffer.alloc(32) });
  await log.append([
    { now: 0, event: 'outcome', call: 'c', outcome: 'refused', code: 'strict', reason: 'no' },
  ]);
  await log.close();
}
