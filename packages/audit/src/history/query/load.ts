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

export interface RuleLoad extends Readonly<Tally> {
  readonly rule: string;
  readonly per_hour: number;
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

/** How often something was asked, and what people answered. */
export interface Tally {
  questions: number;
  approved: number;
  refused: number;
  /** Approvals within two seconds. */
  at_once: number;
}

/** `hours`: the questions of each hour with calls. Of the rules, the most asked first. */
export function loadOf(
  hours: ReadonlyMap<string, number>,
  rules: readonly (readonly [rule: string, Tally])[],
): Load {
  const [busiest] = [...hours].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
  const questions = [...hours.values()].reduce((sum, count) => sum + count, 0);
  const perHour = (count: number) => ratio(count, hours.size);
  return {
    questions,
    hours: hours.size,
    per_hour: perHour(questions),
    busiest: busiest === undefined || busiest[1] === 0 ? null : { hour: busiest[0], questions: busiest[1] },
    rules: rules.map(([rule, tally]) => ({
      rule,
      per_hour: perHour(tally.questions),
      ...tally,
      hardly_read: isHardlyRead(tally),
    })),
  };
}

/** To two decimals; 0 if there is nothing to relate to. */
export function ratio(of: number, to: number): number {
  return to === 0 ? 0 : Math.round((of / to) * 100) / 100;
}

function isHardlyRead({ approved, refused, at_once }: Tally): boolean {
  const answers = approved + refused;
  return answers >= fewest && at_once * 10 > answers * 9;
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
