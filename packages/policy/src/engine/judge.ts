import {
  type CallDecision,
  type Capability,
  type Decision,
  equalJson,
  type Judgement,
  type NonEmpty,
  type Request,
  type Truth,
  withoutRepetition,
} from '@ambit/core';
import { CallInHand } from './call-in-hand.js';
import { type Finding, findingOf, judgementOf, type Words } from './finding.js';
import { decisionOf, type Rank } from './rank.js';
import { fixedFinding, isHeard, type LayerConcern, type Situation, silent, varies } from './situation.js';
import { settledRank, weigh } from './weigh.js';

/** The decision alone. What is carried twice is looked at twice, which changes nothing. */
export function settleIn(situation: Situation, request: Request): Decision {
  const { carried } = situation;
  const capabilities = carried.length === 0 ? request.capabilities : [...request.capabilities, ...carried];
  let hand: CallInHand | null = null;
  let top: Rank = silent;
  for (let index = 0; index < capabilities.length; index += 1) {
    const { name } = capabilities[index] as Capability;
    const entry = situation.entryOf(name);
    let rank = entry.settled;
    if (rank === varies) {
      hand ??= new CallInHand(request, capabilities);
      rank = settleConcerns(situation.concernsOf(name, entry), hand, index);
    }
    if (rank > top) top = rank;
  }
  // What nobody judged is blocked.
  return top === silent ? 'blocked' : decisionOf(top);
}

/** The decision with its explanation. */
export function decideIn(situation: Situation, request: Request): CallDecision {
  const capabilities = distinct([...request.capabilities, ...situation.carried]);
  const hand = new CallInHand(request, capabilities);
  const judgements: Judgement[] = [];
  const words = new FirstWords();
  let top: Rank = silent;
  for (let index = 0; index < capabilities.length; index += 1) {
    const { name } = capabilities[index] as Capability;
    const concerns = situation.concernsOf(name, situation.entryOf(name));
    for (let layer = 0; layer < concerns.length; layer += 1) {
      const concern = concerns[layer] as LayerConcern;
      const finding = find(concern, hand, index);
      words.hear(finding, layer);
      if (!isHeard(concern.index, finding)) continue;
      judgements.push(judgementOf(finding, index));
      if (finding.settled > top) top = finding.settled;
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
  for (const concern of concerns) {
    const weighing = concern.weighing ?? weigh(concern, truthsOf(concern, hand, index));
    if (isHeard(concern.index, weighing)) top = Math.max(top, settledRank(weighing));
  }
  return top;
}

function find(concern: LayerConcern, hand: CallInHand, index: number): Finding {
  if (concern.weighing !== null) return concern.finding ?? fixedFinding(concern, concern.weighing);
  const truths = truthsOf(concern, hand, index);
  return findingOf(concern, truths, weigh(concern, truths));
}

function truthsOf({ candidates }: LayerConcern, hand: CallInHand, index: number): readonly Truth[] {
  return candidates.map(({ test }) => test === null || hand.truthOf(test, index));
}

/** Each once, where it first stood. Most calls carry a few, which are compared quicker than they are put into words. */
function distinct(list: readonly Capability[]): NonEmpty<Capability> {
  const isFew = list.length <= 8;
  const kept = isFew
    ? list.filter((one, index) => !list.some((other, at) => at < index && isSame(one, other)))
    : withoutRepetition(list);
  return kept as NonEmpty<Capability>;
}

function isSame(one: Capability, other: Capability): boolean {
  return one.name === other.name && equalJson(one, other);
}

/** The words of the first of the strictest rules, by policy and place, that has some. */
class FirstWords {
  #top: Rank = silent;
  #reason: Placed | null = null;
  #instead: Placed | null = null;

  hear({ rank, reason, instead }: Finding, layer: number): void {
    if (rank < this.#top) return;
    if (rank > this.#top) {
      this.#top = rank;
      this.#reason = null;
      this.#instead = null;
    }
    if (reason !== null) this.#reason = earlier(this.#reason, { layer, words: reason });
    if (instead !== null) this.#instead = earlier(this.#instead, { layer, words: instead });
  }

  get reason(): string | null {
    return this.#reason?.words.text ?? null;
  }

  get instead(): string | null {
    return this.#instead?.words.text ?? null;
  }
}

interface Placed {
  readonly layer: number;
  readonly words: Words;
}

function earlier(one: Placed | null, other: Placed): Placed {
  if (one === null) return other;
  const order = other.layer - one.layer || other.words.place - one.words.place;
  return order < 0 ? other : one;
}
