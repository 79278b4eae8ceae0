import { brokenInvariants } from '@ambit/analysis';
import type { ProposedRule, TriedRules } from '@ambit/audit';
import {
  addPermissions,
  type LoadedPolicies,
  loadPolicies,
  type NewPermission,
  type PolicyWorld,
} from '@ambit/policy';
import { wellKnown, wellKnownAt } from '@ambit/toolsets';
import { loggedJudge } from './policies-of-log.js';

export type PolicyTrials = ReturnType<typeof policyTrials>;

/** Tries rules in the first of these policy files without writing it, for `learn`. */
export function policyTrials(
  loaded: LoadedPolicies & { readonly ok: true },
  given: { readonly files: readonly [string, ...string[]]; readonly world: PolicyWorld },
) {
  const { files: names, world } = given;
  const [policy] = loaded.policies;
  const [{ source, path }] = loaded.files;
  const { root } = world;
  const files = protectedFiles(world.home);
  const { name: target, admits } = policy;
  return { target, reach: admits.reach, source, root, files, tryRules, withText, withRules };

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

  function permissionOf(rule: ProposedRule): NewPermission {
    return { ...rule, except: files.patterns, note: null };
  }

  async function withText(text: string): Promise<LoadedPolicies> {
    const bytes = Buffer.from(text);
    const realpath = async (name: string) => world.realpath?.(name) ?? name;
    const read = async (name: string) => ((await realpath(name)) === path ? bytes : world.read(name));
    return loadPolicies(names, { ...world, read });
  }

  /** The file with these rules, which were tried. `note` says where each comes from. */
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

/** Files that rules for a folder exclude: well-known secrets, hidden files, and guarded files. */
function protectedFiles(home: string) {
  /** Nothing is learnt from a person's answer about it. */
  const isSecret = (path: string) => wellKnownAt(path, 'secret.read', [home]).length > 0;
  return {
    /** In the form of a rule's `except`; after `./`, below the folder of the rule. */
    patterns: ['./**/.*', './**/.*/**', ...visibleSecrets, ...guards],
    isSecret,
    /** Whether rules for the folder exclude this file below it. */
    isExcepted: (path: string, folder: string) =>
      path.slice(folder.length).includes('/.') || isSecret(path) || /\.worker$|\/ambit\.yaml$/.test(path),
  };
}

const visibleSecrets = new Set(
  wellKnown
    .flatMap(({ capability, places }) => (capability === 'secret.read' ? places : []))
    .filter((place) => place.startsWith('**/') && !place.includes('/.')),
);

const guards = ['**/*.worker', '**/ambit.yaml'];
