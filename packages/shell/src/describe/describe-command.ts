import { posix } from 'node:path';
import { type Capability, type Description, knownPaths, remembered } from '@ambit/core';
import { guardedInOneCall, isUnder, type OpenRoot, type Roots, rootsAt, rootsInWords } from '@ambit/toolsets';
import { folderCache } from '../files/folder-cache.js';
import { listingFrom } from '../files/listing.js';
import { listers } from '../listing/listers.js';
import { problemsOf } from '../programs/entry/check.js';
import type { ProgramTable } from '../programs/entry/spec.js';
import { programs } from '../programs/entry/table.js';
import { performBy } from '../programs/perform.js';
import { environmentOf } from '../run/environment.js';
import { usualSearchPath } from '../run/search-path.js';
import { problemOfArguments, problemOfBash, type ShellArguments } from '../run/shell-arguments.js';
import { workingFolder } from '../run/working-folder.js';
import type { ShellOptions } from '../shell-options.js';
import { describeLine } from './describe-line.js';

/** Folders that were read, shared by all calls. */
const folders = folderCache(Date.now);

/** Reads every folder again, after a program that may have changed any of them. */
export function forgetFolders(): void {
  folders.forget();
}

/** Whether another program starts the command, with further unknown variables. */
export interface Inheriting {
  readonly inherits?: boolean;
}

/** What a command line does, and the reason if it cannot be run. */
export async function describeCommand(
  args: ShellArguments,
  options: ShellOptions & Inheriting,
): Promise<Description> {
  const { roots } = options;
  const { place, cannot } = await workingFolder(args.cwd, roots);
  const problem = options.unavailable ?? problemOfBash() ?? cannot ?? problemOfArguments(args);
  const folder = { named: place.real ?? place.named ?? '/', real: place.real };
  const capabilities = capabilitiesOf(args, folder, options);
  const why = problem ?? problemOfReadOnly(capabilities, roots);
  return why === null ? { capabilities } : { capabilities, cannot: why };
}

function capabilitiesOf(
  args: ShellArguments,
  folder: { readonly named: string; readonly real: string | null },
  options: ShellOptions & Inheriting,
): readonly Capability[] {
  const { home, searchPath = usualSearchPath, isolation = null, programs: own } = options;
  const fixed = { home, searchPath, is_isolated: isolation !== null };
  const { inherits = false } = options;
  const roots = { ...options.roots, guarded: guardedInOneCall(options.roots.guarded) };
  const { TMPDIR } = process.env;
  const inherited = { HOME: home, PATH: searchPath.join(':'), ...(TMPDIR && { TMPDIR }) };
  const known = inherits ? inherited : environmentOf(args.env ?? {}, fixed);
  return describeLine(
    {
      text: args.command,
      folder,
      environment: new Map(Object.entries(known)),
      inherits,
      own: new Map(Object.entries(args.env ?? {})),
    },
    {
      roots,
      home,
      searchPath,
      listing: listingFrom(folders),
      perform: performBy(tableWith(own), listers),
      temporary: known.TMPDIR || '/tmp',
    },
  );
}

const tables = new WeakMap<ProgramTable, ProgramTable>();

/** The table with a user's own programs. Throws if one of them is malformed. */
function tableWith(own: ProgramTable | undefined): ProgramTable {
  if (own === undefined) return programs;
  return remembered(tables, own, () => {
    const problems = problemsOf(own, programs);
    if (problems.length > 0) throw new Error(`the table of programs is wrong: ${problems.join('; ')}`);
    return { ...programs, ...own };
  });
}

/** Why a root forbids a command regardless of the policy: it changes a read-only root. Null if none does. */
export function problemOfReadOnly(capabilities: readonly Capability[], roots: Roots): string | null {
  for (const { name, path } of capabilities) {
    if (!changing.has(name)) continue;
    for (const changed of knownPaths(path)) {
      const root = rootsAt(changed, roots).find(({ mode }) => mode === 'ro');
      if (root === undefined) continue;
      return `the command would change \`${shownIn(root, changed)}\`, which lies in a root that is read only: ${rootsInWords(roots)}`;
    }
  }
  return null;
}

const changing: ReadonlySet<string> = new Set(['fs.write', 'fs.delete', 'fs.meta']);

function shownIn({ name, folder, real }: OpenRoot, path: string): string {
  return posix.join(name, posix.relative(isUnder(path, folder) ? folder : real, path));
}
