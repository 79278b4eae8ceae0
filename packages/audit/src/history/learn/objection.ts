import { type CallDecision, isStricter } from '@ambit/core';
import type {
  Accepted,
  BrokenInvariant,
  Current,
  Objection,
  Subject,
  TriedRules,
  Wanted,
} from './learning.js';
import { judgedBare, type PastCall } from './past-calls.js';
import { coverage, type ProposedRule } from './proposed-rule.js';

/** The rules in the policy; an objection if one of them cannot be proposed. `answered`: what they are to answer. */
export async function triedRules(
  of: Subject,
  rules: readonly ProposedRule[],
  answered: readonly Wanted[],
): Promise<TriedRules> {
  const { base, guarded, options } = of;
  if (rules.length === 0) return base;
  const tried = await options.tryRules(rules);
  if (!tried.ok) return tried;
  const broken = newlyBroken(tried, base);
  if (broken !== null)
    return (await firstThatBreaks(rules, of)) ?? objection(rules.length - 1, brokenWords(broken));
  for (const { call, decision } of guarded) {
    const after = judgedBare(call, tried.judge);
    if (!isStricter(decision.decision, after.decision)) continue;
    const why = `it would loosen a call that must stay as strict: ${call.log} entry ${call.seq}`;
    return objection(touching(rules, call, decision), why);
  }
  for (const { call } of answered) {
    const after = judgedBare(call, tried.judge);
    if (after.decision !== 'pre_approved')
      return objection(
        touching(rules, call, after),
        `it does not answer its own source: ${call.log} entry ${call.seq}`,
      );
  }
  return tried;
}

function objection(which: number, why: string): Objection {
  return { ok: false, which, why };
}

/** Halving: if some rules fail, they also fail with more. */
async function firstThatBreaks(
  rules: readonly ProposedRule[],
  { base, options }: Current,
): Promise<Objection | null> {
  let [holds, breaks] = [0, rules.length];
  let found: Objection | null = null;
  while (holds < breaks) {
    const count = Math.floor((holds + breaks) / 2) + 1;
    const some = await options.tryRules(rules.slice(0, count));
    const first = some.ok ? newlyBroken(some, base) : null;
    if (first === null) holds = count;
    else {
      breaks = count - 1;
      found = objection(count - 1, brokenWords(first));
    }
  }
  return found;
}

function brokenWords({ id, at, message }: BrokenInvariant): string {
  return `it breaks ${id} (${at}): ${message}`;
}

function newlyBroken(tried: Accepted, base: Accepted) {
  return (
    tried.broken.find(
      ({ id, at }) => !base.broken.some((one) => one.id === id && fileOf(one.at) === fileOf(at)),
    ) ?? null
  );
}

/** Lines move when a rule is added. */
function fileOf(at: string): string {
  return at.replace(/:\d+:\d+$/, '');
}

/** The widest rule that concerns a call. */
function touching(
  rules: readonly ProposedRule[],
  { request }: PastCall,
  { capabilities }: CallDecision,
): number {
  const { worker, tool } = request;
  const which = rules.findLastIndex((rule) =>
    capabilities.some((capability) => coverage(rule, { worker, tool, capability }) !== 'no'),
  );
  return which === -1 ? rules.length - 1 : which;
}
