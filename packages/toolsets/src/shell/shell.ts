import { type Description, defineTool, defineToolset, type Toolset } from '@ambit/core';
import * as z from 'zod';
import { openRoots, type Roots } from '../filesystem/root.js';
import type { GuardedPlace } from '../guarded.js';
import { environmentOf } from './execute/environment.js';
import { type ExecuteOptions, executeCommand } from './execute/execute-command.js';
import { searchPathOf, usualSearchPath } from './execute/search-path.js';
import { problemOfArguments, problemOfBash, type ShellArguments } from './execute/shell-arguments.js';
import { workingFolder } from './execute/working-folder.js';
import { problemsOf } from './programs/check.js';
import { effectsOf } from './programs/effects-of.js';
import { programOf } from './programs/program.js';
import type { ProgramTable } from './programs/spec.js';
import { programs } from './programs/table/index.js';
import { variables } from './programs/table/variables.js';
import { effectsOfVariable } from './programs/variables.js';
import { problemOfReadOnly } from './read-only.js';
import { capabilitiesOfLine } from './walk.js';
import { noChanges, type World } from './world.js';

/** The arguments as the schema leaves them. */
type RunArguments = z.output<typeof input>;

/** How commands are run, besides how they are described. */
type Running = Pick<ExecuteOptions, 'bash' | 'limits' | 'umask' | 'isolation' | 'writes'>;

export interface ShellOptions extends Running {
  readonly roots: Roots;
  /** The user's home, which `~` leads to. */
  readonly home: string;
  /** Where programs are found that are named without a folder. Folders in which the run may write are passed over. */
  readonly searchPath?: readonly string[];
  /** Programs besides those of the table, or instead of them. */
  readonly programs?: ProgramTable;
  /** Why no command can be run, whoever permits it; in words for the model. */
  readonly unavailable?: string | undefined;
}

const input = z.strictObject({
  command: z.string().describe('a command line for bash'),
  cwd: z
    .exactOptional(z.string())
    .describe(
      'the working folder, a path in the roots; the first that can be written in where it is left out',
    ),
  env: z.exactOptional(z.record(z.string(), z.string())).describe('variables that the command sees'),
  timeout: z.exactOptional(z.number().positive()).describe('seconds, after which the command is ended'),
});

/** The toolset `shell`: command lines, described as what they may do, and run as they were described. */
export function shell(given: ShellOptions): Toolset {
  const options = { ...given, searchPath: searchPathOf(given.searchPath ?? usualSearchPath, given.roots) };
  const describe = (args: ShellArguments) => describeCommand(args, options);
  return defineToolset({
    name: 'shell',
    tools: [
      defineTool<RunArguments>({
        name: 'run',
        description: 'Runs a command line with bash, without a terminal, and gives what it wrote.',
        input,
        describe,
        execute: (args, context) => executeCommand(args, context, { ...options, describe }),
      }),
    ],
  });
}

/** The same for one folder: its paths are relative to it, or absolute. */
export function shellAt(
  folder: string,
  options: { home: string; guarded: readonly GuardedPlace[] },
): Toolset {
  const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], { ...options, naming: 'by_path' });
  return shell({ roots, home: options.home });
}

/** What a command line may do, and why it cannot be run, where that is so. */
export async function describeCommand(args: ShellArguments, options: ShellOptions): Promise<Description> {
  const { roots } = options;
  const { place, cannot } = await workingFolder(args.cwd, roots);
  const problem = options.unavailable ?? problemOfBash(options.bash) ?? cannot ?? problemOfArguments(args);
  const own = new Map(Object.entries(args.env ?? {}));
  const { home, searchPath = usualSearchPath, isolation = null } = options;
  const fixed = { home, searchPath, is_isolated: isolation !== null };
  const environment = new Map(Object.entries(environmentOf(args.env ?? {}, fixed)));
  const folder = { named: place.real ?? place.named ?? '/', real: place.real };
  const capabilities = capabilitiesOfLine({ text: args.command, folder, environment, own }, worldOf(options));
  const why = problem ?? problemOfReadOnly(capabilities, roots);
  return why === null ? { capabilities } : { capabilities, cannot: why };
}

/** The world that command lines meet: the table of programs, and the file system as it is. */
export function worldOf({ roots, programs: own = {} }: ShellOptions): World {
  const table = tableWith(own);
  return {
    roots,
    effectsOf: (invocation) => effectsOf(invocation, table),
    effectsOfVariable: (name, value) => effectsOfVariable(name, value, variables),
    knows: (program) => programOf(table, program) !== null,
    looks: new Map(),
    changes: noChanges(),
  };
}

const tables = new WeakMap<ProgramTable, ProgramTable>();

/** Made once for each table, so that what was read of it is kept. Throws where the table is not written as it should be. */
function tableWith(own: ProgramTable): ProgramTable {
  if (Object.keys(own).length === 0) return programs;
  const known = tables.get(own);
  if (known !== undefined) return known;
  const problems = problemsOf(own, programs);
  if (problems.length > 0) throw new Error(`the table of programs is wrong: ${problems.join('; ')}`);
  const made = { ...programs, ...own };
  tables.set(own, made);
  return made;
}
