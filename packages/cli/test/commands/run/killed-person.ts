import type { Answer } from '@ambit/core';
import { openStateFolder, openStore, type Store, type StoredQuestion } from '@ambit/runtime';
import { ledgerOf } from '../../../../runtime/test/killed/ledger.js';
import type { Place } from './killed-place.js';

/** Answers waiting questions at random times, and remembers the answers. */
export class Person {
  /** Calls by what was asked about them. */
  readonly answered = new Set<string>();
  readonly wrong: string[] = [];

  constructor(
    readonly store: Store,
    readonly place: Place,
    readonly random: () => number,
  ) {}

  static async at(place: Place, random: () => number): Promise<Person> {
    return new Person(await openStore(await openStateFolder(place.environment, place.root)), place, random);
  }

  get counts() {
    const unknown = [...this.answered].filter((about) => about.includes(' ')).length;
    return { answers: this.answered.size - unknown, unknown };
  }

  async look(): Promise<void> {
    for (const question of await this.store.questions())
      if (question.state === 'waiting' && this.random() < 0.5) await this.#answer(question);
  }

  async #answer({ question, digest }: StoredQuestion): Promise<void> {
    const line = question.args.line as string;
    const isUnknown = question.again?.includes('is unknown') === true;
    const about = `${question.call}${isUnknown ? ` ${question.id}` : ''}`;
    if (this.answered.has(about))
      this.wrong.push(`${line} was asked about again: ${JSON.stringify(question)}`);
    // What was kept answers the ones that come after it.
    if (/^kept [23]$/.test(line) && !isUnknown)
      this.wrong.push(`${line} is answered by what was kept, and asked about`);
    if (line.startsWith('free') && !isUnknown) this.wrong.push(`${line} needs no answer, and is asked about`);
    const taken = await this.store.answer(question.id, {
      digest,
      answer: this.#say(line, isUnknown),
      at: Date.now(),
    });
    if (taken === 'taken') this.answered.add(about);
  }

  /** A person who is asked whether to repeat a call checks whether it was done. */
  #say(line: string, isUnknown: boolean): Answer {
    const isDone = isUnknown && ledgerOf(this.place).includes(line);
    if (line === 'no' || isDone) return { answer: 'refuse', person: 'ada' };
    if (line === 'kept 1' && !isUnknown)
      return { answer: 'approve', person: 'ada', keep: { remember: 'run', reach: 'capability' } };
    return { answer: 'approve', person: 'ada' };
  }
}
