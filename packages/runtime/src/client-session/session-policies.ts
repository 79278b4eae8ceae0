import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shellWord } from '@ambit/core';
import { type Problem, problem } from '../host/problem.js';
import type { Past } from '../journal/journal.js';
import { loadLogged, pastPolicies } from '../policies/policies-of-log.js';
import {
  isPolicyThere,
  type PolicyFolders,
  type ReadPolicies,
  readPolicies,
  unread,
} from '../policies/read-policies.js';
import { type Trust, trustOf } from '../trust/trust-store.js';
import type { ClientSessionOptions } from './session-records.js';

export interface JudgingPolicies extends ReadPolicies {
  readonly given: readonly string[];
  readonly reloads: number;
}

/** A project's own policy, which nobody named: it applies only once trusted. */
export const projectPolicy = 'policy.yaml';

/** The policies that judge a session. Of a changed project policy, the trusted text judges beside the new one. */
export async function judgingPolicies(
  { policies, environment }: Pick<ClientSessionOptions, 'policies' | 'environment'>,
  { past, ...folders }: PolicyFolders & { readonly past: Past },
): Promise<JudgingPolicies> {
  const { root } = folders;
  const own = join(root, projectPolicy);
  const isThere = await isPolicyThere(own);
  const found = isThere && !(await isNamed(policies, own));
  const path = found ? await realpath(own) : null;
  const trust = await trustOf(environment, path ?? own);
  const given = found ? [...policies, projectPolicy] : [...policies];
  const isGone = !isThere && trust !== null;
  const gone = await missing(isGone ? [...given, projectPolicy] : given, root);
  if (gone.length > 0) return refused(given, gone);
  if (path !== null && trust === null)
    return refused(given, [
      problem(
        'NOT_TRUSTED',
        `${own} was never trusted, so it is not in force`,
        `read it, then run \`ambit trust ${shellWord(own)}\` in a terminal of your own`,
      ),
    ]);
  if (past.events.some(({ event }) => event === 'policy')) {
    const before = await pastPolicies(past, given, folders);
    const lost = await missing(
      before.files.map(({ path: file }) => file),
      root,
    );
    return lost.length > 0 ? refused(given, lost) : { ...before, given };
  }
  const read = await readPolicies(given, folders);
  if (read.problems.length > 0) return { ...read, given, reloads: 0 };
  if (read.policies.length === 0)
    return refused(given, [
      problem(
        'NO_POLICY',
        `there is no policy for the project in ${root}`,
        'write one there with `ambit init`, then run `ambit trust`',
      ),
    ]);
  return {
    ...(path === null || trust === null ? read : await withTrusted(read, trust, folders)),
    given,
    reloads: 0,
  };
}

/** The trusted text in place of an untrusted one. The new text joins as a reload. */
async function withTrusted(read: ReadPolicies, trust: Trust, folders: PolicyFolders): Promise<ReadPolicies> {
  const isChanged = trust.files.some(({ path, sha256 }) =>
    read.files.every((file) => file.path !== path || file.sha256 !== sha256),
  );
  if (!isChanged) return read;
  const { root, home } = folders;
  const set = { files: trust.files, reload: 0, root, home };
  const loaded = await loadLogged([set], folders);
  if (typeof loaded === 'string') return unread([problem('POLICY_UNLOADABLE', loaded, null)]);
  const isOther = ({ path }: { readonly path: string }) => trust.files.every((file) => file.path !== path);
  const others = read.loaded.filter(({ file }) => isOther(file));
  return {
    policies: [...others.map(({ policy }) => policy), ...loaded],
    files: [...read.files.filter(isOther), ...trust.files],
    loaded: others,
    problems: [],
  };
}

/** Naming a policy means trusting it. */
async function isNamed(policies: readonly string[], own: string): Promise<boolean> {
  const real = await realpath(own).catch(() => null);
  const named = await Promise.all(
    policies.map((file) => realpath(resolve(dirname(own), file)).catch(() => null)),
  );
  return real !== null && named.includes(real);
}

async function missing(given: readonly string[], root: string): Promise<readonly Problem[]> {
  const found = await Promise.all(
    given.map((file) =>
      lstat(resolve(root, file)).then(
        () => [],
        () => [problem('NO_FILE', `the policy ${file} is missing, so nothing is permitted`, 'put it back')],
      ),
    ),
  );
  return found.flat();
}

function refused(given: readonly string[], problems: readonly Problem[]): JudgingPolicies {
  return { ...unread(problems), given, reloads: 0 };
}
