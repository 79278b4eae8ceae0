import type { Judgement } from './decide.js';
import { decisions } from './decision.js';
import { grouped } from './files-in-words.js';

/** Which member of a file set decided a judgement. */
export interface DecidingMember {
  /** The first of the members with the strictest judgement, in order; null for the unknown members of an open set. */
  readonly path: string | null;
  /** How many members have a judgement as strict. */
  readonly count: number;
  /** How many members there are. The unknown ones of an open set count as one. */
  readonly of: number;
}

/** `/w/src/.env (1 of 1 204 files)`. Not escaped. */
export function memberInWords({ path, count, of }: DecidingMember): string {
  return `${path ?? 'unknown files'} (${grouped(count)} of ${grouped(of)} files)`;
}

type Level = Pick<Judgement, 'decision' | 'answer' | 'answered_by'>;

/** How strict a judgement is: by its decision, then who may answer, then whether something answered. */
export function strictnessOf({ decision, answer, answered_by }: Level): number {
  const who = answer === 'person' ? 2 : 0;
  return decisions.indexOf(decision) * 4 + who + (answered_by === null ? 1 : 0);
}
