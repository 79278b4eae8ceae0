import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, type NonEmpty, nearest } from '@ambit/core';
import { formatDiagnostics, type LoadedPolicies, loadPolicies, type PolicyWorld } from '@ambit/policy';
import { isPolicyThere, keptForms, realHome, policyWorld as worldOf } from '@ambit/runtime';
import { nearFile, UnloadableError, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';

export type GivenPolicies = Extract<LoadedPolicies, { ok: true }>;

export interface PolicyOptions {
  readonly policy: readonly string[];
  /** By default the working folder. */
  readonly root?: string;
}

/** The given policies, those that they extend, and the machine's own. Throws for none or an invalid one. */
export async function givenPolicies(
  host: Host,
  options: PolicyOptions,
  hint?: string,
): Promise<GivenPolicies> {
  return loadedPolicies(await policyFiles(host, options.policy, hint), await policyWorld(host, options));
}

/** The policies in these files. Throws if one does not load. */
export async function loadedPolicies(files: NonEmpty<string>, world: PolicyWorld): Promise<GivenPolicies> {
  return requireLoaded(await loadPolicies(files, world));
}

export function requireLoaded(loaded: LoadedPolicies): GivenPolicies {
  if (loaded.ok) return loaded;
  throw new UnloadableError(loaded.diagnostics, [formatDiagnostics(loaded.diagnostics)]);
}

/** The names of the policy files of a call: `--policy`, else `AMBIT_POLICY`; and the machine's own. */
export async function policyFiles(
  host: Host,
  given: readonly string[],
  hint = 'give --policy FILE; `ambit init` writes a starter policy',
): Promise<NonEmpty<string>> {
  const { AMBIT_POLICY = '' } = host.environment;
  const named = given.length > 0 ? given : AMBIT_POLICY.split(':').filter((file) => file !== '');
  const machine = (await isPolicyThere(host.machinePolicy)) ? [host.machinePolicy] : [];
  const [first, ...others] = [...named, ...machine];
  if (first === undefined) throw new UnusableError('at least one policy is required', hint);
  return [first, ...others];
}

/** Says that no rule is for this worker alone: its name may be misspelled. */
export async function sayUnnamed(
  { stderr }: Host,
  policies: GivenPolicies['policies'],
  worker: string,
): Promise<void> {
  const named = new Set(policies.flatMap(({ rules }) => rules.flatMap((rule) => rule.worker ?? [])));
  if (named.has(worker)) return;
  const near = nearest(worker, named);
  const hint = near === null ? '' : `hint: did you mean ${near}?\n`;
  const message = `ambit: no rule names the worker \`${worker}\`; the rules for all workers judge it\n`;
  await write(stderr, `${message}${hint}`);
}

/** Refuses policies with only permissive defaults, unless `--open` is given. */
export function requireClosed(
  { policies }: GivenPolicies,
  { open = false }: { readonly open?: boolean },
): void {
  if (open || policies.some((policy) => policy.default.decision !== 'pre_approved')) return;
  throw new UnusableError(
    'every policy has `default: pre_approved`, so calls without a matching rule would run',
    'write `default: needs_approval` in one of them, or give --open',
  );
}

/** Reads policy files by name from the working folder, whatever `./` means in them. */
export async function policyWorld(
  host: Host,
  { root = '.' }: Pick<PolicyOptions, 'root'>,
): Promise<PolicyWorld> {
  const world = worldOf({
    home: realHome(host.environment),
    root: realpathSync.native(resolve(host.folder, root)),
    folder: host.folder,
    waits: true,
    forms: host.build === undefined ? undefined : keptForms(host.environment, host.build),
  });
  return {
    ...world,
    read: async (path) => {
      host.onRead?.(resolve(host.folder, path));
      try {
        return await world.read(path);
      } catch (error) {
        const near = errorCode(error) === 'ENOENT' ? nearFile(resolve(host.folder, path)) : null;
        if (near === null) throw error;
        throw new Error(`there is no such file; did you mean \`${join(dirname(path), basename(near))}\`?`);
      }
    },
  };
}
