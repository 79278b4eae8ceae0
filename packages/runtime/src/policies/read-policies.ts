import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRegular, readRegularSync } from '@ambit/audit';
import { isNonEmpty, type Policy } from '@ambit/core';
import { type CheckedForms, loadPolicies, type PolicyFile, type PolicyWorld } from '@ambit/policy';
import { largestFile } from '@ambit/policy/yaml';
import { asProblem, type Problem } from '../host/problem.js';
import { readUnchanged } from './read-unchanged.js';

export type { PolicyFile };

/** Added to every run if it exists. */
export const machinePolicy = '/etc/ambit/policy.yaml';

export interface PolicyFolders {
  readonly root: string;
  readonly home: string;
  readonly forms?: CheckedForms | undefined;
}

export interface ReadPolicies {
  readonly policies: readonly Policy[];
  readonly files: readonly PolicyFile[];
  readonly loaded: readonly { readonly policy: Policy; readonly file: PolicyFile }[];
  readonly problems: readonly Problem[];
}

/** The given policies, those that they extend, and the machine's own. */
export async function readPolicies(
  given: readonly (string | Policy)[],
  folders: PolicyFolders,
): Promise<ReadPolicies> {
  const made = given.filter((policy) => typeof policy !== 'string');
  const named = given.filter((policy) => typeof policy === 'string');
  const files = [...named, ...((await isPolicyThere(machinePolicy)) ? [machinePolicy] : [])];
  const read = await readFiles(files, folders);
  return { ...read, policies: read.problems.length > 0 ? [] : [...made, ...read.policies] };
}

/** Why no policy was read. */
export function unread(problems: readonly Problem[]): ReadPolicies {
  return { policies: [], files: [], loaded: [], problems };
}

/** Without the machine's own policy. */
export async function readFiles(files: readonly string[], folders: PolicyFolders): Promise<ReadPolicies> {
  if (!isNonEmpty(files)) return unread([]);
  const loaded = await loadPolicies(files, policyWorld(folders));
  if (!loaded.ok) return unread(loaded.diagnostics.map(asProblem));
  const { files: records, policies } = loaded;
  const pairs = records.flatMap((file, index) => {
    const policy = policies[index];
    return policy === undefined ? [] : [{ policy, file }];
  });
  return { policies, files: records, loaded: pairs, problems: [] };
}

interface Reading {
  readonly folder?: string;
  /** Whether the process blocks on each file, which is quicker without other work and without a deadline. */
  readonly waits?: boolean;
}

export function policyWorld(given: PolicyFolders & Reading): PolicyWorld {
  const { root, home, forms, folder = root, waits = false } = given;
  const most = largestFile + 1;
  return {
    root,
    home,
    ...(forms === undefined ? {} : { forms }),
    read: async (path) => {
      const file = resolve(folder, path);
      return readUnchanged(file, async () =>
        waits ? readRegularSync(file, { most }) : readRegular(file, most),
      );
    },
    realpath: async (path) => {
      const file = resolve(folder, path);
      return waits ? realpathSync.native(file) : realpath(file);
    },
  };
}

/** An unreadable policy counts as present. */
export async function isPolicyThere(path: string): Promise<boolean> {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
