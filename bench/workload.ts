import { createRequest, type NonEmpty, type Policy, type Request } from '@ambit/core';
import { loadPolicyText } from '@ambit/policy';
import { seeded } from './random.js';

/** A rule that every contender can express. Without a rule, a call is not allowed, and a prohibition wins. */
export interface PlainRule {
  readonly covers: 'name' | 'under';
  readonly name: string;
  readonly allows: boolean;
  /** Applies up to this amount; null for any. */
  readonly most: number | null;
}

export interface PlainCapability {
  readonly name: string;
  readonly amount: number;
  /** The name itself and all names above it, the longest first. */
  readonly lineage: readonly string[];
}

export interface Workload {
  readonly rules: readonly PlainRule[];
  readonly calls: readonly NonEmpty<PlainCapability>[];
  /** The same as a policy file. */
  readonly text: string;
  readonly policies: NonEmpty<Policy>;
  readonly requests: readonly Request[];
  readonly loadMilliseconds: number;
}

const calls = 10_000;
const folders = { home: '/home/ada', root: '/w' };

/**
 * 80 % of the rules allow an exact name. 15 % are about all names under a name: two of three allow them, the third forbids some.
 * 5 % allow a name up to an amount. Calls carry 1 to 4 capabilities, and nine of ten have a rule.
 */
export function workloadOf(count: number, seed = count): Workload {
  const random = seeded(seed);
  const rules = Array.from({ length: count }, (_, index) => ruleAt(index));
  const drawn = Array.from({ length: calls }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => capabilityFor(rules, random)),
  ) as unknown as NonEmpty<PlainCapability>[];
  const text = policyText(rules);
  const start = process.hrtime.bigint();
  const loaded = loadPolicyText('bench.yaml', text, folders);
  const loadMilliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return {
    rules,
    calls: drawn,
    text,
    policies: [loaded.policy],
    requests: drawn.map(requestOf),
    loadMilliseconds,
  };
}

/** Of twenty rules, sixteen are about a name, three about all names under one, and one has a condition. */
function ruleAt(index: number): PlainRule {
  const [group, kind] = [Math.floor(index / 20), index % 20];
  if (kind < 16) return { covers: 'name', name: nameIn(group, `act${kind}`), allows: true, most: null };
  if (kind === 19) return { covers: 'name', name: nameIn(group, 'limited'), allows: true, most: 50 };
  const branch = `zone${group % 50}.area${group}`;
  return {
    covers: 'under',
    name: kind === 18 ? `${branch}.part${kind}.inner` : `${branch}.part${kind}`,
    allows: kind !== 18,
    most: null,
  };
}

function nameIn(group: number, last: string): string {
  return `app${group % 40}.res${group}.${last}`;
}

function capabilityFor(rules: readonly PlainRule[], random: () => number): PlainCapability {
  const rule = rules[Math.floor(random() * rules.length)] as PlainRule;
  const amount = Math.floor(random() * 100);
  if (random() < 0.1) return capability(`${rule.name}.unknown`, amount);
  if (rule.covers === 'name') return capability(rule.name, amount);
  return capability(`${rule.name}.${random() < 0.5 ? 'leaf' : 'branch.leaf'}`, amount);
}

function capability(name: string, amount: number): PlainCapability {
  return { name, amount, lineage: lineageOf(name) };
}

export function lineageOf(name: string): readonly string[] {
  const lineage = [name];
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1))
    lineage.push(name.slice(0, dot));
  return lineage;
}

function requestOf(carried: NonEmpty<PlainCapability>): Request {
  return createRequest({
    tool: 'bench.call',
    chain: ['main'],
    args: {},
    capabilities: carried.map(({ name, amount }) => ({ name, amount })),
    context: {},
    history: [],
    now: 0,
  });
}

/** JSON is YAML. */
function policyText(rules: readonly PlainRule[]): string {
  const said = rules.map((rule) => [rule.name, bodyOf(rule)] as const);
  const lines = said.map(([name, body]) => `  ${name}: ${JSON.stringify(body)}`);
  return ['version: 1', 'default: blocked', 'capabilities:', ...lines, ''].join('\n');
}

function bodyOf({ covers, allows, most }: PlainRule): unknown {
  if (!allows) return 'blocked';
  if (covers === 'under') return { decision: 'pre_approved', below: true };
  if (most === null) return 'pre_approved';
  return { decision: 'pre_approved', when: { '<=': [{ var: 'capability.amount' }, most] } };
}
