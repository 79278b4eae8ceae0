import { decide } from '../src/decide/decide.js';
import { admitsUnattended, answer, keepable } from '../src/decide/grant.js';
import { type CallDecision, isStricter, Run, type RunOptions } from '../src/index.js';
import type { Case } from './arbitrary/case.js';

/** What the laws are run against: core's own functions, or deliberately broken ones. */
export interface Engine {
  readonly decide: typeof decide;
  readonly answer: typeof answer;
  readonly admitsUnattended: typeof admitsUnattended;
  readonly keepable: typeof keepable;
  readonly createRun: (options: RunOptions) => Run;
}

export const core: Engine = {
  decide,
  answer,
  admitsUnattended,
  keepable,
  createRun: (options) => new Run(options),
};

/** The decision with every grant of the case. */
export function decisionOn(engine: Engine, { request, policies, grants }: Case): CallDecision {
  return engine.answer(engine.decide(request, policies), { request, policies, grants });
}

export function isLooser(one: CallDecision, than: CallDecision): boolean {
  return isStricter(than.decision, one.decision);
}
