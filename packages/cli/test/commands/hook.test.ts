import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { answerOf } from '../../src/commands/hook/answer.js';

const program = fileURLToPath(new URL('../../dist/launch.cjs', import.meta.url));
const policy = `version: 1
default: blocked
capabilities:
  proc.exec: pre_approved
  fs.list: pre_approved
  fs.read: pre_approved
`;

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hook-')));
  for (const name of ['home', 'project', 'project/.git']) mkdirSync(join(base, name));
  writeFileSync(join(base, 'policy.yaml'), policy);
});
// A resident judge may still write: unlike `rmSync`, this removes all of it again.
afterAll(() => rm(base, { recursive: true, force: true, maxRetries: 20 }));

interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

function hook(
  input: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): Promise<Answer> {
  const usual = [
    '--policy',
    join(base, 'policy.yaml'),
    '--home',
    join(base, 'home'),
    '--state',
    join(base, 'state'),
  ];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, 'hook', ...(args.length > 0 ? args : ['claude-code', ...usual])],
      { env, cwd: '/' },
      (error, stdout, stderr) =>
        resolve({ stdout, stderr, exit: typeof error?.code === 'number' ? error.code : 0 }),
    );
    child.stdin?.end(input);
  });
}

const call = (command: string) =>
  JSON.stringify({
    session_id: 's',
    cwd: join(base, 'project'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  });

describe('ambit hook', () => {
  it('writes only the answer to stdout', async () => {
    const { stdout, stderr, exit } = await hook(call('ls'));
    expect([exit, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
    const blocked = await hook(call('rm x'));
    expect(JSON.parse(blocked.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('continues a log that it signs', async () => {
    const state = join(base, 'signed-state');
    const env = { AMBIT_HOME: state };
    const cwd = join(base, 'project');
    expect(spawnSync(process.execPath, [program, 'log', 'key'], { cwd, env }).status).toBe(0);
    const usual = ['claude-code', '--policy', join(base, 'policy.yaml'), '--home', join(base, 'home')];
    for (const _ of [1, 2, 3]) {
      const { stderr, exit } = await hook(call('ls'), { args: [...usual, '--state', state] });
      expect([exit, stderr]).toEqual([0, '']);
    }
    const folder = join(state, 'log');
    const [session = ''] = readdirSync(folder);
    const log = join(folder, session, 'claude-code-s.jsonl');
    const { status, stdout } = spawnSync(process.execPath, [program, 'log', 'verify', log], { cwd, env });
    expect([status, String(stdout)]).toEqual([0, expect.stringMatching(/signed/)]);
  });

  const onFullDisk = `mount -t tmpfs -o size=1m,mode=700 none "$0" && { cat /dev/zero > "$0/x" 2>/dev/null; truncate -s -"$1" "$0/x"; shift; exec "$@"; }`;
  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
  it.skipIf(!canMount).each([0, 8192, 131_072])(
    'refuses, and names the state folder, on a disk with only %d bytes left',
    (left) => {
      const state = mkdtempSync(join(base, 'full-'));
      const places = ['--policy', join(base, 'policy.yaml'), '--home', join(base, 'home'), '--state', state];
      const words = [process.execPath, program, 'hook', 'claude-code', ...places];
      const given = ['-rm', 'bash', '-c', onFullDisk, state, String(left), ...words];
      const { status, stdout, stderr } = spawnSync('unshare', given, { input: call('ls'), encoding: 'utf8' });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        `the state folder ${state} must be a folder that you can write, on a disk with room`,
      );
    },
  );

  it('ignores its environment', async () => {
    const open = join(base, 'open.yaml');
    writeFileSync(open, 'version: 1\ndefault: pre_approved\n');
    const env = {
      AMBIT_POLICY: open,
      AMBIT_HOME: join(base, 'other-state'),
      XDG_STATE_HOME: join(base, 'other-state'),
      HOME: join(base, 'other-home'),
      PATH: join(base, 'bin'),
    };
    const { stdout } = await hook(call('rm x'), { env });
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(() => readFileSync(join(base, 'other-state'))).toThrow('ENOENT');
  });

  it.each([
    [['unknown-client']],
    [[]],
    [['claude-code', '--policy', 'relative.yaml']],
    [['claude-code', '--home', 'relative']],
    [['claude-code', '--unknown-flag']],
    [['claude-code', '--timeout', 'soon']],
    [['claude-code']],
  ])('refuses with exit code 2 if it is started with %j', async (args) => {
    const state = args[0] === 'claude-code' && args.length === 1 ? ['--state', join(base, 'new-state')] : [];
    const { stdout, stderr, exit } = await hook(call('ls'), {
      args: args.length === 0 ? ['--'] : [...args, ...state],
    });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses a call that it cannot judge in time', async () => {
    const usual = [
      '--policy',
      join(base, 'policy.yaml'),
      '--home',
      join(base, 'home'),
      '--state',
      join(base, 'state'),
    ];
    const { exit, stdout, stderr } = await hook(call('ls'), {
      args: ['claude-code', ...usual, '--timeout', '0.001'],
    });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('the call is refused');
  });

  it('stays alive until its time limit, and then refuses', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const options = { policy: [], timeout: 1, judge: () => Promise.reject(new Error('not asked')) };
    const answered = answerOf({ build: 'x', input: () => new Promise(() => undefined) }, 'codex', options);
    // A timer that holds the process.
    expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([true]);
    expect(await answered).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('refused') });
  });

  it('refuses if nothing can be written', () => {
    const full = join(base, 'full-state');
    const words = ['claude-code', '--policy', join(base, 'policy.yaml'), '--state', full];
    // No file may grow: neither the log, nor the store, nor a key.
    const { status, stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, program, 'hook', ...words],
      { input: call('ls'), env: {}, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/the call is refused/);
  });

  it.each([[[]], [['--resident']]])('refuses if nobody can read its answer, with %j', (more) => {
    const words = ['claude-code', '--policy', join(base, 'policy.yaml'), '--home', join(base, 'home')];
    const hooking = [process.execPath, program, 'hook', ...words, '--state', join(base, 'state'), ...more];
    // The program `false` reads nothing, and has ended before the answer.
    const lines = ['exec "$@" >&-', 'exec "$@" > /dev/full', '{ "$@"; echo $? >&2; } | false; exit 2'];
    for (const line of lines) {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', line, 'sh', ...hooking], {
        input: call('ls'),
        env: { PATH: '/usr/bin:/bin' },
        encoding: 'utf8',
      });
      expect([line, status, stderr]).toEqual([line, 2, expect.stringContaining('ambit: standard output')]);
    }
  });

  it.skipIf(!isDeep)('waits for an answer only in Claude Code', async () => {
    const install = (...args: readonly string[]) =>
      spawnSync(process.execPath, [program, 'hook', 'install', ...args, '--dry-run'], {
        cwd: join(base, 'project'),
        env: { HOME: join(base, 'home'), AMBIT_HOME: join(base, 'state') },
        encoding: 'utf8',
      });
    for (const client of ['codex', 'gemini', 'copilot', 'opencode'])
      for (const approvals of ['ambit', 'defer']) {
        const { status, stderr } = install(client, '--approvals', approvals);
        expect([status, stderr]).toEqual([2, expect.stringContaining('only for claude-code')]);
      }
    expect(install('claude-code', '--approvals', 'nobody').status).toBe(2);
    const held = install('claude-code', '--approvals', 'ambit');
    expect(held.stdout).toMatch(/"--approvals",\s*\+?\s*"ambit"/);
    expect(held.stdout).toContain('"timeout": 600');
    expect(held.stdout).toContain('"480"');
    expect(held.stdout).not.toContain('--resident');
    expect(install('claude-code').stdout).toContain('"--resident"');
    expect(install('claude-code', '--managed').stdout).not.toContain('--resident');
    const call = JSON.stringify({ hook_event_name: 'PreToolUse' });
    const refused = await hook(call, { args: ['--approvals', 'nobody'] });
    expect(refused).toMatchObject({ exit: 2, stdout: '' });
  });

  it.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude'],
    ['codex', 'CODEX_HOME', '.codex'],
    ['gemini', 'GEMINI_CLI_HOME', ''],
  ])('refuses to install for %s whose %s names another folder', (client, name, usual) => {
    const install = (place: string, ...more: readonly string[]) => {
      const { status, stderr } = spawnSync(
        process.execPath,
        [program, 'hook', 'install', client, '--dry-run', ...more],
        { env: { HOME: base, AMBIT_HOME: join(base, 'state'), [name]: place }, encoding: 'utf8' },
      );
      return [status, stderr];
    };
    expect(install('/other')).toEqual([
      2,
      `ambit: with ${name}=/other, ${client} reads its settings there, where no hook guards them\nhint: unset ${name}, here and for ${client}, or give --managed or --project\n`,
    ]);
    expect(install('/other', '--project')).toEqual([0, '']);
    expect(install(join(base, usual, '.'))).toEqual([0, '']);
  });

  it('shows the changes of an installation with --dry-run, and writes nothing', () => {
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [program, 'hook', 'install', ...args], {
        cwd: join(base, 'project'),
        env: { ...process.env, AMBIT_HOME: join(base, 'state') },
        encoding: 'utf8',
      });
    const shown = run('claude-code', '--project', '--dry-run', '--policy', join(base, 'policy.yaml'));
    expect(shown).toContain('PreToolUse');
    expect(shown).toContain('/usr/bin/env');
    expect(() => readFileSync(join(base, 'project/.claude/settings.json'))).toThrow('ENOENT');
    expect(shown).toContain(join(base, 'policy.yaml'));
    run('claude-code', '--project', '--any-version', '--policy', join(base, 'policy.yaml'));
    const { hooks } = JSON.parse(readFileSync(join(base, 'project/.claude/settings.json'), 'utf8')) as {
      hooks: { PreToolUse: { hooks: { command: string; args: string[] }[] }[] };
    };
    const handler = hooks.PreToolUse[0]?.hooks[0];
    const answered = execFileSync(handler?.command ?? '', handler?.args ?? [], {
      input: call('rm x'),
      encoding: 'utf8',
      cwd: '/',
    });
    expect(JSON.parse(answered)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    const uninstalled = () =>
      spawnSync(process.execPath, [program, 'hook', 'uninstall', 'claude-code', '--project'], {
        cwd: join(base, 'project'),
        env: { ...process.env, AMBIT_HOME: join(base, 'state') },
        encoding: 'utf8',
      });
    expect(uninstalled().stdout).toContain('restored');
    expect(() => readFileSync(join(base, 'project/.claude/settings.json'))).toThrow('ENOENT');
    const { status, stdout } = uninstalled();
    const file = join(base, 'project/.claude/settings.json');
    expect([status, stdout]).toEqual([1, `no installation in ${file} is recorded; nothing was changed\n`]);
  });
});

describe('ambit hook --resident', () => {
  const socketIn = (state: string) => join(state, 'resident', 'judge.sock');
  const argsOf = (state: string) => ['--home', join(base, 'home'), '--state', state];
  const asking = (input: string, state: string) =>
    hook(input, {
      args: ['claude-code', '--resident', '--policy', join(base, 'policy.yaml'), ...argsOf(state)],
    });

  function resident(state: string): ChildProcess {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return spawn(process.execPath, [program, 'hook', '--resident', ...argsOf(state)], {
      env: {},
      stdio: 'ignore',
    });
  }

  /** A resident judge ends once its socket is gone. */
  async function withoutResident(state: string): Promise<void> {
    for (let tries = 0; tries < 400 && !existsSync(socketIn(state)); tries += 1) await wait(50);
    rmSync(socketIn(state), { force: true });
  }

  const decisionOf = ({ stdout }: Answer) => /"permissionDecision":"(\w+)"/.exec(stdout)?.[1];

  it('starts one on demand, and judges by itself without one, or after it was killed', async () => {
    const state = join(base, 'resident-state');
    expect(decisionOf(await asking(call('rm x'), state))).toBe('deny');
    await withoutResident(state);
    const child = resident(state);
    for (let tries = 0; tries < 400 && !existsSync(socketIn(state)); tries += 1) await wait(50);
    expect(decisionOf(await asking(call('rm x'), state))).toBe('deny');
    expect(decisionOf(await asking(call('ls'), state))).toBe('allow');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // In the middle of a call.
    const during = asking(call('rm y'), state);
    child.kill('SIGKILL');
    await ended;
    expect(decisionOf(await during)).toBe('deny');
    expect(decisionOf(await asking(call('rm x'), state))).toBe('deny');
    await withoutResident(state);
  });

  it.skipIf(!isDeep).each(['with', 'without'])(
    'answers twelve simultaneous sessions, %s one',
    async (how) => {
      const state = join(base, `twelve-${how}`);
      const child = how === 'with' ? resident(state) : null;
      for (let tries = 0; child !== null && tries < 400 && !existsSync(socketIn(state)); tries += 1)
        await wait(50);
      const sessions = Array.from({ length: 12 }, (_, index) => `session-${index}`);
      const answers = await Promise.all(
        sessions.flatMap((session_id) =>
          ['ls', 'rm x'].map((line) => {
            const input = JSON.stringify({ ...JSON.parse(call(line)), session_id });
            return child === null
              ? hook(input, {
                  args: ['claude-code', '--policy', join(base, 'policy.yaml'), ...argsOf(state)],
                })
              : asking(input, state);
          }),
        ),
      );
      expect(answers.map(decisionOf)).toEqual(sessions.flatMap(() => ['allow', 'deny']));
      const [project = ''] = readdirSync(join(state, 'log'));
      const verifying = [program, 'log', 'verify', join(state, 'log', project), '--json'];
      const verified = JSON.parse(execFileSync(process.execPath, verifying, { encoding: 'utf8' })) as object;
      expect(verified).toMatchObject({ ok: true, logs: sessions.map(() => ({ ok: true })) });
      const ended = child === null ? null : new Promise((resolve) => child.once('exit', resolve));
      child?.kill('SIGKILL');
      await ended;
    },
  );
});
