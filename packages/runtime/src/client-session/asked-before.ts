import { equalJson, isRefusedWith, type Question, type SameCall } from '@ambit/core';
import type { StoredQuestion } from '../store/store.js';
import type { Recorded } from './recorded.js';

interface Asking {
  readonly run: string;
  readonly question: Question;
  readonly digest: string;
  readonly recorded: Recorded;
  /** The records of other sessions that may be sub-agents of this one. */
  readonly beside: readonly Recorded[];
  /** The questions whose answers were used. */
  readonly taken: ReadonlySet<string>;
  readonly now: number;
}

/** What was asked before about the same call. */
export function askedBefore(
  questions: readonly StoredQuestion[],
  { run, question, digest, recorded, beside, taken, now }: Asking,
) {
  const all = questions.filter((each) => each.run === run);
  const calls = new Set([question.call, ...all.map((each) => each.question.call)]);
  const changeSince = ({ asked }: StoredQuestion) =>
    recorded.changeSince(asked, (id) => calls.has(id)) ??
    (beside.some((other) => other.changeSince(asked, () => false) !== null)
      ? 'another session of the agent, perhaps a sub-agent, changed something since it was asked'
      : null);
  const alike = all.filter((each) => each.digest === digest);
  // Their answers do not count.
  const past = alike.filter((each) => changeSince(each) !== null);
  const same = alike.filter((each) => !past.includes(each));
  const isNew = (each: StoredQuestion) => !taken.has(each.question.id);
  const given =
    same.findLast((each) => whyVoid(each, now) === null && isNew(each)) ??
    all.findLast((each) => isRefusal(each, question) && isNew(each));
  const last = all.findLast((each) => each.state === 'answered' && isAbout(each.question, question));
  const why =
    last?.digest === digest
      ? (changeSince(last) ?? whyVoid(last, now))
      : 'its effects, the policies, the folder or the isolation differ from those of the question';
  const isLost = last?.answer?.answer === 'approve' && !taken.has(last.question.id);
  return {
    /** The answer that counts for this call, with the id of its question. */
    given:
      given === undefined || given.answer === null ? null : { id: given.question.id, answer: given.answer },
    /** The question about this call that waits for an answer. */
    waits: same.find(({ state }) => state === 'waiting') ?? null,
    past,
    /** Why the last approval of this call does not count. Null without an approval, and for one that was used. */
    lost: isLost && why !== null ? `the approval of ${last.question.id} does not count: ${why}` : null,
  };
}

/** A refusal holds for the rest of the session, also after changes, unless the person wants to be asked again. */
function isRefusal({ answer, question }: StoredQuestion, of: Question): boolean {
  if (answer === null || answer.answer === 'approve') return false;
  return !('ask_again' in answer && answer.ask_again) && isRefusedWith(sameOf(question), sameOf(of));
}

function sameOf({ chain, tool, args, capabilities }: Question): SameCall {
  return { chain, tool, args, capabilities: capabilities.map(({ capability }) => capability) };
}

function isAbout(one: Question, other: Question): boolean {
  return equalJson([one.chain, one.tool, one.args], [other.chain, other.tool, other.args]);
}

/** Milliseconds for which a person's answer stays valid for the client's next try. */
const longestWait = 10 * 60_000;

/** Why a question has no answer of a person that counts, for ten minutes; null if it has one. */
function whyVoid({ state, answer, closed }: StoredQuestion, now: number): string | null {
  if (state !== 'answered' || answer === null || closed === null) return 'it was not answered';
  if (answer.answer === 'approve' && answer.args !== undefined)
    return 'it has other arguments, and the agent runs its own';
  // An answer from the future: the clock was set back, and the time since is unknown.
  if (closed > now) return 'the clock was set back';
  return closed + longestWait < now ? 'it is older than ten minutes' : null;
}
