import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateFolderOf } from '@ambit/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoredPlace } from './commands/store/stored.js';
import { ambit, folderOf } from './host.js';

const program = fileURLToPath(new URL('../dist/launch.cjs', import.meta.url));
const policy = 'version: 1\ndefault: needs_approval\n';
const worker = 'description: says one word\n---\nWork.\n';
const files = {
  'policy.yaml': policy,
  'extends.yaml': `${policy}extends: [pipe]\n`,
  'w.worker': worker,
  'callee.worker': 'toolsets: { delegation: { allow_workers: [pipe] } }\n---\nWork.\n',
  'module.worker': 'toolsets: { ./pipe: {} }\n---\nWork.\n',
  'package.worker': 'toolsets: { crm: {} }\n---\nWork.\n',
  'script.yaml': 'w: [{ say: done }]\n',
  'project/w.worker': worker,
  'project/script.yaml': 'w: [{ say: done }]\n',
  'project/policy.yaml': policy,
};
const folder = folderOf(files);
const pipe = (name: string) => execFileSync('mkfifo', [join(folder, name)]);

beforeAll(() => {
  for (const name of ['pipe', 'pipe.worker', 'project/ambit.yaml', 'pipe.jsonl']) pipe(name);
  mkdirSync(join(folder, 'node_modules/crm'), { recursive: true });
  pipe('node_modules/crm/package.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = ['run', '--policy', 'policy.yaml', '--strict', '--model', 'script:script.yaml'];

describe('a pipe without a writer', () => {
  it.each<readonly [string, readonly string[]]>([
    ['a policy', ['check', 'pipe']],
    ['a policy that judges', ['decide', '--policy', 'pipe']],
    ['a policy of a run', ['run', 'w', '--policy', 'pipe', '--strict', '--model', 'script:script.yaml']],
    ['an extended policy', ['decide', '--policy', 'extends.yaml']],
    ['an observed policy', [...run, 'w', '--observe', 'pipe']],
    ['a script', ['run', 'w', '--policy', 'policy.yaml', '--strict', '--model', 'script:pipe']],
    ['an entry worker', [...run, './pipe.worker']],
    ['a checked worker', ['check', 'pipe.worker']],
    ['a callee', ['check', 'callee.worker']],
    ['a module', ['check', 'module.worker']],
    ['the manifest of a module', ['check', 'package.worker']],
    ['a checked toolset', ['toolset', 'check', './pipe']],
    ['a toolset of a policy', ['check', '--toolset', 'crm', 'policy.yaml']],
    ['an attachment', [...run, 'w', '--attach', 'pipe']],
    ['a suite', ['test', 'pipe']],
    ['an old policy', ['diff', 'pipe', 'policy.yaml']],
    ['a parent', ['prove', '--attenuates', 'a', 'b', 'pipe']],
    ['a log', ['log', 'verify', 'pipe']],
    ['a verifier key', ['log', 'verify', '--key', 'pipe', 'script.yaml']],
    ['a proof', ['log', 'prove', 'script.yaml', '--check', 'pipe']],
    ['a followed log', ['log', 'tail', 'pipe']],
    ['a queried log', ['log', 'query', 'pipe']],
    ['a replayed log', ['replay', 'pipe', '--policy', 'policy.yaml']],
    ['a log to learn from', ['learn', 'pipe']],
    ['a log to report', ['report', 'pipe']],
  ])('is refused as %s: exit code 2, and the reason', async (_, argv) => {
    const ran = await ambit(argv, { folder, environment: { AMBIT_HOME: join(folder, 'state') } });
    expect([ran.exit, `${ran.out}${ran.err}`]).toEqual([
      2,
      expect.stringMatching(/not a regular file|is not a file/),
    ]);
  });

  it('is refused as the machine’s policy, and so is a broken link', async () => {
    const machine = (name: string) => ambit(['decide'], { folder, machinePolicy: join(folder, name) });
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(await machine('pipe')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('it is a pipe, not a regular file'),
    });
    expect(await machine('dangling')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('there is no such file'),
    });
  });

  it('is refused as the configuration of a project', async () => {
    const ran = await ambit([...run, 'w'], {
      folder: join(folder, 'project'),
      environment: { AMBIT_HOME: join(folder, 'state') },
    });
    expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining('ambit.yaml:1:1 CANNOT_READ')]);
  });

  it.each(['log.key', 'signing.key', 'runs.db'])('is refused in the state folder: %s', async (name) => {
    const place = new StoredPlace();
    for (const [file, text] of Object.entries({ 'w.worker': worker, 'policy.yaml': policy }))
      execFileSync('tee', [join(place.root, file)], { input: text, stdio: ['pipe', 'ignore', 'ignore'] });
    execFileSync('tee', [join(place.root, 'script.yaml')], { input: files['script.yaml'], stdio: 'pipe' });
    expect((await place.ambit(...run, 'w')).exit).toBe(0);
    const file = join(await stateFolderOf(place.environment, place.root), name);
    rmSync(file, { force: true });
    execFileSync('mkfifo', ['-m', '600', file]);
    const ran = await place.ambit(...run, 'w');
    rmSync(place.folder, { recursive: true });
    expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining('not a regular file')]);
  });
});

describe('an attachment with the path of a folder', () => {
  it.each(['script.yaml/', 'script.yaml/.', 'script.yaml/x/..'])(
    'does not refer to the file: %s',
    async (name) => {
      const ran = await ambit([...run, 'w', '--attach', name], { folder });
      expect([ran.exit, ran.err]).toEqual([
        2,
        expect.stringContaining('names a folder, so it cannot be attached'),
      ]);
    },
  );
});

describe('the description of a command line', () => {
  it.each([
    ['.git/HEAD', 'git log'],
    ['.git/commondir', 'git log'],
    ['.git/packed-refs', 'git branch -a'],
    ['.git/index', 'git status'],
    ['.gitignore', 'git add .'],
    ['.shellcheckrc', 'shellcheck a.txt'],
    ['setup.cfg', 'flake8 a.txt'],
  ])('does not wait for a pipe in a checkout: %s for %s', (file, command) => {
    const checkout = folderOf({ 'policy.yaml': policy, 'a.txt': 'a' });
    execFileSync('git', ['init', '-q'], { cwd: checkout });
    rmSync(join(checkout, file), { force: true });
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    execFileSync('mkfifo', [join(checkout, file)]);
    // A process of its own: this one would wait with it.
    const ran = spawnSync(process.execPath, [program, 'decide', '--policy', 'policy.yaml'], {
      cwd: checkout,
      input: JSON.stringify({ tool: 'shell.run', args: { command } }),
      encoding: 'utf8',
      timeout: 100_000,
      killSignal: 'SIGKILL',
    });
    rmSync(checkout, { recursive: true });
    expect([ran.status, ran.signal]).toEqual([0, null]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ decision: 'needs_approval' });
  });

  it('does not look through a very large settings file: it may hold any option', async () => {
    const checkout = folderOf({ '.shellcheckrc': 'a' });
    const stdin = JSON.stringify({ tool: 'shell.run', args: { command: 'shellcheck a.sh' } });
    const names = async () => (await ambit(['capabilities'], { folder: checkout, stdin })).out;
    expect(await names()).not.toContain('proc.exec.opaque');
    truncateSync(join(checkout, '.shellcheckrc'), 2_000_000);
    expect(await names()).toContain('proc.exec.opaque');
    rmSync(checkout, { recursive: true });
  });
});
