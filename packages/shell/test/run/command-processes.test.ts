import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { world } from '../../../toolsets/test/filesystem/world.js';
import { contextOf, isRunning, optionsFor, run, textOf, usual, written } from './command.js';

describe('a command with long output or remaining processes', () => {
  const limits = { time: 60_000, grace: 100, linger: 100, output: 1000 };

  it('keeps the head and the tail of its output, and reports the omission', async () => {
    const { base } = world();
    const result = await run(
      'printf a; head -c 1000000 /dev/zero | tr "\\0" x; printf z; printf %01001d 0 >&2',
      optionsFor(base, { limits }),
    );
    const line = (bytes: number) => `\n[… ${bytes} bytes are left out here …]\n`;
    expect(result).toEqual({
      ...usual,
      stdout: `a${'x'.repeat(499)}${line(1_000_002 - 1000)}${'x'.repeat(499)}z`,
      stderr: `${'0'.repeat(500)}${line(1)}${'0'.repeat(500)}`,
      left_out: { stdout: 999_002, stderr: 1 },
    });
  });

  it('ends its processes, even with SIGTERM ignored, in another group or session, or without a parent', async () => {
    const { base, at } = world();
    const stubborn = `bash -c 'trap "" TERM HUP INT; echo $$ >> ${at('pids')}; while :; do sleep 1000; done' >/dev/null 2>&1`;
    const starts = [
      `${stubborn} &`,
      `setsid ${stubborn} &`,
      `(setsid ${stubborn} &) &`,
      `set -m; ${stubborn} & disown -a`,
    ];
    const command = `: > ${at('pids')}\n${starts.join('\n')}\nwhile [ "$(wc -l < ${at('pids')})" -lt 4 ]; do sleep 0.05; done; kill -STOP $!`;
    const result = await run(command, optionsFor(base, { limits }));
    const pids = (await written(at('pids'))).trim().split('\n').map(Number);
    expect(pids).toHaveLength(4);
    expect(result).toEqual({ ...usual, ended: expect.any(Number) });
    expect(result.ended).toBeGreaterThanOrEqual(4);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('waits a limited time for processes that still write', async () => {
    const { base } = world();
    const options = optionsFor(base, { limits: { ...limits, linger: 10_000 } });
    expect(await run('(sleep 0.2; echo late) &', options)).toEqual({ ...usual, stdout: 'late\n' });
    expect(await run('sleep 1000 & echo now', optionsFor(base, { limits }))).toEqual({
      ...usual,
      stdout: 'now\n',
      ended: 1,
    });
  });
});

describe('a command with endless output', () => {
  it('gets an error when its reader has closed the pipe', async () => {
    const { base } = world();
    expect(await run('yes | head -n 1; echo $PIPESTATUS', optionsFor(base))).toEqual({
      ...usual,
      stdout: 'y\n141\n',
    });
  });

  it('is ended in time, and only a little of its output is kept', async () => {
    const { base } = world();
    const limits = { time: 1000, grace: 100, linger: 100, output: 1000 };
    const result = await run('yes', optionsFor(base, { limits }));
    expect(result).toMatchObject({ timed_out: true, signal: 'SIGTERM' });
    expect(textOf(result.stdout).length).toBeLessThan(1100);
    expect(result.left_out).toMatchObject({ stderr: 0 });
  });
});

describe('a command that takes too long', () => {
  const limits = { time: 60_000, grace: 200, linger: 100, output: 1000 };

  it.skipIf(!isDeep)('is ended with all its processes, and reports the time limit', async () => {
    const { base, at } = world();
    const command = `trap "" TERM; (trap "" TERM; echo $BASHPID > ${at('pid')}; while :; do sleep 1000; done) & echo before; while :; do sleep 1000; done`;
    const result = await run({ command, timeout: 3 }, optionsFor(base, { limits }));
    expect(result).toEqual({
      ...usual,
      exit_code: null,
      signal: 'SIGKILL',
      timed_out: true,
      stdout: 'before\n',
    });
    expect(isRunning(Number(await written(at('pid'))))).toBe(false);
  });

  it('may end itself on SIGTERM', async () => {
    const { base, at } = world();
    const cancel = new AbortController();
    const command = `trap "echo tidied > ${at('tidied')}; exit 7" TERM; echo > ${at('ready')}; while :; do sleep 0.05; done`;
    const more = { limits: { ...limits, grace: 30_000 } };
    const running = run(command, optionsFor(base, more), contextOf(cancel.signal));
    await written(at('ready'));
    cancel.abort(new Error('the run was stopped'));
    await expect(running).rejects.toThrow('the run was stopped');
    expect(await written(at('tidied'))).toBe('tidied\n');
  });

  it('is ended when the call is cancelled', async () => {
    const { base, at } = world();
    const cancel = new AbortController();
    const running = run(
      `echo $$ > ${at('pid')}; while :; do sleep 1000; done`,
      optionsFor(base, { limits }),
      contextOf(cancel.signal),
    );
    const pid = Number(await written(at('pid')));
    expect(isRunning(pid)).toBe(true);
    cancel.abort(new Error('the run was stopped'));
    await expect(running).rejects.toThrow('the run was stopped');
    expect(isRunning(pid)).toBe(false);
    writeFileSync(at('pid'), '');
    await expect(run(`echo x > ${at('pid')}`, optionsFor(base), contextOf(cancel.signal))).rejects.toThrow(
      'the run was stopped',
    );
  });
});
