import { brokenInvariants } from '@ambit/analysis';
import type { ProposedRule, TriedRules } from '@ambit/audit';
import type { Reach } from '@ambit/core';
import {
  addPermissions,
  type LoadedPolicies,
  loadPolicies,
  type NewPermission,
  type PolicyWorld,
} from '@ambit/policy';
import { wellKnown, wellKnownAt } from '@ambit/toolsets';
import { loggedJudge } from './logged-policies.js';

/** Tries rules in a policy file without writing it, for `learn`. */
export interface PolicyTrials {
  readonly target: string;
  readonly reach: Reach;
  readonly source: string;
  /** The folder of `./`. */
  readonly root: string;
  readonly files: ProtectedFiles;
  readonly tryRules: (rules: readonly ProposedRule[]) => Promise<TriedRules>;
  readonly withText: (text: string) => Promise<LoadedPolicies>;
  /** The file with these rules, which were tried. `note` says where each comes from. */
  readonly withRules: (rules: readonly (ProposedRule & { readonly note: string })[]) => string;
}

/** Edits are made to the first policy. */
export function policyTrials(
  loaded: LoadedPolicies & { readonly ok: true },
  given: { readonly files: readonly [string, ...string[]]; readonly world: PolicyWorld },
): PolicyTrials {
  const { files: names, world } = given;
  const [policy] = loaded.policies;
  const [{ source, path }] = loaded.files;
  const { root } = world;
  const files = protectedFiles(world.home);
  const target = { target: policy.name, reach: policy.admits.reach, source, root, files };
  return { ...target, tryRules, withText, withRules };

  async function tryRules(rules: readonly ProposedRule[]): Promise<TriedRules> {
    const edited = addPermissions(source, rules.map(permissionOf), root);
    if (!edited.ok) return edited;
    const found = await withText(edited.text);
    if (!found.ok)
      return {
        ok: false,
        which: await firstUnloadable(rules),
        why: `the file would not load: ${found.diagnostics[0].message}`,
      };
    return { ok: true, judge: loggedJudge(found.policies), broken: brokenInvariants(found.policies) };
  }

  async function firstUnloadable(rules: readonly ProposedRule[]): Promise<number> {
    for (const [which, rule] of rules.entries()) {
      const alone = addPermissions(source, [permissionOf(rule)], root);
      if (alone.ok && !(await withText(alone.text)).ok) return which;
    }
    return rules.length - 1;
  }

  function permissionOf({ name, facts, workers, tools }: ProposedRule): NewPermission {
    return { name, facts, workers, tools, except: files.patterns, note: null };
  }

  async function withText(text: string): Promise<LoadedPolicies> {
    const bytes = Buffer.from(text);
    const realpath = async (name: string) => world.realpath?.(name) ?? name;
    const read = async (name: string) => ((await realpath(name)) === path ? bytes : world.read(name));
    return loadPolicies(names, { ...world, read });
  }

  function withRules(rules: readonly (ProposedRule & { readonly note: string })[]): string {
    const edited = addPermissions(
      source,
      rules.map((rule) => ({ ...permissionOf(rule), note: rule.note })),
      root,
    );
    if (!edited.ok) throw new Error(edited.why);
    return edited.text;
  }
}

/** Files that rules for a folder exclude. */
interface ProtectedFiles {
  /** In the form of a rule's `except`; after `./`, below the folder of the rule. */
  readonly patterns: readonly string[];
  /** Whether rules for the folder exclude this file below it. */
  readonly isExcepted: (path: string, folder: string) => boolean;
  /** A secret: nothing is learnt from a person's answer about it. */
  readonly isSecret: (path: string) => boolean;
}

/** Well-known secrets, hidden files, and guarded files. */
function protectedFiles(home: string): ProtectedFiles {
  const isSecret = (path: string) => wellKnownAt(path, 'secret.read', [home]).length > 0;
  return {
    patterns: ['./**/.*', './**/.*/**', ...visibleSecrets, ...guards],
    isSecret,
    isExcepted: (path, folder) => path.slice(folder.length).includes('/.') || isSecret(path) || isGuard(path),
  };
}

const visibleSecrets = wellKnown
  .filter(({ capability }) => capability === 'secret.read')
  .flatMap(({ places }) => places)
  .filter((place) => place.startsWith('**/') && !place.includes('/.'));

const guards = ['**/*.worker', '**/ambit.yaml'];

function isGuard(path: string): boolean {
  return path.endsWith('.worker') || path.endsWith('/ambit.yaml');
}
