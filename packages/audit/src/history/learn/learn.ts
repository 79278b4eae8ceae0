import { createdPrefix, remembered } from '@ambit/core';
import { hasMask } from '../../log/manifests/masked-keys.js';
import { type Judge, maskedThatIsRead } from '../replay/replay.js';
import { answerable, neverLearnt } from './answerable.js';
import { choosingFor, representatives } from './candidates.js';
import { type Choice, choose, withoutSpare } from './choose.js';
import { coveredExamples } from './covered-examples.js';
import type {
  Accepted,
  Current,
  Dropped,
  Hindered,
  Hindrance,
  JudgedCall,
  Learning,
  LearnOptions,
  Left,
  Proposal,
  Subject,
  Wanted,
} from './learning.js';
import { triedRules } from './objection.js';
import { entryOf, judgedBare, type PastCall } from './past-calls.js';
import { type Asked, coverage, type ProposedRule, ruleInWords } from './proposed-rule.js';

/** Proposes the fewest rules that would have answered what people approved. Refused and blocked calls stay strict. */
export async function learn(calls: readonly PastCall[], options: LearnOptions): Promise<Learning> {
  const base = await options.tryRules([]);
  if (!base.ok) throw new Error(`the current policies cannot judge: ${base.why}`);
  const subject = subjectOf(calls, { options, base });
  const { candidates, choosing, reached } = choosingFor(subject);
  const banned = new Set<number>();
  const dropped: Dropped[] = [];
  for (;;) {
    const choice = withoutSpare(choose(choosing, banned), { ...choosing, covers: reached });
    const rules = choice.chosen.map((index) => candidates[index] as ProposedRule);
    const answered = choice.answered.map((index) => subject.wanted[index] as Wanted);
    const tried = await triedRules(subject, rules, answered);
    if (tried.ok) return learningOf(subject, { rules, answered, tried, choice, dropped });
    const index = choice.chosen[tried.which] as number;
    banned.add(index);
    dropped.push({ words: ruleInWords(candidates[index] as ProposedRule), why: tried.why });
  }
}

function subjectOf(calls: readonly PastCall[], current: Current): Subject {
  const all = calls.map((call) => ({ call, decision: judgedBare(call, current.base.judge) }));
  const wanted: Wanted[] = [];
  const left: Hindered[] = [];
  for (const judged of all) {
    const { call } = judged;
    if (call.fate !== 'approved') continue;
    const found = wantedOf(judged, current);
    if ('obstacle' in found) left.push({ ...found, call });
    else wanted.push(found);
  }
  const excluded = new Set(left.flatMap(({ call, obstacle }) => (obstacle === 'not_asked' ? [] : [call])));
  const guarded = all.filter(({ call }) => isGuarded(call, excluded));
  return { ...current, all, wanted, left, guarded };
}

/** The questions of an approved call that rules must answer; a hindrance if no rule can. */
function wantedOf(judged: JudgedCall, current: Current): Wanted | Hindrance {
  const { call } = judged;
  const { files } = current.options;
  if (call.unread.length > 0 || maskedThatIsRead(call.request, current.base.judge).length > 0)
    return { obstacle: 'masked', about: null };
  const found = answerable(judged, current);
  if (!('questions' in found)) return found;
  const paths = found.questions.map(({ capability }) => capability.path);
  const secret = paths.find((path) => typeof path === 'string' && files?.isSecret(path) === true);
  if (typeof secret === 'string') return { obstacle: 'secret', about: secret };
  const asks = representatives(found.questions, files?.isExcepted);
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

/** Whether a call must not become looser. */
function isGuarded(call: PastCall, excluded: ReadonlySet<PastCall>): boolean {
  if (call.fate === 'refused' || call.fate === 'blocked' || call.fate === 'edited') return true;
  if (call.fate === 'approved') return excluded.has(call);
  return (
    call.wantedPerson ||
    neverLearnt(call.request.capabilities) !== undefined ||
    call.request.worker.startsWith(createdPrefix) ||
    call.request.capabilities.some((capability) => hasMask(capability))
  );
}

interface Chosen {
  readonly rules: readonly ProposedRule[];
  readonly answered: readonly Wanted[];
  readonly tried: Accepted;
  readonly choice: Choice;
  readonly dropped: readonly Dropped[];
}

function learningOf(of: Subject, { rules, answered, tried, choice, dropped }: Chosen): Learning {
  const obstacle = dropped.length > 0 ? 'dropped' : 'refused_too';
  const open = of.wanted.filter((one) => !answered.includes(one));
  return {
    approvals: of.wanted.length + of.left.length,
    answered: answered.length,
    proposals: rules.map((rule) => proposalOf(of, rule, { answered, tried })),
    fewest: { exact: choice.exact, atLeast: choice.atLeast },
    left: grouped([...of.left, ...open.map(({ call }) => ({ call, obstacle, about: null }) as const)]),
    dropped,
    guarded: of.guarded.length,
  };
}

function proposalOf(
  of: Subject,
  rule: ProposedRule,
  { answered, tried }: Pick<Chosen, 'answered' | 'tried'>,
): Proposal {
  const isOwn = (one: Asked) => coverage(rule, one) === 'yes';
  const supporting = answered.filter(({ asked }) => asked.some(isOwn));
  const sources = supporting.map(({ call, asked }) => ({
    ...entryOf(call),
    capabilities: asked.filter(isOwn).map(({ capability }) => capability),
    person: call.person ?? '',
    untrusted: call.untrusted,
  }));
  return {
    rule,
    words: ruleInWords(rule),
    people: [...new Set(sources.map(({ person }) => person))].sort(),
    saves: sources.length,
    sources,
    untrusted: sources.filter(({ untrusted }) => untrusted).length,
    ...coveredExamples(of, { rule, source: supporting[0]?.call ?? null, after: tried.judge }),
  };
}

function grouped(list: readonly Hindered[]): readonly Left[] {
  const found = new Map<string, Left>();
  for (const { call, obstacle, about } of list) {
    const key = JSON.stringify([obstacle, about]);
    const known = remembered(found, key, () => ({ obstacle, about, calls: 0, example: entryOf(call) }));
    found.set(key, { ...known, calls: known.calls + 1 });
  }
  return [...found.values()].sort((one, other) => other.calls - one.calls);
}
