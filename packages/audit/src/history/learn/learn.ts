import { createdPrefix, membersIn } from '@ambit/core';
import { hasMask } from '../../log/manifests/masked-keys.js';
import { type Judge, maskedThatIsRead } from '../replay/replay.js';
import { answerable, type Current, carriesNeverPermitted, type Hindrance } from './answerable.js';
import { choosingFor, representatives } from './candidates.js';
import { type Choice, choose, withoutSpare } from './choose.js';
import { coveredExamples } from './covered-examples.js';
import type { Dropped, Learning, Left, Proposal } from './learning.js';
import { type JudgedCall, judgedBare, type LearnOptions, triedRules, type Wanted } from './objection.js';
import { entryOf, type PastCall } from './past-calls.js';
import { type Asked, coverage, type ProposedRule, ruleInWords } from './proposed-rule.js';

/** Proposes the fewest rules that would have answered what people approved. Refused and blocked calls stay strict. */
export async function learn(calls: readonly PastCall[], options: LearnOptions): Promise<Learning> {
  const base = await options.tryRules([]);
  if (!base.ok) throw new Error(`the current policies cannot judge: ${base.why}`);
  const judged = (call: PastCall) => judgedBare(call, base.judge);
  const current = { target: options.target, judged };
  const all = calls.map((call) => ({ call, decision: judged(call) }));
  const wanted: Wanted[] = [];
  const left: Hindered[] = [];
  for (const each of all) {
    if (each.call.fate !== 'approved') continue;
    const found = wantedOf(each, { judge: base.judge, current, options });
    if ('obstacle' in found) left.push({ call: each.call, hindrance: found });
    else wanted.push(found);
  }
  const excluded = new Set(
    left.flatMap(({ call, hindrance }) => (hindrance.obstacle === 'not_asked' ? [] : [call])),
  );
  const guarded = all.filter(({ call }) => isGuarded(call, excluded));
  const { candidates, choosing, reached } = choosingFor({ wanted, guarded, options }, current);
  const banned = new Set<number>();
  const dropped: Dropped[] = [];
  for (;;) {
    const choice = withoutSpare(choose(choosing, banned), { ...choosing, covers: reached });
    const rules = choice.chosen.map((index) => candidates[index] as ProposedRule);
    const tried = await triedRules({ rules, choice, wanted, guarded, base, options });
    if (tried.ok) {
      const judges = { base: base.judge, after: tried.judge };
      return assemble({ all, choice, rules, wanted, left, dropped, guarded: guarded.length, ...judges });
    }
    const index = choice.chosen[tried.which] as number;
    banned.add(index);
    dropped.push({ words: ruleInWords(candidates[index] as ProposedRule), why: tried.why });
  }
}

interface Judging {
  readonly judge: Judge;
  readonly current: Current;
  readonly options: LearnOptions;
}

/** The questions of an approved call that rules must answer; a hindrance if no rule can. */
function wantedOf({ call, decision }: JudgedCall, { judge, current, options }: Judging): Wanted | Hindrance {
  if (call.unread.length > 0 || maskedThatIsRead(call.request, judge).length > 0)
    return { obstacle: 'masked', about: null };
  const found = answerable(call, decision, current);
  if (!('questions' in found)) return found;
  const secret = secretIn(found.questions, options);
  if (secret !== null) return { obstacle: 'secret', about: secret };
  const asks = representatives(found.questions, options.files?.isExcepted);
  if (asks.length > mostAsked) return { obstacle: 'too_many', about: null };
  return { call, asked: found.questions, asks };
}

/** The most unanswered calls that are kept as examples. */
const mostExamples = 10_000;

/** Which calls can change what is learnt; most calls of a long log cannot. */
export function bearingOnLearning(judge: Judge): (call: PastCall) => boolean {
  let examples = 0;
  return (call) => {
    if (call.fate !== 'none' || isGuarded(call, new Set())) return true;
    if (examples >= mostExamples || judgedBare(call, judge).decision !== 'needs_approval') return false;
    examples += 1;
    return true;
  };
}

/** Rules for a call with more questions, each for another folder, would not help. */
const mostAsked = 400;

/** A well-known secret that the call touches, or null. */
function secretIn(asked: readonly Asked[], { files }: LearnOptions): string | null {
  const secrets = asked.flatMap(({ capability: { path } }) =>
    typeof path === 'string' && files?.isSecret(path) === true ? [path] : [],
  );
  return secrets[0] ?? null;
}

/** Whether a call must not become looser. */
function isGuarded(call: PastCall, excluded: ReadonlySet<PastCall>): boolean {
  if (call.fate === 'refused' || call.fate === 'blocked' || call.fate === 'edited') return true;
  if (call.fate === 'approved') return excluded.has(call);
  return (
    call.wantedPerson ||
    carriesNeverPermitted(call) ||
    call.request.worker.startsWith(createdPrefix) ||
    call.request.capabilities.some((capability) => hasMask(capability))
  );
}

/** An approved call that no rule answers. */
interface Hindered {
  readonly call: PastCall;
  readonly hindrance: Hindrance;
}

interface Chosen {
  readonly all: readonly JudgedCall[];
  readonly choice: Choice;
  readonly rules: readonly ProposedRule[];
  readonly wanted: readonly Wanted[];
  readonly left: readonly Hindered[];
  readonly dropped: readonly Dropped[];
  readonly guarded: number;
  readonly base: Judge;
  readonly after: Judge;
}

function assemble(of: Chosen): Learning {
  const { choice, rules, wanted, dropped } = of;
  const answered = choice.answered.map((index) => wanted[index] as Wanted);
  const known = new Set(
    of.all.flatMap(({ call }) => membersIn(call.request.capabilities)).map((one) => JSON.stringify(one)),
  );
  const open = wanted.filter((_, index) => !choice.answered.includes(index));
  const left = [
    ...of.left,
    ...open.map(({ call }) => ({
      call,
      hindrance: { obstacle: dropped.length > 0 ? 'dropped' : 'refused_too', about: null } as const,
    })),
  ];
  return {
    approvals: wanted.length + of.left.length,
    answered: answered.length,
    proposals: rules.map((rule) => proposalOf(rule, { ...of, answered, known })),
    fewest: { exact: choice.exact, atLeast: choice.atLeast },
    left: grouped(left),
    dropped,
    guarded: of.guarded,
  };
}

function proposalOf(
  rule: ProposedRule,
  of: Pick<Chosen, 'all' | 'base' | 'after'> & {
    readonly answered: readonly Wanted[];
    readonly known: ReadonlySet<string>;
  },
): Proposal {
  const sources = of.answered.flatMap(({ call, asked }) => {
    const own = asked.filter((one) => coverage(rule, one) === 'yes').map(({ capability }) => capability);
    return own.length === 0
      ? []
      : [{ ...entryOf(call), capabilities: own, person: call.person ?? '', untrusted: call.untrusted }];
  });
  return {
    rule,
    words: ruleInWords(rule),
    people: [...new Set(sources.map(({ person }) => person))].sort(),
    saves: sources.length,
    sources,
    untrusted: sources.filter(({ untrusted }) => untrusted).length,
    ...coveredExamples(rule, {
      calls: of.all,
      source:
        of.answered.find(({ asked }) => asked.some((one) => coverage(rule, one) === 'yes'))?.call ?? null,
      known: of.known,
      base: of.base,
      after: of.after,
    }),
  };
}

function grouped(list: readonly Hindered[]): readonly Left[] {
  const found = new Map<string, Left>();
  for (const { call, hindrance } of list) {
    const key = JSON.stringify([hindrance.obstacle, hindrance.about]);
    const known = found.get(key);
    found.set(
      key,
      known === undefined
        ? { ...hindrance, calls: 1, example: entryOf(call) }
        : { ...known, calls: known.calls + 1 },
    );
  }
  return [...found.values()].sort((one, other) => other.calls - one.calls);
}
