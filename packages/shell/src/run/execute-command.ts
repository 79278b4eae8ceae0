import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import {
  type Capability,
  type Description,
  type ExecuteContext,
  type JsonObject,
  knownPaths,
  StartOver,
} from '@ambit/core';
import { FileError, failureOf, inFolder, isDescribed, isUnder, type Roots } from '@ambit/toolsets';
import { environmentOf } from './environment.js';
import { boundsOf, type Writes } from './isolation/bounds.js';
import { hiddenFrom } from './isolation/hidden.js';
import { confined, type Isolation } from './isolation/isolation.js';
import { launchArguments, usualBash } from './launcher.js';
import { type Ended, type Limits, runProcess, usualLimits } from './run-process.js';
import { problemOfArguments, type ShellArguments } from './shell-arguments.js';
import { workingFolder } from './working-folder.js';

export interface ExecuteOptions {
  /** Describes these arguments again; everything that it reports must have been described. */
  readonly describe: (args: ShellArguments) => Description | Promise<Description>;
  readonly roots: Roots;
  /** The user's home folder, which `~` means. */
  readonly home: string;
  readonly searchPath: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Confines the command to the approved bounds; absent for no confinement. */
  readonly isolation?: Isolation | null;
  /** What a confined command may write; `described` by default. */
  readonly writes?: Writes;
}

/**
 * Runs exactly the described command in the described folder. Throws if that is impossible, or if it would
 * now do more than was described. The command's own failure is a result.
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
  // Any link on this path is an error: it had none when it was described.
  const walk = { folder: place.real, create: [], descriptors: roots.descriptors };
  try {
    return await inFolder(walk, async ({ self }) => {
      // The file is checked before the command can create the folder.
      const hint = rootNameHint(context.described, { real: place.real, roots });
      const ended = await run(args, context, { ...options, folder: self, real: place.real });
      return { ...resultOf(ended, options), ...(hint !== null && { hint }) };
    });
  } catch (error) {
    throw failureOf(error, place.shown);
  }
}

interface Placed extends ExecuteOptions {
  /** A path through the open folder handle. */
  readonly folder: string;
  readonly real: string;
}

function run(args: ShellArguments, context: ExecuteContext, options: Placed): Promise<Ended> {
  const { folder, real, isolation = null } = options;
  const limits = { ...usualLimits, ...options.limits };
  const environment = environmentOf(args.env ?? {}, { ...options, is_isolated: isolation !== null });
  return runProcess({
    ...programOf(args, context, { ...options, linger: limits.linger }),
    environment: { ...environment, PWD: real },
    folder,
    is_confined: isolation !== null,
    limits: { ...limits, time: Math.min(limits.time, (args.timeout ?? Number.POSITIVE_INFINITY) * 1000) },
    signal: context.signal,
  });
}

function programOf(
  { command }: ShellArguments,
  { described }: ExecuteContext,
  options: Placed & { readonly linger: number },
): { readonly program: string; readonly args: readonly string[] } {
  const { isolation = null, writes = 'described', real, roots, linger } = options;
  if (isolation === null) return { program: usualBash, args: launchArguments(command) };
  const bounds = boundsOf(described, { roots, writes });
  const hidden = hiddenFrom(described, { roots, entered: [real, ...bounds.writable] });
  return confined(isolation, { command, folder: real, bounds, roots, linger, hidden, described });
}

function requireDescribed({ capabilities, cannot }: Description, { described }: ExecuteContext): void {
  if (cannot !== undefined) throw new FileError(cannot);
  if (isDescribed(capabilities, described)) return;
  // No command has run yet: the call is described and judged again.
  throw new StartOver(
    { changed: true },
    'what the command would do changed after it was judged; look again, then call again',
  );
}

/** A hint for a model that writes `ROOT/src`, although the command starts inside ROOT. */
function rootNameHint(
  described: readonly Capability[],
  { real, roots: { list, naming } }: { readonly real: string; readonly roots: Roots },
): string | null {
  if (naming === 'by_path') return null;
  const root = list.find(({ folder, name }) => folder === real && !existsSync(posix.join(real, name)));
  if (root === undefined) return null;
  const meant = posix.join(real, root.name);
  const paths = described.flatMap(({ path }) => knownPaths(path));
  const found = paths.find((path) => isUnder(path, meant));
  if (found === undefined) return null;
  const written = posix.relative(real, found);
  const rest = posix.relative(meant, found) || '.';
  return `the command started inside the root \`${root.name}\`: write \`${rest}\` in place of \`${written}\``;
}

function resultOf({ stdout, stderr, ...ended }: Ended, { isolation = null }: ExecuteOptions): JsonObject {
  return {
    ...ended,
    isolation: isolation?.kind ?? 'none',
    stdout: stdout.text,
    stderr: stderr.text,
    left_out: { stdout: stdout.left_out, stderr: stderr.left_out },
  };
}
