import { basename } from 'node:path';
import { asksIfUndecided, type Carried, equalJson, type Json, type Policy } from '@ambit/core';
import { patternText } from '@ambit/policy/internal';
import type { AnalysedPolicy, AnalysedRule } from '../exact/subject-policy.js';

/** One difference between two policy sets, as an author would make it. */
export interface Edit {
  readonly kind: 'rule' | 'default' | 'carries' | 'grants' | 'policy';
  readonly what: 'added' | 'removed' | 'changed';
  readonly id: string;
  /** Places in the old and the new policies. */
  readonly old: string | null;
  readonly new: string | null;
  /** Null for an edit of several rules. */
  readonly rules: readonly AnalysedRule[] | null;
  readonly undo: (policies: readonly AnalysedPolicy[]) => readonly AnalysedPolicy[];
}

/** The edits that lead from the old to the new policies. The built-in policy is the first of each. */
export function editsBetween(
  old: readonly AnalysedPolicy[],
  now: readonly AnalysedPolicy[],
): readonly Edit[] {
  const pairs = pairPolicies(old, now);
  return pairs.flatMap(([before, after]) => {
    if (before !== null && after !== null) return editsWithin(before, after);
    if (after !== null)
      return [policyEdit('added', after, (all) => all.filter(({ policy }) => policy !== after.policy))];
    return before === null ? [] : [policyEdit('removed', before, (all) => [...all, before])];
  });
}

type Pair = readonly [AnalysedPolicy | null, AnalysedPolicy | null];

/** Pairs the given policies with each other, and the extended ones by name. */
function pairPolicies(old: readonly AnalysedPolicy[], now: readonly AnalysedPolicy[]): readonly Pair[] {
  const [, firstOld, ...restOld] = old;
  const [, firstNew, ...restNew] = now;
  const left = [...restOld];
  const take = (found: number): AnalysedPolicy | null =>
    found === -1 ? null : (left.splice(found, 1)[0] ?? null);
  const byName = restNew.map((after) => ({
    after,
    before: take(left.findIndex(({ policy }) => basename(policy.name) === basename(after.policy.name))),
  }));
  const unknown = byName.filter(({ before }) => before === null);
  const isSinglePair = unknown.length === 1 && left.length === 1;
  const pairs: Pair[] = byName.map(({ after, before }) => [before ?? (isSinglePair ? take(0) : null), after]);
  const first: Pair = [firstOld ?? null, firstNew ?? null];
  return [first, ...pairs, ...left.map((before): Pair => [before, null])];
}

const sections = { default: 'default', carries: 'carries', grants: 'admits' } as const;

function editsWithin(before: AnalysedPolicy, after: AnalysedPolicy): readonly Edit[] {
  const { name } = after.policy;
  const changed = (['default', 'carries', 'grants'] as const).filter((kind) => {
    const [one, other] = [before.policy[sections[kind]], after.policy[sections[kind]]].map(withoutPlaces);
    return !equalJson(one as Json, other as Json);
  });
  const edits = changed.map((kind): Edit => {
    const old = { [sections[kind]]: before.policy[sections[kind]] };
    return {
      kind,
      what: 'changed',
      id: kind,
      old: before.policy.name,
      new: name,
      rules: null,
      undo: (policies) =>
        onPolicy(policies, name, (each) => ({ ...each, policy: { ...each.policy, ...old } })),
    };
  });
  return [...edits, ...ruleEdits(before, after)];
}

/** What a section decides: not the places of what `carries` adds. */
function withoutPlaces(section: Policy['default' | 'carries' | 'admits']): Json {
  const list = Array.isArray(section) ? (section as readonly Carried[]) : null;
  return (list?.map(({ tool, capability }) => ({ tool, capability })) ?? section) as unknown as Json;
}

function ruleEdits(before: AnalysedPolicy, after: AnalysedPolicy): readonly Edit[] {
  const left = [...before.rules];
  const take = (isIt: (rule: AnalysedRule) => boolean): AnalysedRule | null => {
    const found = left.findIndex(isIt);
    return found === -1 ? null : (left.splice(found, 1)[0] ?? null);
  };
  const contents = new Map(before.rules.map((rule) => [rule, contentOf(rule)]));
  const changed = after.rules.filter((rule) => {
    const content = contentOf(rule);
    return take((other) => contents.get(other) === content) === null;
  });
  const matched = changed.map((rule) => ({ rule, old: take((other) => other.rule.id === rule.rule.id) }));
  return [
    ...matched.map(({ rule, old }) => ruleEdit(after.policy.name, old, rule)),
    ...left.map((old) => ruleEdit(after.policy.name, old, null)),
  ];
}

function ruleEdit(policy: string, old: AnalysedRule | null, now: AnalysedRule | null): Edit {
  return {
    kind: 'rule',
    what: old === null ? 'added' : now === null ? 'removed' : 'changed',
    id: (now ?? old)?.rule.id ?? '',
    old: old?.rule.at ?? null,
    new: now?.rule.at ?? null,
    rules: [old, now].filter((rule) => rule !== null),
    undo: (policies) =>
      onPolicy(policies, policy, (each) => ({
        ...each,
        rules: [...each.rules.filter((rule) => rule.rule !== now?.rule), ...(old === null ? [] : [old])],
      })),
  };
}

function policyEdit(what: 'added' | 'removed', { policy }: AnalysedPolicy, undo: Edit['undo']): Edit {
  const { name: id } = policy;
  const [old, now] = what === 'removed' ? [id, null] : [null, id];
  return { kind: 'policy', what, id, old, new: now, rules: null, undo };
}

function onPolicy(
  policies: readonly AnalysedPolicy[],
  name: string,
  change: (policy: AnalysedPolicy) => AnalysedPolicy,
): readonly AnalysedPolicy[] {
  // The first is the built-in one, whatever a file is called.
  return policies.map((each, index) => (index > 0 && each.policy.name === name ? change(each) : each));
}

/** All that decides something. */
export function contentOf({ rule, match, except, when, until, members }: AnalysedRule): string {
  const { about, worker, decision } = rule;
  const isPermission = decision === 'pre_approved';
  return JSON.stringify([
    about,
    'name' in rule ? rule.name : null,
    worker,
    decision,
    decision === 'needs_approval' ? rule.answer : null,
    asksIfUndecided(rule),
    about === 'capability' && isPermission ? rule.below : null,
    worker !== null && !isPermission ? rule.inherit : null,
    about === 'combination' ? rule.within : null,
    [match, except].map(matchContent),
    when?.expression ?? null,
    until,
    members.map((member) => [member.name, matchContent(member.match), matchContent(member.except)]),
  ]);
}

function matchContent(match: AnalysedRule['match']): Json {
  return (match ?? []).map(({ fact, patterns }) => [
    fact,
    patterns.map((pattern) => [
      pattern.kind,
      patternText(pattern),
      pattern.kind === 'glob' ? JSON.stringify(pattern.glob.segments) : '',
    ]),
  ]);
}
