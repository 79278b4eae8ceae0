import { type Capability, isCapability } from '../../words/capability.js';
import type { NonEmpty } from '../../words/decision.js';
import { frozenCopy, type Json } from '../../words/json.js';
import { isToolName } from '../../words/name.js';
import { printable } from '../../words/printable.js';
import { type Admission, builtIn, type Carried, type Policy, policies, remembers } from '../policy.js';
import { reaches } from '../reach.js';
import { type MadeProblem, ownData, type Told } from './own-data.js';
import { answerable, decision, filled, rule, toolKey } from './rule-shape.js';
import { claim, listOf, record, type Shape, text, that, word } from './shape.js';

export type Taken =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: NonEmpty<MadeProblem> };

/** Checks a policy from a program like a file, and copies it. The same policy gives the same copy. */
export function takePolicy(given: unknown): Taken {
  if (given === builtIn || given === policies.allowAll() || taken.has(given as Policy))
    return { ok: true, policy: given as Policy };
  const problems: MadeProblem[] = [];
  const tell: Told = (problem) => problems.push(problem);
  // The text of a policy does not judge.
  const data = ownData(given, { told: tell, without: ['document'] });
  // A value that is not plain data gets no second problem about its kind.
  const policy = problems.length > 0 ? undefined : wholePolicy(data, '', tell);
  const [first, ...others] = problems;
  if (first !== undefined) return { ok: false, problems: [first, ...others] };
  if (policy === undefined) throw new Error('a policy that cannot be read has a problem');
  const before = copies.get(given as object);
  if (before !== undefined && isSame(before, policy)) return { ok: true, policy: before };
  taken.add(policy);
  copies.set(given as object, policy);
  return { ok: true, policy };
}

/** Throws an error with all mistakes. */
export function takePolicies<List extends readonly unknown[]>(
  given: List,
): { [Index in keyof List]: Policy } {
  const problems: string[] = [];
  const read = given.map((each) => {
    const result = takePolicy(each);
    if (result.ok) return [result.policy];
    for (const problem of result.problems) problems.push(problemInWords(given.indexOf(each), each, problem));
    return [];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return read.flat() as { [Index in keyof List]: Policy };
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
  tool: { shape: toolKey },
  capability: { shape: copiedCapability },
  at: { shape: text, isOptional: true },
});

const admission: Shape<Admission> = record<Admission>({
  workers: { shape: admittedWorkers },
  remember: { shape: word(remembers, 'how long an answer may be kept') },
  reach: { shape: word(reaches, 'how far an answer may reach') },
  unattended: { shape: claim },
});

const shape: Shape<Policy> = record<Policy>({
  name: { shape: filled },
  default: {
    shape: record<Policy['default']>({ decision: { shape: decision }, answer: { shape: answerable } }),
  },
  rules: { shape: listOf(rule) },
  carries: { shape: listOf(carried) },
  admits: { shape: admission },
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
  const tool = that<string>((one) => typeof one === 'string' && isToolName(one), 'a tool', '`toolset.tool`');
  if (Array.isArray(value)) return listOf(tool)(value, at, told);
  return that<boolean>(() => false, 'true, false or a list of tools', '`toolset.tool`')(value, at, told);
}

function nameOf(given: unknown): string | null {
  try {
    const name: unknown = (given as Partial<Policy> | null | undefined)?.name;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** Conditions are compared as functions. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
