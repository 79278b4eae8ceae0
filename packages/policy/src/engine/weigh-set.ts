import type { DecidingMember, Truth } from '@ambit/core';
import type { CallInHand } from './call-in-hand.js';
import type { Members } from './file-sets.js';
import type { LayerConcern } from './situation.js';
import { levelOf, type Weighing, weigh } from './weigh.js';

/** The judgement of one policy about a file set: that of the strictest member, the first among equals. */
export interface SetWeighing {
  readonly truths: readonly Truth[];
  readonly weighing: Weighing;
  readonly member: DecidingMember;
}

/** Tests that do not read the path are made once, the others for each member. */
export function weighSet(concern: LayerConcern, hand: CallInHand, members: Members): SetWeighing {
  const { from, to, pathAt } = members;
  const of = to - from;
  const truths = concern.candidates.map(({ test }) => test === null || hand.truthOf(test, from));
  let top = { truths, weighing: concern.weighing ?? weigh(concern, truths), at: from };
  let count = 1;
  const varying = concern.candidates.flatMap(({ test }, place) => (test?.readsPath ? [{ test, place }] : []));
  if (varying.length === 0) return { ...top, member: { path: pathAt(from), count: of, of } };
  for (let at = from + 1; at < to; at += 1) {
    const own = [...truths];
    for (const { test, place } of varying) own[place] = hand.truthOf(test, at);
    const weighing = weigh(concern, own);
    const more = levelOf(weighing) - levelOf(top.weighing);
    if (more === 0) count += 1;
    if (more <= 0) continue;
    top = { truths: own, weighing, at };
    count = 1;
  }
  return { ...top, member: { path: pathAt(top.at), count, of } };
}
