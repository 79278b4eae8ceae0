import type { Keeping } from '../decide/grant.js';
import type { Judgement } from '../decide/judgement.js';
import type { Origin } from '../decide/origin.js';
import type { Preview } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import type { JsonObject } from '../words/json.js';

/** How questions are answered: by the mode, by an approver, or with a refusal. */
export const modes = ['approve_all', 'interactive', 'strict'] as const;
export type Mode = (typeof modes)[number];

/** Everything that a person is shown, as data. The display escapes it. */
export interface Question {
  readonly id: string;
  /** The id of the call in the log. */
  readonly call: string;
  /** The ids of all equal calls of this question: the answer is for each. Absent for a single call. */
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
    /** The origin, if it is not the tool. */
    readonly origin?: Origin;
  }>;
  /** The open judgements: why this is asked. */
  readonly asked_by: readonly Judgement[];
  /**
   * The number of this question about the call; absent if it is the only one. A refusal of one ends them all.
   */
  readonly part?: { readonly number: number; readonly of: number };
  readonly reason: string | null;
  readonly instead: string | null;
  /** The limits for keeping an answer; null if it holds for this call only. */
  readonly keep: Omit<Keeping, 'until'> | null;
  readonly preview: Preview | null;
  /**
   * The reason for asking again: a mistake in edited arguments, a change since the last question, or an
   * earlier refusal.
   */
  readonly again: string | null;
  /** Present if the call had begun before the run was interrupted, with an unknown outcome. */
  readonly begun?: true;
  /** Earlier answers to questions of the same kind in this run; absent if there are none. */
  readonly before?: PreviousAnswers;
}

/** An earlier answer of a person, shown with the next question of the same kind. */
export interface PreviousAnswer {
  /** The id of its question. */
  readonly question: string;
  readonly person: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly approved: boolean;
  /** The number of equal calls. */
  readonly calls: number;
  /** The question in words. */
  readonly what: readonly string[];
  readonly edited: boolean;
  readonly note: string | null;
}

/** Earlier answers about this tool for the same chain in this run. */
export interface PreviousAnswers {
  /** The numbers of approved and refused calls. */
  readonly approved: number;
  readonly refused: number;
  /** The last few, the latest first. */
  readonly latest: NonEmpty<PreviousAnswer>;
}

export type Answer =
  | {
      readonly answer: 'approve';
      readonly person: string;
      /** Without it, for this call only. */
      readonly keep?: Keeping;
      /** Arguments to use instead; they are checked, described and judged afresh. */
      readonly args?: JsonObject;
    }
  | {
      readonly answer: 'refuse';
      readonly person: string;
      readonly note?: string;
      /** Ask again when the same call comes back. Otherwise it is refused for the rest of the run. */
      readonly ask_again?: boolean;
    }
  /** Refuses, and ends the run. */
  | { readonly answer: 'stop'; readonly person: string; readonly note?: string };

/** Asks people. If it throws or returns something else than an `Answer`, the call is refused. */
export interface Approver {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
