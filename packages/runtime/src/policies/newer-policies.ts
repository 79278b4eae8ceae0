import { resolve } from 'node:path';
import type { Log, Policy } from '@ambit/core';
import { formatDiagnostic } from '@ambit/policy';
import { clock } from '../host/clock.js';
import { markOf } from '../trust/own-files.js';
import {
  machinePolicy,
  type PolicyFile,
  type PolicyFolders,
  type ReadPolicies,
  readFiles,
  readPolicies,
} from './read-policies.js';

export interface PolicySource {
  readonly given: readonly (string | Policy)[];
  readonly added: readonly string[];
  readonly folders: PolicyFolders;
  readonly files: readonly PolicyFile[];
  /** How often the run's policies were reloaded before. */
  readonly reloads: number;
  readonly log: Log;
}

/** At each call, returns the policies whose files have changed. A file that does not load is recorded once. */
export function newerPolicies(source: PolicySource): () => Promise<readonly Policy[]> {
  const { given, added, folders, log } = source;
  const { root, home } = folders;
  let known = source.files;
  let marks: string | null = null;
  let { reloads } = source;

  async function reload(): Promise<readonly Policy[]> {
    const all = await readPolicies(given, folders);
    const isWhole = all.problems.length === 0;
    if (!isWhole)
      await log.append([{ now: clock.now(), event: 'policy', files: [], problems: problemTexts(all) }]);
    const read = isWhole ? all : await readFiles(added, folders);
    const changed = read.loaded.filter(
      ({ file }) => !known.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256),
    );
    if (changed.length === 0) return [];
    const others = known.filter(({ path }) => !read.files.some((file) => file.path === path));
    await log.append([
      { now: clock.now(), event: 'policy', files: changed.map(({ file }) => file), root, home },
    ]);
    // Once it is recorded: after an error the next call reads them again.
    known = isWhole ? read.files : [...others, ...read.files];
    reloads += 1;
    return changed.map(({ policy }) => ({ ...policy, name: `${policy.name} (reload ${reloads})` }));
  }

  let paths = pathsOf(known, folders);
  return async () => {
    const found = paths.map(markOf).join('\n');
    // The first check compares contents, so that it finds a change since the files were first read.
    if (marks === found) return [];
    const newer = await reload();
    marks = found;
    paths = pathsOf(known, folders);
    return newer;
  };
}

/** The given and the real paths of the policies, and the machine's own. */
function pathsOf(known: readonly PolicyFile[], { root }: PolicyFolders): readonly string[] {
  const named = known.flatMap(({ name, path }) => [resolve(root, name), path]);
  return [...new Set([...named, machinePolicy])];
}

function problemTexts({ problems }: ReadPolicies): readonly string[] {
  return problems.map(({ diagnostic, message }) =>
    diagnostic === null ? message : formatDiagnostic(diagnostic),
  );
}
