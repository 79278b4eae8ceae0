import { type Admission, reaches, remembered, remembers } from '@ambit/core';

/** A question that others than a person may answer. */
export interface Clause {
  /** The capability of the call; empty if no answer is about one. */
  readonly slot: string;
  readonly workers: boolean;
  /** How long and how far an answer may be kept. */
  readonly kept: readonly [number, number] | null;
  readonly unattended: boolean;
}

export function clauseOf(admits: Admission, slot: string, workers: boolean): Clause {
  const [remember, reach] = [remembers.indexOf(admits.remember), reaches.indexOf(admits.reach)];
  const kept = remember === 0 || reach === 0 ? null : ([remember, reach] as const);
  return { slot: workers || kept !== null ? slot : '', workers, kept, unattended: admits.unattended };
}

/** Distinct clauses, by number. */
export class Clauses {
  readonly #list: Clause[] = [];
  readonly #ids = new Map<string, number>();

  get(id: number): Clause {
    return this.#list[id] as Clause;
  }

  intern(clause: Clause): number {
    return remembered(this.#ids, JSON.stringify(clause), () => this.#list.push(clause) - 1);
  }

  /** Without clauses that the answer to another one answers. */
  hardest(ids: readonly number[]): readonly number[] {
    return [...ids]
      .sort((one, other) => one - other)
      .filter((id) => !ids.some((other) => other !== id && this.#isHarder(other, id)));
  }

  /** Whether whatever answers all of `those` answers all of these. */
  areAnsweredWith(these: readonly number[], those: readonly number[]): boolean {
    return these.every((id) => those.some((other) => other === id || this.#isHarder(other, id)));
  }

  /** Whether every answer to the first also answers the second. */
  #isHarder(one: number, other: number): boolean {
    const [hard, soft] = [this.get(one), this.get(other)];
    if (hard.unattended && !soft.unattended) return false;
    if (!hard.workers && hard.kept === null) return true;
    return (
      hard.slot === soft.slot &&
      (soft.workers || !hard.workers) &&
      (hard.kept === null ||
        (soft.kept !== null && soft.kept[0] >= hard.kept[0] && soft.kept[1] >= hard.kept[1]))
    );
  }
}
