import type { CallDecision } from '../decide/decide.js';
import { policiesOf } from '../guard/authority.js';
import { type Attempt, type Passage, sameCall } from '../guard/call-in-progress.js';
import type { JsonObject } from '../words/json.js';
import type { Answer } from './question.js';
import { type Refusal, refusalOf } from './refusal.js';
import type { RefusedCall } from './refused-calls.js';

/** A person's refusal of a call, which holds for equal calls from now on. */
export function denied(
  passage: Passage,
  { args, replaced }: Attempt,
  of: { readonly decision: CallDecision; readonly given: Exclude<Answer, { answer: 'approve' }> },
): Refusal {
  const { run } = passage.authority;
  const { decision, given } = of;
  if (given.answer === 'stop') run.stop(`stopped by ${given.person}`);
  const call = sameCall(passage, args, decision.capabilities);
  const note = given.note === undefined || given.note === '' ? null : given.note;
  const askAgain = given.answer === 'refuse' && given.ask_again === true;
  for (const each of replaced === undefined ? [call] : [call, replaced])
    run.refused.add(each, { person: given.person, note, askAgain });
  const said = note === null ? '' : `: ${note}`;
  const back = counted(run.refused.of(call));
  const often = back.came_back === undefined ? '' : `; it has come back ${times(back.came_back)}`;
  return {
    ...refusalOf('denied', decision, { policies: policiesOf(passage.authority), fallback: '' }),
    reason: `${given.person} refused this call${said}${often}`,
    ...back,
  };
}

/** The refusal of a call that comes back, unless a person chose to be asked again. It is counted. */
export function refusedBefore(passage: Passage, args: JsonObject, decision: CallDecision): Refusal | null {
  const { refused } = passage.authority.run;
  const call = sameCall(passage, args, decision.capabilities);
  if (refused.of(call)?.askAgain !== false) return null;
  const before = refused.comeBack(call);
  if (before === null) return null;
  const refusal = refusalOf('denied', decision, { policies: policiesOf(passage.authority), fallback: '' });
  return { ...refusal, reason: inWords(before), ...counted(before) };
}

function inWords({ person, note, cameBack }: RefusedCall): string {
  const said = note === null ? '' : ` (${note})`;
  return `${person} refused this same call before${said}, and is not asked again in this run; it has come back ${times(cameBack)}`;
}

/** The note for a person who chose to be asked again. */
export function askedBefore({ person, cameBack }: RefusedCall): string {
  return `${person} refused this same call before; it has come back ${times(cameBack)}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function counted(before: RefusedCall | null): { readonly came_back?: number } {
  return before === null || before.cameBack === 0 ? {} : { came_back: before.cameBack };
}
