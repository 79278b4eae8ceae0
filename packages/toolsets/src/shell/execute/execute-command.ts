import { randomBytes } from 'node:crypto';
import type { Capability, Description, ExecuteContext, JsonObject } from '@ambit/core';
import { ChangedError, FileError, failureOf } from '../../filesystem/failure.js';
import { inFolder } from '../../filesystem/folder.js';
import type { Roots } from '../../filesystem/root.js';
import { environmentOf } from './environment.js';
import { launchArguments } from './launcher.js';
import { type Ended, type Limits, runProcess } from './run-process.js';
import { problemOfArguments, type ShellArguments } from './shell-arguments.js';
import { workingFolder } from './working-folder.js';

export interface ExecuteOptions {
  /** What describes these arguments: it is asked again, and what it says now must have been described. */
  readonly describe: (args: ShellArguments) => Description | Promise<Description>;
  readonly roots: Roots;
  /** The user's home, which `~` leads to. */
  readonly home: string;
  readonly searchPath: readonly string[];
  /** Absolute. */
  readonly bash?: string;
  readonly limits?: Partial<Limits>;
  readonly umask?: string;
}

export const usualBash = '/bin/bash';

export const usualLimits: Limits = { time: 120_000, grace: 2000, linger: 500, output: 60_000 };

/**
 * Runs exactly the command that was described, in the folder that was described. Throws where that cannot be, or where it
 * would do by now what was not described; what the command itself makes of it is a result.
 */
export async function executeCommand(
  args: ShellArguments,
  context: ExecuteContext,
  options: ExecuteOptions,
): Promise<JsonObject> {
  context.signal.throwIfAborted();
  const { roots } = options;
  const { place, cannot } = await workingFolder(args.cwd, roots);
  if (cannot !== null) throw new FileError(cannot);
  const problem = problemOfArguments(args);
  if (problem !== null) throw new FileError(problem);
  requireDescribed(await options.describe(args), context);
  // Every link is an error on this way, which had none when it was described.
  const walk = { folder: place.real, create: [], descriptors: roots.descriptors };
  try {
    return await inFolder(walk, async ({ self }) =>
      resultOf(await run(args, context, { ...options, folder: self, real: place.real })),
    );
  } catch (error) {
    throw failureOf(error, place.shown);
  }
}

function run(
  { command, env = {}, timeout }: ShellArguments,
  { signal }: ExecuteContext,
  options: ExecuteOptions & { readonly folder: string; readonly real: string },
): Promise<Ended> {
  const { bash = usualBash, umask = '022', folder, real } = options;
  const limits = { ...usualLimits, ...options.limits };
  const mark = randomBytes(16).toString('hex');
  return runProcess({
    program: bash,
    args: launchArguments({ bash, command, umask }),
    environment: { ...environmentOf(env, options), PWD: real, SHELL_CALL: mark },
    folder,
    mark: `SHELL_CALL=${mark}`,
    limits: { ...limits, time: Math.min(limits.time, timeout === undefined ? limits.time : timeout * 1000) },
    signal,
  });
}

function requireDescribed({ capabilities, cannot }: Description, { described }: ExecuteContext): void {
  if (cannot !== undefined) throw new FileError(cannot);
  const known = new Set(described.map(keyOf));
  if (capabilities.every((capability) => known.has(keyOf(capability)))) return;
  throw new ChangedError(
    'what the command would do changed after it was judged; look again, then call again',
  );
}

/** Equal for equal capabilities: they are flat, so the order of their facts is all that may differ. */
function keyOf(capability: Capability): string {
  return JSON.stringify(Object.entries(capability).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function resultOf({ stdout, stderr, ...ended }: Ended): JsonObject {
  return {
    ...ended,
    stdout: stdout.text,
    stderr: stderr.text,
    left_out: { stdout: stdout.left_out, stderr: stderr.left_out },
  };
}
