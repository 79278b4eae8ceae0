import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { partsBelow } from '../../agents/src/hook/pipe.js';
import { folderOf } from './host.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const dist = join(root, 'packages/cli/dist');
const policy = 'version: 1\ndefault: blocked\ncapabilities: { fs.read: pre_approved }\n';
const input = '{"tool": "x.y", "capabilities": ["fs.read"]}\n';

describe('the build of the program', () => {
  it('runs after every package, because the bundle contains their sources', () => {
    const { tasks } = JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8')) as {
      readonly tasks: Readonly<Record<string, { readonly dependsOn?: readonly string[] }>>;
    };
    expect(tasks['@ambit/cli#build']?.dependsOn?.toSorted()).toEqual(
      ['agents', 'analysis', 'audit', 'core', 'gateway', 'policy', 'runtime', 'shell', 'toolsets'].map(
        (name) => `@ambit/${name}#build`,
      ),
    );
  });
});

describe('the start of the program', () => {
  beforeAll(() => {
    // Builds where there is no build.
    expect(spawnSync(join(root, 'bin/ambit'), ['--version']).status).toBe(0);
  }, 300_000);

  /** `decide` as it lies in a folder of its own, with what was kept of its code. */
  function decideWith(kept: Buffer | null, change = (code: string) => code) {
    const argv = ['decide', '--policy', 'policy.yaml'];
    const folder = folderOf({ 'policy.yaml': policy });
    const program = join(folder, 'program');
    mkdirSync(program);
    for (const name of ['launch.cjs', 'quick.cjs']) cpSync(join(dist, name), join(program, name));
    const code = readFileSync(join(dist, 'decide.cjs'), 'latin1');
    writeFileSync(join(program, 'decide.cjs'), change(code), 'latin1');
    if (kept !== null) writeFileSync(join(program, 'decide.cjs.cache'), kept);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(program, 'launch.cjs'), ...argv], {
      cwd: folder,
      env: { AMBIT_HOME: join(folder, 'state') },
      encoding: 'utf8',
      input,
    });
    const { decision } = JSON.parse(stdout || '{"decision": null}') as { decision: string | null };
    return { status, stderr, decision };
  }

  const good = { status: 0, stderr: '', decision: 'pre_approved' };
  const built = () => readFileSync(join(dist, 'decide.cjs.cache'));

  it.each(['launch', 'decide', 'quick', 'main'])(
    'has no letter of more than one byte in `%s.cjs`',
    (name) => {
      expect(readFileSync(join(dist, `${name}.cjs`), 'utf8').match(/[^\0-\x7f]+/g)).toBe(null);
    },
  );

  it('parses command lines', () => {
    const lines = '{"tool": "shell.run", "args": {"command": "cat a.txt && rm b"}}\n';
    const folder = folderOf({ 'policy.yaml': policy });
    const { stdout } = spawnSync(
      process.execPath,
      [join(dist, 'launch.cjs'), 'decide', '--policy', 'policy.yaml'],
      {
        cwd: folder,
        encoding: 'utf8',
        input: lines,
      },
    );
    const { capabilities } = JSON.parse(stdout) as { capabilities: readonly { readonly name: string }[] };
    expect(capabilities.map(({ name }) => name)).toEqual(['proc.exec', 'fs.read', 'proc.exec', 'fs.delete']);
  });

  it('loads the native module only when a store is opened', () => {
    const mentions = ['launch.cjs', 'decide.cjs', 'quick.cjs', 'main.cjs'].map(
      (name) => readFileSync(join(dist, name), 'utf8').match(/.{9}['"]libsql['"]/g)?.length ?? 0,
    );
    expect(mentions).toEqual([0, 0, 1, 1]);
    const runtime = readFileSync(join(root, 'packages/runtime/dist/index.js'), 'utf8');
    expect(runtime.match(/.*['"]libsql['"].*/g)).toEqual([expect.stringContaining('import("libsql")')]);
  });

  /** `hook` as it lies in a folder with these files of the program alone. */
  function hookWith(names: readonly string[], { folder, state }: { folder: string; state: string }) {
    const program = mkdtempSync(join(folder, 'program-'));
    for (const name of names) cpSync(join(dist, name), join(program, name));
    const parts = join(program, 'parts');
    const note = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(parts)}, process.moduleLoadList.join()))`;
    writeFileSync(join(program, 'note.cjs'), note);
    const files = ['--policy', join(folder, 'policy.yaml'), '--home', folder, '--state', state];
    const call = { session_id: 's', cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'TodoWrite' };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--require',
        join(program, 'note.cjs'),
        join(program, 'launch.cjs'),
        'hook',
        'claude-code',
        ...files,
        '--resident',
      ],
      {
        cwd: folder,
        env: {},
        encoding: 'utf8',
        input: JSON.stringify({ ...call, tool_input: { todos: [] } }),
      },
    );
    const permits = stdout.includes('"permissionDecision":"allow"');
    return { status, stderr, permits, parts: readFileSync(parts, 'utf8').split(',') };
  }

  it('loads a judge only if no resident judge answers, and refuses if it fails', async () => {
    const folder = folderOf({ 'policy.yaml': 'version: 1\ndefault: pre_approved\n' });
    const state = join(folder, 'state');
    const alone = hookWith(['launch.cjs'], { folder, state });
    expect(alone).toMatchObject({ status: 2, permits: false });
    const files = ['--home', folder, '--state', state];
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const resident = spawn(process.execPath, [join(dist, 'launch.cjs'), 'hook', '--resident', ...files], {
      env: {},
      stdio: 'ignore',
    });
    const ended = once(resident, 'exit');
    try {
      await vi.waitUntil(() => existsSync(join(state, 'resident/judge.sock')), { timeout: 120_000 });
      const { parts, ...answer } = hookWith(['launch.cjs'], { folder, state });
      expect(answer).toEqual({ status: 0, stderr: '', permits: true });
      // Each takes a tenth of Node's own start, or more.
      const slow = /^NativeModule (?:net|stream|crypto|fs\/promises|child_process|zlib)$/;
      if (partsBelow() !== null) expect(parts.filter((part) => slow.test(part))).toEqual([]);
    } finally {
      resident.kill('SIGKILL');
      await ended;
    }
    expect(hookWith(['launch.cjs'], { folder, state })).toMatchObject({
      status: 2,
      permits: false,
    });
  });

  it('needs only its small bundle for a cached policy, and the other one for tools', () => {
    const folder = folderOf({ 'policy.yaml': policy });
    const lines = `${input}{"tool": "shell.run", "args": {"command": "cat a.txt"}}\nno\n${input}`;
    const decided = (names: readonly string[], given: string) => {
      const program = mkdtempSync(join(folder, 'program-'));
      for (const name of names) cpSync(join(dist, name), join(program, name));
      const argv = [join(program, 'launch.cjs'), 'decide', '--policy', 'policy.yaml'];
      const env = { AMBIT_HOME: join(folder, 'state') };
      const { status, stdout } = spawnSync(process.execPath, argv, {
        cwd: folder,
        env,
        encoding: 'utf8',
        input: given,
      });
      const answers = stdout.split('\n').filter((line) => line !== '');
      const decision = (line: string) => (JSON.parse(line) as { readonly decision?: string }).decision;
      return { status, decisions: answers.map(decision) };
    };
    const [small, all] = [
      ['launch.cjs', 'decide.cjs'],
      ['launch.cjs', 'decide.cjs', 'quick.cjs'],
    ];
    expect(decided(small, input)).toEqual({ status: 2, decisions: [] });
    expect(decided(all, input)).toEqual({ status: 0, decisions: ['pre_approved'] });
    expect(decided(small, input)).toEqual({ status: 0, decisions: ['pre_approved'] });
    const both = { status: 1, decisions: ['pre_approved', 'blocked', undefined, 'pre_approved'] };
    expect(decided(all, lines)).toEqual(both);
    expect(decided(small, lines)).toMatchObject({ status: 2 });
  });

  it('decides with only its three files and the cached code', () => {
    expect(decideWith(built())).toEqual(good);
  });

  it('runs no cached code of another build with a file of the same length', () => {
    const other = (code: string) =>
      code
        .replace('"use strict"', 'throw 123456')
        .replace(/.{64}$/, (digest) => digest.split('').reverse().join(''));
    const fresh = decideWith(null, other);
    expect(fresh).toMatchObject({ status: 2, decision: null });
    expect(decideWith(built(), other)).toEqual(fresh);
  });

  it.each<[string, () => Buffer | null]>([
    ['is missing', () => null],
    ['is empty', () => Buffer.alloc(0)],
    ['is garbage', () => Buffer.from('not what V8 wrote')],
    ['was truncated', () => built().subarray(0, 10_000)],
    ['is of another version of V8', () => changed(built(), 4)],
    ['is of other settings of V8', () => changed(built(), 12)],
  ])('decides the same if the cached code %s', (_, kept) => {
    expect(decideWith(kept())).toEqual(good);
  });
});

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE((copy.readUInt32LE(at) ^ 0x5555) >>> 0, at);
  return copy;
}
