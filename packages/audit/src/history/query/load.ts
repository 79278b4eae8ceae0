import { remembered } from '@ambit/core';
import type { Learning } from '../learn/learning.js';
import { capabilityInWords } from '../learn/proposed-rule.js';

/** How much people are asked, by hour and by rule. */
export interface Load {
  readonly questions: number;
  /** Hours of the clock (UTC) in which a call was made. */
  readonly hours: number;
  readonly per_hour: number;
  /** The hour with the most questions, `2026-11-20T10`; null without questions. */
  readonly busiest: { readonly hour: string; readonly questions: number } | null;
  /** Most questions first. A question that several rules ask counts for each. */
  readonly rules: readonly RuleLoad[];
}

export interface RuleLoad {
  readonly rule: string;
  readonly questions: number;
  readonly per_hour: number;
  readonly approved: number;
  readonly refused: number;
  /** Approvals within two seconds. */
  readonly at_once: number;
  /** Whether more than nine of ten answers are such approvals: the questions are hardly read. */
  readonly hardly_read: boolean;
}

export interface LearntLoad {
  readonly saves: number;
  readonly rules: readonly {
    readonly words: string;
    readonly saves: number;
    /** Examples in words. */
    readonly newly_allows: readonly string[];
  }[];
}

/** An approval faster than this was hardly read. */
export const atOnce = 2000;

/** With fewer answers, no habit is visible. */
const fewest = 5;

interface Tally {
  questions: number;
  approved: number;
  refused: number;
  at_once: number;
}

interface Asked {
  readonly time: string;
  readonly rules: readonly string[];
}

export class LoadCounter {
  readonly #hours = new Map<string, number>();
  readonly #rules = new Map<string, Tally>();
  #questions = 0;

  call(time: string): void {
    const hour = hourOf(time);
    this.#hours.set(hour, this.#hours.get(hour) ?? 0);
  }

  question({ time, rules }: Asked): void {
    const hour = hourOf(time);
    this.#questions += 1;
    this.#hours.set(hour, (this.#hours.get(hour) ?? 0) + 1);
    for (const rule of rules) this.#tally(rule).questions += 1;
  }

  /** A person's. */
  answer(
    { rules }: Asked,
    { approved, after }: { readonly approved: boolean; readonly after: number },
  ): void {
    for (const rule of rules) {
      const tally = this.#tally(rule);
      tally[approved ? 'approved' : 'refused'] += 1;
      if (approved && after <= atOnce) tally.at_once += 1;
    }
  }

  #tally(rule: string): Tally {
    return remembered(this.#rules, rule, () => ({ questions: 0, approved: 0, refused: 0, at_once: 0 }));
  }

  load(): Load {
    const hours = [...this.#hours].sort(
      ([one, many], [other, more]) => more - many || (one < other ? -1 : 1),
    );
    const [busiest] = hours;
    const perHour = (count: number) => ratio(count, hours.length);
    return {
      questions: this.#questions,
      hours: hours.length,
      per_hour: perHour(this.#questions),
      busiest: busiest === undefined || busiest[1] === 0 ? null : { hour: busiest[0], questions: busiest[1] },
      rules: [...this.#rules]
        .sort(([one, many], [other, more]) => more.questions - many.questions || (one < other ? -1 : 1))
        .map(([rule, tally]) => ({
          rule,
          per_hour: perHour(tally.questions),
          ...tally,
          hardly_read: isHardlyRead(tally),
        })),
    };
  }
}

/** To two decimals; 0 if there is nothing to relate to. */
export function ratio(of: number, to: number): number {
  return to === 0 ? 0 : Math.round((of / to) * 100) / 100;
}

function isHardlyRead({ approved, refused, at_once }: Tally): boolean {
  const answers = approved + refused;
  return answers >= fewest && at_once * 10 > answers * 9;
}

function hourOf(time: string): string {
  return time.slice(0, 13);
}

export function learntLoad({ answered, proposals }: Learning): LearntLoad {
  return {
    saves: answered,
    rules: proposals.map(({ words, saves, covers }) => ({
      words,
      saves,
      newly_allows: covers.map(({ capability }) => capabilityInWords(capability)),
    })),
  };
}
