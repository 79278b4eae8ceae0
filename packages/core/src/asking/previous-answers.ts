import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { equalJson } from '../words/json.js';
import type { Question } from './question.js';

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

/** An answer with the kind of its question. */
export interface GivenAnswer {
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly previous: PreviousAnswer;
}

export function givenAnswer(
  question: Question,
  { person, at, approved, edited, note }: Omit<PreviousAnswer, 'question' | 'calls' | 'what'>,
): GivenAnswer {
  const asked = new Set(question.asked_by.map(({ capability }) => capability));
  const what = question.capabilities.filter((_, index) => asked.has(index)).map(({ words }) => words);
  const calls = question.calls?.length ?? 1;
  return {
    chain: question.chain,
    tool: question.tool,
    previous: { question: question.id, person, at, approved, calls, what: [...new Set(what)], edited, note },
  };
}

/** How many are shown. */
const most = 3;

/** The answers of people in a run. */
export class AnswersBefore {
  readonly #given: GivenAnswer[] = [];

  /** An answer to several calls counts once. */
  add(given: GivenAnswer): void {
    const { question } = given.previous;
    if (!this.#given.some(({ previous }) => previous.question === question)) this.#given.push(given);
  }

  /** Left out where there are none. */
  of(kind: Pick<Question, 'chain' | 'tool'>): { readonly before?: PreviousAnswers } {
    const alike = this.#given
      .filter(({ chain, tool }) => tool === kind.tool && equalJson(chain, kind.chain))
      .map(({ previous }) => previous);
    const latest = alike.slice(-most).reverse();
    if (!isNonEmpty(latest)) return {};
    const count = (approved: boolean) =>
      alike.reduce((sum, one) => sum + (one.approved === approved ? one.calls : 0), 0);
    return { before: { approved: count(true), refused: count(false), latest } };
  }
}
