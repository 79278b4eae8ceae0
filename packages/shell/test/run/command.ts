import { existsSync, readFileSync } from 'node:fs';
import type { Capability, ExecuteContext, Json, JsonObject } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { type ExecuteOptions, executeCommand } from '../../src/run/execute-command.js';
import { searchPathOf, usualSearchPath } from '../../src/run/search-path.js';
import type { ShellArguments } from '../../src/run/shell-arguments.js';

/** The same description for every command: these tests are about running it. */
export const described: readonly Capability[] = [{ name: 'proc.exec', program: 'true' }];

/** Options with one folder as the only root. */
export function optionsFor(folder: string, more: Partial<ExecuteOptions> = {}): ExecuteOptions {
  const roots = openRoots([{ name: 'work', folder, mode: 'rw' }], { home: '/nowhere/home' });
  return {
    describe: () => ({ capabilities: described }),
    roots,
    home: '/nowhere/home',
    searchPath: searchPathOf(usualSearchPath, roots),
    ...more,
  };
}

export function contextOf(signal: AbortSignal = new AbortController().signal): ExecuteContext {
  const call = async () => ({ ok: false }) as never;
  return { chain: ['main'], signal, call, described } as unknown as ExecuteContext;
}

export function run(
  args: ShellArguments | string,
  options: ExecuteOptions,
  context: ExecuteContext = contextOf(),
): Promise<JsonObject> {
  return executeCommand(typeof args === 'string' ? { command: args } : args, context, options);
}

/** Whether a process still runs. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits for the content of a file that a command will write. */
export async function written(path: string): Promise<string> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.endsWith('\n')) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The result of a command without effect. */
export const usual = {
  exit_code: 0,
  signal: null,
  timed_out: false,
  stdout: '',
  stderr: '',
  left_out: { stdout: 0, stderr: 0 },
  ended: 0,
  remaining: 0,
  isolation: 'none',
};

export function textOf(output: Json | undefined): string {
  return typeof output === 'string' ? output : '';
}
