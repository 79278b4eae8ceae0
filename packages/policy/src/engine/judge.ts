import {
  type CallDecision,
  type Capability,
  type Decision,
  type Judgement,
  type NonEmpty,
  type Request,
  type Truth,
  withoutRepetition,
} from '@ambit/core';
import { CallInHand } from './call-in-hand.js';
import { hasFileSet, type Members } from './file-sets.js';
import { type Finding, findingOf, judgementOf, judgementOfSet } from './finding.js';
import { decisionOf, type Rank } from './rank.js';
import { isHeard, type LayerConcern, type Situation, silent, varies } from './situation.js';
import { settledRank, weigh } from './weigh.js';
import { weighSet } from './weigh-set.js';

/** Only the decision. Duplicate capabilities are judged twice, which changes nothing. */
export function settleIn(situation: Situation, request: Request): Decision {
  const { carried } = situation;
  const capabilities = carried.length === 0 ? request.capabilities : [...request.capabilities, ...carried];
  let hand: CallInHand | null = null;
  let top: Rank = silent;
  for (let index = 0; index < capabilities.length; index += 1) {
    const { name } = capabilities[index] as Capability;
    let rank = situation.rankOf(name);
    if (rank === varies) {
      hand ??= new CallInHand(request, capabilities);
      rank = settleConcerns(situation.concernsOf(name), hand, index);
    }
    if (rank > top) top = rank;
  }
  // A capability without a judgement is blocked.
  return top === silent ? 'blocked' : decisionOf(top);
}

/** The decision with its explanation. */
export function decideIn(situation: Situation, request: Request): CallDecision {
  const capabilities = distinct(request.capabilities, situation.carried);
  let hand: CallInHand | null = null;
  const judgements: Judgement[] = [];
  const words = new FirstWords();
  let top: Rank = silent;
  for (let index = 0; index < capabilities.length; index += 1) {
    const capability = capabilities[index] as Capability;
    const { name } = capability;
    const fixed = situation.findingsOf(name);
    if (fixed === null || hasFileSet(capability)) hand ??= new CallInHand(request, capabilities);
    const members = hand?.setAt(index) ?? null;
    if (members !== null && hand !== null) {
      for (const { finding, member } of findInSet(situation.concernsOf(name), hand, members)) {
        judgements.push(judgementOfSet(finding, index, member));
        if (finding.settled > top) top = finding.settled;
        words.hear(finding);
      }
      continue;
    }
    const findings = fixed ?? findAll(situation.concernsOf(name), hand as CallInHand, index);
    for (let at = 0; at < findings.length; at += 1) {
      const finding = findings[at] as Finding;
      judgements.push(judgementOf(finding, index));
      if (finding.settled > top) top = finding.settled;
      words.hear(finding);
    }
  }
  return {
    decision: top === silent ? 'blocked' : decisionOf(top),
    capabilities,
    judgements,
    reason: words.reason,
    instead: words.instead,
  };
}

function settleConcerns(concerns: readonly LayerConcern[], hand: CallInHand, index: number): Rank {
  let top: Rank = silent;
  const members = hand.setAt(index);
  for (const concern of concerns) {
    const weighing =
      concern.weighing ??
      (members === null
        ? weigh(concern, truthsOf(concern, hand, index))
        : weighSet(concern, hand, members).weighing);
    if (isHeard(concern.index, weighing)) top = Math.max(top, settledRank(weighing));
  }
  return top;
}

function findAll(concerns: readonly LayerConcern[], hand: CallInHand, index: number): readonly Finding[] {
  const findings: Finding[] = [];
  for (const concern of concerns) {
    const truths = truthsOf(concern, hand, index);
    const weighing = concern.weighing ?? weigh(concern, truths);
    if (isHeard(concern.index, weighing)) findings.push(findingOf(concern, truths, weighing));
  }
  return findings;
}

/** The result for a file set, with its deciding member. */
function findInSet(concerns: readonly LayerConcern[], hand: CallInHand, members: Members) {
  return concerns.flatMap((concern) => {
    const { truths, weighing, member } = weighSet(concern, hand, members);
    return isHeard(concern.index, weighing)
      ? [{ finding: findingOf(concern, truths, weighing), member }]
      : [];
  });
}

function truthsOf({ candidates }: LayerConcern, hand: CallInHand, index: number): readonly Truth[] {
  const truths: Truth[] = [];
  const member = hand.memberAt(index);
  for (const { test } of candidates) truths.push(test === null || hand.truthOf(test, member));
  return truths;
}

/** Each once, at its first place, in a new list. */
function distinct(list: readonly Capability[], added: readonly Capability[]): NonEmpty<Capability> {
  const all = added.length === 0 ? list : [...list, ...added];
  return (mayRepeat(all) ? withoutRepetition(all) : all.slice()) as NonEmpty<Capability>;
}

/** A few are quicker compared by their names than put into words. */
function mayRepeat(list: readonly Capability[]): boolean {
  if (list.length > 8) return true;
  for (let one = 1; one < list.length; one += 1)
    for (let other = 0; other < one; other += 1) if (list[one]?.name === list[other]?.name) return true;
  return false;
}

/** The words of the first of the strictest rules, by policy and place, that has some. */
class FirstWords {
  #top: Rank = silent;
  #reason: Finding | null = null;
  #instead: Finding | null = null;

  hear(finding: Finding): void {
    if (finding.rank < this.#top) return;
    if (finding.rank > this.#top) {
      this.#top = finding.rank;
      this.#reason = null;
      this.#instead = null;
    }
    if (isEarlier('reason', finding, this.#reason)) this.#reason = finding;
    if (isEarlier('instead', finding, this.#instead)) this.#instead = finding;
  }

  get reason(): string | null {
    return this.#reason?.reason?.text ?? null;
  }

  get instead(): string | null {
    return this.#instead?.instead?.text ?? null;
  }
}

function isEarlier(key: 'reason' | 'instead', one: Finding, than: Finding | null): boolean {
  const [words, others] = [one[key], than?.[key] ?? null];
  if (words === null || than === null || others === null) return words !== null;
  return one.layer === than.layer ? words.place < others.place : one.layer < than.layer;
}
