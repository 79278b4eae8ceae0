import { type CallDecision, isStricter, type Reach } from '@ambit/core';
import { type Judge, judgedAgain } from '../replay/replay.js';
import type { Choice } from './choose.js';
import type { BrokenInvariant, TriedRules } from './learning.js';
import type { PastCall } from './past-calls.js';
import { type Asked, coverage, type ProposedRule } from './proposed-rule.js';

export interface LearnOptions {
  readonly target: string;
  readonly reach: Exclude<Reach, 'call'>;
  /** The folder of `./`. A rule covers all of it only with `widen`. */
  readonly root?: string;
  /** Whether a rule for a folder may come from deeper files and cover the whole root. */
  readonly widen?: boolean;
  /** Files that rules for a folder except and that are never learned from. */
  readonly files?: {
    readonly isExcepted: (path: string, folder: string) => boolean;
    readonly isSecret: (path: string) => boolean;
  };
  /** Judges as the policies would with these rules in the target; with none, as they are. */
  readonly tryRules: (rules: readonly ProposedRule[]) => Promise<TriedRules>;
}

export interface Wanted {
  readonly call: PastCall;
  readonly asked: readonly Asked[];
  /** The representatives of all in the choice of rules. */
  readonly asks: readonly Asked[];
}

/** A call under the current policies. */
export interface JudgedCall {
  readonly call: PastCall;
  readonly decision: CallDecision;
}

export interface Proposed {
  readonly rules: readonly ProposedRule[];
  readonly choice: Choice;
  readonly wanted: readonly Wanted[];
  readonly guarded: readonly JudgedCall[];
  readonly base: Accepted;
  readonly options: LearnOptions;
}

type Accepted = Extract<TriedRules, { ok: true }>;
type Objection = Extract<TriedRules, { ok: false }>;

/** The rules in the policy; an objection if one of them cannot be proposed. */
export async function triedRules(of: Proposed): Promise<TriedRules> {
  const { rules, choice, wanted, guarded, base, options } = of;
  if (rules.length === 0) return base;
  const tried = await options.tryRules(rules);
  if (!tried.ok) return tried;
  const broken = newlyBroken(tried, base);
  if (broken !== null)
    return (await firstThatBreaks(rules, base, options)) ?? objection(rules.length - 1, brokenWords(broken));
  for (const { call, decision } of guarded) {
    const after = judgedBare(call, tried.judge);
    if (!isStricter(decision.decision, after.decision)) continue;
    const why = `it would loosen a call that must stay as strict: entry ${call.seq}`;
    return objection(touching(rules, call, decision), why);
  }
  for (const index of choice.answered) {
    const { call } = wanted[index] as Wanted;
    const after = judgedBare(call, tried.judge);
    if (after.decision !== 'pre_approved')
      return objection(touching(rules, call, after), `it does not answer its own source: entry ${call.seq}`);
  }
  return tried;
}

function objection(which: number, why: string): Objection {
  return { ok: false, which, why };
}

/** Halving: if some rules fail, they also fail with more. */
async function firstThatBreaks(
  rules: readonly ProposedRule[],
  base: Accepted,
  options: LearnOptions,
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

/** Without answers kept in the run, which the next run does not have. */
export function judgedBare(call: PastCall, judge: Judge): CallDecision {
  return judgedAgain({ ...call, grants: call.grants.filter(({ source }) => source === 'reference') }, judge);
}
