import type { Keeping, KeptAnswer } from '../decide/grant.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { equalJson } from '../words/json.js';
import type { Keeper } from './asked-call.js';
import type { PreviousAnswer, PreviousAnswers, Question } from './question.js';
import { type RefusedCall, RefusedCalls, type SameCall } from './refused-calls.js';

/** What people had answered before a run was interrupted. */
export interface EarlierAnswers {
  readonly kept: readonly KeptAnswer[];
  readonly refused: readonly (SameCall & Pick<RefusedCall, 'person' | 'note' | 'askAgain'>)[];
  readonly answers: readonly GivenAnswer[];
  /** An answer covers only the shown calls. */
  readonly shown?: readonly (readonly string[])[];
}

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

export class Memory {
  /** Refusals by people: identical calls are refused from then on. */
  readonly refused = new RefusedCalls();
  readonly answers = new AnswersBefore();
  readonly #kept: KeptAnswer[] = [];
  readonly #keeper: Keeper | undefined;
  #answersKept = 0;

  constructor(keeper: Keeper | undefined, earlier: EarlierAnswers | undefined) {
    this.#keeper = keeper;
    this.#kept.push(...(earlier?.kept ?? []).filter((kept) => !this.#isKeptElsewhere(kept)));
    for (const each of earlier?.answers ?? []) this.answers.add(each);
    for (const call of earlier?.refused ?? []) this.refused.add(call, call);
  }

  get kept(): readonly KeptAnswer[] {
    return this.#kept;
  }

  get answersKept(): number {
    return this.#answersKept;
  }

  keep(answer: KeptAnswer): void {
    this.#answersKept += 1;
    if (!this.#isKeptElsewhere(answer)) this.#kept.push(answer);
  }

  /** Longer kept answers may be revoked during the run, so the keeper is asked each time. */
  #isKeptElsewhere({ remember }: Keeping): boolean {
    return remember === 'always' && this.#keeper !== undefined;
  }
}

const most = 3;

/** Answers to questions of the same kind. */
class AnswersBefore {
  readonly #given: GivenAnswer[] = [];

  /** An answer to several calls counts once. */
  add(given: GivenAnswer): void {
    const { question } = given.previous;
    if (!this.#given.some(({ previous }) => previous.question === question)) this.#given.push(given);
  }

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
