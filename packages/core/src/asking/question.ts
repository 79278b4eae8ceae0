import type { Judgement } from '../decide/decide.js';
import type { Keeping } from '../decide/grant.js';
import type { Origin } from '../decide/origin.js';
import type { Preview } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import type { JsonObject } from '../words/json.js';
import type { PreviousAnswers } from './previous-answers.js';

/** What happens to a call that needs approval: the mode answers, an approver is asked, or it is refused. */
export const modes = ['approve_all', 'interactive', 'strict'] as const;
export type Mode = (typeof modes)[number];

/** Everything that a person is shown, as data; whoever shows it escapes it. */
export interface Question {
  readonly id: string;
  /** The id of the call in the log. */
  readonly call: string;
  /** The ids of all calls that this is asked about, which are equal: the answer is for each of them. Left out where it is one. */
  readonly calls?: NonEmpty<string>;
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  /** The call in a sentence, in the tool's words. */
  readonly summary: string | null;
  readonly args: JsonObject;
  readonly capabilities: NonEmpty<{
    readonly capability: Capability;
    readonly words: string;
    /** Who says so, where it is not the tool. */
    readonly origin?: Origin;
  }>;
  /** The judgements that nothing has answered: why this is asked. */
  readonly asked_by: readonly Judgement[];
  /** Which of several questions about the call this is; left out where it is the only one. A refusal of one ends them all. */
  readonly part?: { readonly number: number; readonly of: number };
  readonly reason: string | null;
  readonly instead: string | null;
  /** How long and how far an answer may be kept, at most; null where it holds for this call alone. */
  readonly keep: Omit<Keeping, 'until'> | null;
  readonly preview: Preview | null;
  /** What was wrong with arguments that were edited, what changed since the last question about this call, or who refused it before. */
  readonly again: string | null;
  /** The call had begun before the run was interrupted, and what came of it is not known; left out where not. */
  readonly begun?: true;
  /** What people have answered to questions of the same kind in this run; left out where they have not. */
  readonly before?: PreviousAnswers;
}

export type Answer =
  | {
      readonly answer: 'approve';
      readonly person: string;
      /** For this call alone where left out. */
      readonly keep?: Keeping;
      /** Arguments to use instead; they are checked, described and judged afresh. */
      readonly args?: JsonObject;
    }
  | {
      readonly answer: 'refuse';
      readonly person: string;
      readonly note?: string;
      /** Asks again when the same call comes back, which is refused for the rest of the run otherwise. */
      readonly ask_again?: boolean;
    }
  /** Refuses, and ends the run. */
  | { readonly answer: 'stop'; readonly person: string; readonly note?: string };

/** Puts questions to people. Anything it gives but an `Answer` refuses the call, as does throwing. */
export interface Approver {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
