import { access, readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isNonEmpty, type Policy } from '@ambit/core';
import { type Diagnostic, loadPolicies, type PolicyFile, type PolicyWorld } from '@ambit/policy';
import type { Problem } from './session.js';

export type { PolicyFile };

/** The machine's own policy, added to every run where it exists. */
export const machinePolicy = '/etc/ambit/policy.yaml';

export interface ReadPolicies {
  readonly policies: readonly Policy[];
  readonly files: readonly PolicyFile[];
  readonly problems: readonly Problem[];
}

/** The policies that were given, those that they extend, and the machine's own. Relative names are under the working folder. */
export async function readPolicies(
  given: readonly (string | Policy)[],
  { root, home, now }: { readonly root: string; readonly home: string; readonly now?: number },
): Promise<ReadPolicies> {
  const made = given.filter((policy) => typeof policy !== 'string');
  const named = given.filter((policy) => typeof policy === 'string');
  const files = [...named, ...((await exists(machinePolicy)) ? [machinePolicy] : [])];
  if (!isNonEmpty(files)) return { policies: made, files: [], problems: [] };
  const loaded = await loadPolicies(files, policyWorld({ root, home, ...(now === undefined ? {} : { now }) }));
  if (!loaded.ok) return { policies: [], files: [], problems: loaded.diagnostics.map(asProblem) };
  return { policies: [...made, ...loaded.policies], files: loaded.files, problems: [] };
}

/** The files that policies are read from, and what `~/` and `./` mean in them. */
export function policyWorld({ root, home }: { root: string; home: string; now?: number }): PolicyWorld {
  return {
    root,
    home,
    read: async (path) => readFile(resolve(root, path)),
    realpath: async (path) => realpath(resolve(root, path)),
  };
}

export function asProblem(diagnostic: Diagnostic): Problem {
  const { code, message, help } = diagnostic;
  return { code, message, help, diagnostic };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR',
  );
}

