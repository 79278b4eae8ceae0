import type { Description } from '@ambit/core';
import { environmentOf } from './execute/environment.js';
import { usualSearchPath } from './execute/search-path.js';
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
import type { ShellOptions } from './shell-options.js';
import { capabilitiesOfLine } from './walk.js';
import { noChanges, type World } from './world.js';

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
