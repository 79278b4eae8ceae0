import { type Capability, isCapability, isCapabilityName } from '../../words/capability.js';
import { decisions, type NonEmpty } from '../../words/decision.js';
import { equalJson, frozenCopy, type Json } from '../../words/json.js';
import { isSimpleName, isToolName, isWorkerName } from '../../words/name.js';
import { orNull, printable } from '../../words/text.js';
import type { Condition } from '../condition.js';
import { type Admission, builtIn, type Carried, type Policy, policies, remembers } from '../policy.js';
import { reaches } from '../reach.js';
import type { CapabilityRule, CombinationMember, CombinationRule, Rule, ToolRule } from '../rule.js';
import {
  claim,
  type Fields,
  listOf,
  type MadeProblem,
  optional,
  ownData,
  record,
  type Shape,
  type Told,
  text,
  textThat,
  that,
  word,
} from './shape.js';

const decision = word(decisions, 'a decision');

const answerable = word(['any', 'person'], 'who may answer');

const filled = textThat((value) => value.trim() !== '', 'a text that is not empty');

/** `toolset.tool`, or `toolset.*`. */
const toolKey = textThat(
  (value) => isToolName(value) || (value.endsWith('.*') && isSimpleName(value.slice(0, -2))),
  'a tool',
  '`toolset.tool`, or `toolset.*` for all tools of a toolset',
);

const capabilityName = textThat(
  isCapabilityName,
  'a capability name',
  'lower-case words of letters, digits and `_`, with dots between',
);

const worker: Shape<string | null> = that(
  (value) => value === null || (typeof value === 'string' && isWorkerName(value)),
  'a worker name',
  '[a-z][a-z0-9_-]*, `created:NAME`, or null for all workers',
);

const words: Shape<string | null> = that(
  (value) => value === null || typeof value === 'string',
  'a text or null',
);

const condition: Shape<Condition<unknown>> = that(
  (value) => typeof value === 'function',
  'a function',
  'a condition gives true, false or `{ undecided: why }`',
);

const common = {
  id: filled,
  at: text,
  decision,
  answer: answerable,
  reason: words,
  instead: words,
  worker,
  inherit: claim,
  observe: claim,
  apart: optional(claim),
  undecided: optional(word<'needs_approval'>(['needs_approval'], 'what an undecided block says')),
  condition,
} as const;

const kinds: Readonly<Record<Rule['about'], Shape<Rule>>> = {
  capability: record<CapabilityRule>({
    about: word(['capability'], 'what a rule is about'),
    ...common,
    name: capabilityName,
    below: claim,
  }),
  tool: record<ToolRule>({
    about: word(['tool'], 'what a rule is about'),
    ...common,
    name: toolKey,
  }),
  combination: record<CombinationRule>({
    about: word(['combination'], 'what a rule is about'),
    ...common,
    decision: word(['needs_approval', 'blocked'], 'a decision of a combination'),
    members: nonEmpty(listOf(record<CombinationMember>({ name: capabilityName, condition }))),
    within: word(['call', 'run'], 'a scope of a combination'),
  } as Fields<CombinationRule>),
};

const kind = word(Object.keys(kinds) as readonly Rule['about'][], 'what a rule is about');

function rule(value: unknown, at: string, told: Told): Rule | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return record<Rule>({} as Fields<Rule>)(value, at, told);
  const known = kind((value as { about?: unknown }).about, `${at}.about`, told);
  const read = known === undefined ? undefined : kinds[known](value, at, told);
  if (read?.undecided !== undefined && read.decision !== 'blocked') {
    const message = '`undecided` is for rules that say `blocked`';
    told({ at: `${at}.undecided`, message, help: 'leave it out' });
  }
  return read;
}

function nonEmpty<T>(shape: Shape<readonly T[]>): Shape<readonly T[]> {
  return (value, at, told) => {
    const read = shape(value, at, told);
    if (read?.length === 0) told({ at, message: 'this list is empty', help: 'give at least one' });
    return read;
  };
}

type Taken =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: NonEmpty<MadeProblem> };

/** Checks a policy from a program like a file, and copies it. The same policy gives the same copy. */
export function takePolicy(given: unknown): Taken {
  if (given === builtIn || given === policies.allowAll() || taken.has(given as Policy))
    return { ok: true, policy: given as Policy };
  const problems: MadeProblem[] = [];
  const tell: Told = (problem) => problems.push(problem);
  // The text of a policy does not judge.
  const data = ownData(given, tell, ['document']);
  // A value that is not plain data gets no second problem about its kind.
  const policy = problems.length > 0 ? undefined : wholePolicy(data, '', tell);
  const [first, ...others] = problems;
  if (first !== undefined) return { ok: false, problems: [first, ...others] };
  if (policy === undefined) throw new Error('a policy that was not read has no problem');
  const before = copies.get(given as object);
  // Conditions are the same functions.
  if (before !== undefined && equalJson(before as unknown as Json, policy as unknown as Json))
    return { ok: true, policy: before };
  taken.add(policy);
  copies.set(given as object, policy);
  return { ok: true, policy };
}

/** Throws an error with all mistakes. */
export function takePolicies<List extends readonly unknown[]>(
  given: List,
): { [Index in keyof List]: Policy } {
  const { policies, problems } = readPolicies(given);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return policies as { [Index in keyof List]: Policy };
}

/** The policies without mistakes, and all mistakes in words. Both are empty if the value is not a list. */
export function readPolicies(given: unknown) {
  const [policies, problems]: [Policy[], string[]] = [[], []];
  for (const [index, each] of Array.isArray(given) ? (given as readonly unknown[]).entries() : []) {
    const result = takePolicy(each);
    if (result.ok) policies.push(result.policy);
    else problems.push(...result.problems.map((problem) => problemInWords(index, each, problem)));
  }
  return { policies, problems };
}

/** A mistake in one of several policies: "policy `own`, `rules[0].decision`: `block` is not a decision". */
export function problemInWords(index: number, given: unknown, { at, message }: MadeProblem): string {
  const name = nameOf(given);
  const which = name === null ? `policy ${index + 1} of those made in code` : `policy \`${printable(name)}\``;
  return `${which}${at === '' ? '' : `, \`${printable(at)}\``}: ${message}`;
}

const taken = new WeakSet<Policy>();
const copies = new WeakMap<object, Policy>();

const carried: Shape<Carried> = record<Carried>({
  tool: toolKey,
  capability: copiedCapability,
  at: optional(text),
});

const admission: Shape<Admission> = record<Admission>({
  workers: admittedWorkers,
  remember: word(remembers, 'how long an answer may be kept'),
  reach: word(reaches, 'how far an answer may reach'),
  unattended: claim,
});

const shape: Shape<Policy> = record<Policy>({
  name: filled,
  default: record<Policy['default']>({ decision, answer: answerable }),
  rules: listOf(rule),
  carries: listOf(carried),
  admits: admission,
});

function wholePolicy(value: unknown, at: string, told: Told): Policy | undefined {
  const policy = shape(value, at, told);
  if (policy === undefined) return undefined;
  const ids = new Set<string>();
  for (const [index, { id }] of policy.rules.entries()) {
    const message = `the id \`${printable(id)}\` is already used by another rule`;
    if (ids.has(id))
      told({ at: `rules[${index}].id`, message, help: 'choose another id: an id is unique in its policy' });
    ids.add(id);
  }
  return policy;
}

function copiedCapability(value: unknown, at: string, told: Told): Capability | undefined {
  const capability = that<Capability>(
    isCapability,
    'a capability',
    "`{ name: 'crm.contact.export' }`, with facts that are plain JSON values",
  )(value, at, told);
  return capability === undefined ? undefined : (frozenCopy<Json>(capability) as Capability);
}

function admittedWorkers(value: unknown, at: string, told: Told): Admission['workers'] | undefined {
  if (typeof value === 'boolean') return value;
  const tool = textThat(isToolName, 'a tool', '`toolset.tool`');
  if (Array.isArray(value)) return listOf(tool)(value, at, told);
  return that<boolean>(() => false, 'true, false or a list of tools', '`toolset.tool`')(value, at, told);
}

function nameOf(given: unknown): string | null {
  const name = orNull((): unknown => (given as Partial<Policy> | null | undefined)?.name);
  return typeof name === 'string' ? name : null;
}
