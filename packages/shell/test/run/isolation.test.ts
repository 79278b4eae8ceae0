import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { snapshot, world } from '../../../toolsets/test/filesystem/world.js';
import type { ExecuteOptions } from '../../src/run/execute-command.js';
import { findIsolation } from '../../src/run/isolation/find-isolation.js';
import { candidates, type Isolation } from '../../src/run/isolation/isolation.js';
import { usualSearchPath } from '../../src/run/search-path.js';
import { contextOf, isRunning, optionsFor, run, textOf, usual, written } from './command.js';

/** Further folders with confinement programs. */
const further = (process.env.AMBIT_TEST_PROGRAMS ?? '').split(':').filter((folder) => folder !== '');
const kinds = candidates([...usualSearchPath, ...further]);

describe.each(['bubblewrap', 'namespaces'] as const)('a command confined by %s', (kind) => {
  const found = kinds.find((one) => one.kind === kind);
  let isolation: Isolation | null = null;
  beforeAll(async () => {
    if (found === undefined) return;
    // Each program is alone in a folder, because otherwise the preferred one is found first.
    const folder = mkdtempSync(join(tmpdir(), 'ambit-kind-'));
    symlinkSync(found.program, join(folder, basename(found.program)));
    isolation = (await findIsolation([folder])) === null ? null : found;
    rmSync(folder, { recursive: true });
  });

  /** `w` may be written, `w/ref` read; `w/ambit/policy.yaml` is guarded, and so are workers. */
  function scene(more: Partial<ExecuteOptions> = {}) {
    const files = {
      'w/a': 'a',
      'w/sub/b': 'b',
      'w/ref/c': 'c',
      'w/deep/ambit/policy.yaml': 'p',
      'w/x.worker': 'x',
      'outside/d': 'd',
    };
    const { base, at } = world(files);
    chmodSync(base, 0o755);
    const list = [
      { name: 'work', folder: at('w'), mode: 'rw' as const },
      { name: 'ref', folder: at('w/ref'), mode: 'ro' as const },
    ];
    const guarded = [
      { path: at('w/deep/ambit/policy.yaml'), what: 'policy file' },
      { path: at('w'), suffix: '.worker', what: 'worker file' },
      { path: at('w/none/yet'), what: 'log' },
    ];
    const roots = openRoots(list, { home: '/nowhere', guarded });
    const cancel = new AbortController();
    const confine = (command: string, approved: readonly Capability[] = [], cwd?: string) => {
      const options = {
        ...optionsFor(at('w')),
        roots,
        isolation,
        describe: () => ({ capabilities: approved }),
        ...more,
      };
      return run({ command, ...(cwd !== undefined && { cwd }) }, options, {
        ...contextOf(cancel.signal),
        described: approved,
      });
    };
    return { base, at, confine, cancel };
  }

  it('reads, writes nothing, and has no network by default', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { base, at, confine } = scene();
    const before = snapshot(base);
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const tries = `cat a ${at('outside/d')}; echo x > a; rm a; mkdir n; echo x > ${at('outside/d')}; touch /x; (exec 5<>/dev/tcp/127.0.0.1/${port}) && echo connected; exit 4`;
    const result = await confine(tries);
    expect(result).toMatchObject({ exit_code: 4, stdout: 'ad', isolation: kind });
    expect(textOf(result.stderr).match(/Read-only file system/g)?.length).toBe(5);
    expect(snapshot(base)).toEqual(before);
    const connects = [{ name: 'net.connect.private', host: '127.0.0.1' }];
    expect(await confine(`cat < /dev/tcp/127.0.0.1/${port}`, connects)).toEqual({
      ...usual,
      isolation: kind,
      stdout: 'hello',
    });
  });

  it('has only its own loopback if it is opaque', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { confine } = scene();
    const opaque = { name: 'proc.exec.opaque', program: 'perl', why: 'a script' };
    const loop = `perl -MIO::Socket::INET -e '
      my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die "no loopback";
      IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport) or die "no connection";
      print "connected"'; grep -c : /proc/net/dev`;
    for (const more of [[], [{ name: 'net.listen', port: 80 }]])
      expect(await confine(loop, [opaque, ...more])).toMatchObject({ stdout: 'connected1\n' });
  });

  it('has its own empty `/tmp` if it is opaque and names nothing there', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const base = mkdtempSync('/var/tmp/ambit-own-');
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const roots = openRoots([{ name: 'work', folder: base, mode: 'rw' }], { home: '/nowhere' });
    const opaque = { name: 'proc.exec.opaque', program: 'make', why: 'it runs what it is told' };
    const mark = `/tmp/ambit-own-${process.pid}`;
    const tried = (described: readonly Capability[]) =>
      run(
        `ls -A /tmp | wc -l; echo x > ${mark} && cat ${mark}`,
        { ...optionsFor(base), roots, isolation, describe: () => ({ capabilities: described }) },
        { ...contextOf(), described },
      );
    expect(await tried([opaque])).toMatchObject({ exit_code: 0, stdout: '0\nx\n' });
    expect(await tried([{ ...opaque, argv: ['make', 'OUT=/tmp/x'] }])).toMatchObject({ exit_code: 1 });
    expect(existsSync(mark)).toBe(false);
  });

  it('writes only in approved places', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene();
    const approved = [
      { name: 'fs.write', path: at('w/sub/new/e') },
      { name: 'fs.delete.outside', path: at('outside/d') },
    ];
    const command = `mkdir sub/new; echo e > sub/new/e; sed -i s/b/B/ sub/b; rm ${at('outside/d')}; echo x > a; echo x > ref/c; echo $?`;
    expect(await confine(command, approved)).toMatchObject({ exit_code: 0, stdout: '1\n' });
    expect(snapshot(at('w'))).toMatchObject({ a: 'a', 'sub/b': 'B', 'sub/new/e': 'e\n', 'ref/c': 'c' });
    expect(existsSync(at('outside/d'))).toBe(false);
  });

  it('writes in all writable roots if a path was unknown', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene();
    await confine(`echo x > a; echo x > ref/c; echo x > ${at('outside/d')}`, [{ name: 'fs.write' }]);
    expect(snapshot(at(''))).toMatchObject({ 'w/a': 'x\n', 'w/ref/c': 'c', 'outside/d': 'd' });
    const wide = scene({ writes: 'roots' });
    await wide.confine('echo x > a; echo x > ref/c');
    expect(snapshot(wide.at(''))).toMatchObject({ 'w/a': 'x\n', 'w/ref/c': 'c' });
  });

  it.for(
    inOneRun([
      'echo x > deep/ambit/policy.yaml',
      'rm -f deep/ambit/policy.yaml',
      'echo x > n; mv -f n deep/ambit/policy.yaml',
      'ln -f a deep/ambit/policy.yaml',
      'mv deep/ambit deep/was',
      'mv deep was; mkdir -p deep/ambit; echo x > deep/ambit/policy.yaml',
      'rm -rf deep',
      'echo x > x.worker',
      'mv a x.worker',
      'chmod 777 deep/ambit/policy.yaml',
      'unshare -Ur -m bash -c "umount $PWD/deep/ambit/policy.yaml; echo x > deep/ambit/policy.yaml"',
      'unshare -Ur -m bash -c "mount -o remount,bind,rw $PWD/deep/ambit/policy.yaml; echo x > deep/ambit/policy.yaml"',
      'umount deep/ambit/policy.yaml; mount -o remount,bind,rw $PWD/x.worker; echo x > x.worker',
      'for root in /proc/[0-9]*/root; do echo x > $root$PWD/x.worker; done',
    ]),
  )('never changes a guarded file: %s', async (command, { skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene({ writes: 'roots' });
    expect(await confine(`echo y > sub/b; ${command}; exit 0`)).toMatchObject({
      exit_code: 0,
      isolation: kind,
    });
    const after = snapshot(at('w'));
    expect(after).toMatchObject({ 'deep/ambit/policy.yaml': 'p', 'x.worker': 'x', 'sub/b': 'y\n' });
  });

  it('cannot get out of the root file system, gain rights, or reach devices', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene({ writes: 'roots' });
    const target = at('outside/d');
    const tries = [
      `unshare -Ur -m bash -c 'mount -o remount,bind,rw /; echo x > ${target}'`,
      `unshare -Ur -m bash -c 'umount -l /; echo x > ${target}'`,
      `chroot / bash -c 'echo x > ${target}'`,
      'mknod sub/disk b 8 0',
      'cp /bin/bash sub/bash; chmod u+s sub/bash; sub/bash -p -c "grep CapEff /proc/self/status"',
      'ls /dev | grep -vxE "console|core|fd|full|mqueue|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero"',
      'echo 1 > /proc/sys/kernel/core_uses_pid',
      'echo kept > /dev/null && echo temporary > $TMPDIR/file && cat $TMPDIR/file',
      'grep -E "NoNewPrivs|CapEff" /proc/self/status',
    ];
    const { stdout } = await confine(tries.join('\n'));
    expect(textOf(stdout).replaceAll('\t', ' ')).toBe(
      'CapEff: 0000000000000000\ntemporary\nCapEff: 0000000000000000\nNoNewPrivs: 1\n',
    );
    expect(readFileSync(target, 'utf8')).toBe('d');
  });

  it('reads only the well-known secrets that the call carries if it is opaque', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at } = world({
      'w/.env': 'A=1',
      'w/deep/server.pem': 'key',
      'w/.npmrc': 'token',
      'w/.git/config': 'git',
      'w/a': 'a',
      'home/.ssh/id_rsa': 'key',
      'home/.netrc': 'login',
      'home/notes': 'n',
    });
    const roots = openRoots([{ name: 'work', folder: at('w'), mode: 'rw' }], { home: at('home') });
    const opaque = { name: 'proc.exec.opaque', program: 'npm', why: 'it runs scripts' };
    const secret = { name: 'secret.read', path: at('w/.npmrc'), by: 'npm' };
    const command = `cat .env deep/server.pem .npmrc .git/config a ${at('home')}/.ssh/id_rsa ${at('home')}/.netrc ${at('home')}/notes; echo x > new`;
    const reading = (described: readonly Capability[]) =>
      run(
        command,
        { ...optionsFor(at('w')), roots, isolation, describe: () => ({ capabilities: described }) },
        { ...contextOf(), described },
      );
    expect(await reading([opaque, secret])).toMatchObject({ stdout: 'tokengitan', isolation: kind });
    expect(readFileSync(at('w/new'), 'utf8')).toBe('x\n');
    // If the command may read a secret at an unknown place, it may read any.
    expect(await reading([opaque, { name: 'secret.read', by: 'npm' }])).toMatchObject({
      stdout: 'A=1keytokengitakeyloginn',
    });
    expect(await reading([{ name: 'fs.write', path: at('w/new') }])).toMatchObject({
      stdout: 'A=1keytokengitakeyloginn',
    });
  });

  it('keeps secrets hidden from a command that tries to unmount the cover', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at } = world({ 'w/.env': 'A=1', 'w/.aws/credentials': 'key' });
    const roots = openRoots([{ name: 'work', folder: at('w'), mode: 'rw' }], { home: '/nowhere' });
    const described = [{ name: 'proc.exec.opaque', program: 'make', why: 'it runs what it is told' }];
    const tries = [
      'umount .env; umount .aws; cat .env .aws/credentials',
      'mv .env other; cat other; rm -f .env; cat .env',
      'mv .aws b; cat b/credentials',
      'ln .env hard; cat hard; cp .env copy; cat copy',
      'unshare -Ur -m bash -c "umount $PWD/.env $PWD/.aws; cat $PWD/.env $PWD/.aws/*"',
      'for root in /proc/[0-9]*/root; do cat $root$PWD/.env $root$PWD/.aws/credentials; done',
      'chmod 777 .env; cat .env',
    ];
    for (const command of inOneRun(tries)) {
      const { stdout } = await run(
        `${command}; exit 0`,
        { ...optionsFor(at('w')), roots, isolation, describe: () => ({ capabilities: described }) },
        { ...contextOf(), described },
      );
      expect(stdout).toBe('');
    }
    expect(readFileSync(at('w/.env'), 'utf8')).toBe('A=1');
  });

  it('sees only its own processes, and all of them end with it', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene({ writes: 'roots', limits: { linger: 100, grace: 100 } });
    const daemon = `(env -i setsid bash -c 'trap "" TERM; echo started > ${at('w/sub/started')}; exec -a lost-${process.pid} sleep 1000' >/dev/null 2>&1 &)`;
    const command = `${daemon}\nuntil [ -s sub/started ]; do sleep 0.05; done; [ -e /proc/${process.pid}/cwd ] && [ ${process.pid} -gt 100 ] && echo seen; exit 0`;
    expect(await confine(command)).toEqual({ ...usual, isolation: kind, ended: 1 });
    expect(lost()).toEqual([]);
    const slow = scene({ writes: 'roots', limits: { grace: 100 } });
    const started = slow.at('w/sub/started');
    const forever = `${daemon.replaceAll(at('w/sub/started'), started)}\ntrap "" TERM; while :; do sleep 1000; done`;
    const running = slow.confine(forever);
    await written(started);
    slow.cancel.abort(new Error('the run was stopped'));
    await expect(running).rejects.toThrow('the run was stopped');
    expect(lost()).toEqual([]);
  });

  it('may end itself on SIGTERM', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine, cancel } = scene({ writes: 'roots', limits: { grace: 30_000 } });
    const command =
      'trap "echo tidied > sub/tidied; exit 7" TERM; echo > sub/ready; while :; do sleep 0.05; done';
    const running = confine(command);
    await written(at('w/sub/ready'));
    cancel.abort(new Error('the run was stopped'));
    await expect(running).rejects.toThrow('the run was stopped');
    expect(await written(at('w/sub/tidied'))).toBe('tidied\n');
  });

  it('reports that its time was over', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { confine } = scene({ limits: { time: 300, grace: 100 } });
    expect(await confine('sleep 1000')).toMatchObject({ timed_out: true, isolation: kind });
  });

  it('returns its output and exit code, and a signal as an exit code', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { at, confine } = scene();
    expect(await confine('pwd; id -u; echo oops >&2; exit 3', [], 'work/sub')).toEqual({
      ...usual,
      isolation: kind,
      exit_code: 3,
      stdout: `${at('w/sub')}\n${process.getuid?.()}\n`,
      stderr: 'oops\n',
    });
    expect(await confine('kill -USR1 $$')).toMatchObject({ exit_code: 138, signal: null });
    expect(await confine('-x')).toMatchObject({ exit_code: 127 });
    const patience = scene({ limits: { linger: 20_000 } });
    expect(await patience.confine('(sleep 0.1; echo late) &')).toMatchObject({ stdout: 'late\n', ended: 0 });
  });

  it('does not run in places that were swapped after the check', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const { insideOf } = await import('../../src/run/isolation/inside.js');
    const { at } = scene();
    const mounts = [{ path: at('w/sub'), mode: 'rw' as const, entry: '1:1' }];
    const { spawnSync } = await import('node:child_process');
    const start = (folder: string, of: typeof mounts) => {
      const { program, args } = insideOf('echo x > a', { linger: 0, folder, mounts: of });
      const { status, output } = spawnSync(program, args, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        encoding: 'utf8',
      });
      return { status, said: output[3] };
    };
    expect(start(at('w'), mounts)).toEqual({ status: 125, said: '' });
    renameSync(at('w/sub'), at('w/was'));
    symlinkSync(at('outside'), at('w/sub'));
    expect(start(at('w/sub'), [])).toEqual({ status: 125, said: '' });
    expect(start(at('w/was'), [])).toEqual({ status: 0, said: 'ready\n' });
  });

  it('does not run if it cannot be confined', async ({ skip }) => {
    if (isolation === null) skip(`${kind} does not work here`);
    const broken = { kind, program: '/bin/false' };
    const { confine } = scene({ isolation: broken });
    await expect(confine('echo x')).rejects.toThrow('the command could not be started');
  });
});

/** Attacks that must all fail, each in a run of its own in a deep run only: to confine one takes longer than to try it. */
function inOneRun(attacks: readonly string[]): readonly string[] {
  return isDeep ? attacks : [attacks.join('; ')];
}

function lost(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => isRunning(pid) && commandLine(pid).startsWith(`lost-${process.pid}`));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
