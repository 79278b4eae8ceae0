import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { isOpenQuestion, type Mode, modes } from '../../src/index.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { core, decisionOn } from '../engine.js';
import { oracle } from '../oracle.js';
import { playing } from './playing.js';
import { yes } from './stage.js';

/** The table of docs/semantics.md, for any policies: whether a call runs. */
function runs(given: Case, mode: Mode): boolean {
  const { decision } = oracle(given);
  if (decision !== 'needs_approval') return decision === 'pre_approved';
  if (mode !== 'approve_all') return mode === 'interactive';
  const questions = decisionOn(core, given).judgements.filter(isOpenQuestion);
  return questions.every(({ policy, answer }) => {
    const asking = given.policies.find(({ name }) => name === policy);
    return answer === 'any' && asking?.admits.unattended === true;
  });
}

describe('a call under any policies', () => {
  it.each(modes)('runs in the mode %s exactly if the table says so', async (mode) => {
    await fc.assert(
      fc.asyncProperty(someCase(), async (given) => {
        const { outcome, executed, log } = await playing(given, { mode, answer: yes });
        const isRun = runs(given, mode);
        expect([outcome.status, executed]).toEqual(isRun ? ['completed', 1] : ['refused', 0]);
        // What ran is on record before it ran, and what it came to after.
        expect([log.story[0], log.story.at(-1)]).toEqual(['decision', 'outcome']);
      }),
      explore(1500),
    );
  });
});
