import type { Head } from '../log/line/head.js';
import { damageOf } from '../log/line/parse-line.js';
import type { Damage } from './verification.js';

interface Call {
  decision: string | null;
  refused: boolean;
  /** Whether an answer has approved it. */
  approved: boolean;
}

/** Checks the order of work: an outcome follows a permit, once. */
export class Permits {
  readonly #calls = new Map<string, Call>();

  accept({ event, call: id, decision, code, approved, outcome }: Head): Damage | null {
    if (id === null) return null;
    const call = this.#calls.get(id);
    if (event === 'decision') {
      // An answer outlives a new decision on the same call (edited arguments, a wait); a block does too.
      this.#calls.set(id, { decision, refused: code !== null, approved: call?.approved === true });
    } else if (event === 'approval' && call !== undefined) {
      call.approved = approved;
    } else if (event === 'outcome') {
      this.#calls.delete(id);
      if (outcome !== 'refused' && !isPermitted(call)) return damage(call, id);
    }
    return null;
  }
}

function isPermitted(call: Call | undefined): boolean {
  if (call === undefined || call.refused) return false;
  return call.decision === 'pre_approved' || (call.decision === 'needs_approval' && call.approved);
}

function damage(call: Call | undefined, id: string): Damage {
  const found =
    call === undefined
      ? 'no decision'
      : call.refused
        ? 'a refusal'
        : `${JSON.stringify(call.decision)}, not approved`;
  return damageOf('OUTCOME_WITHOUT_DECISION', `call \`${id}\` ran without being permitted`, {
    expected: 'a decision before it: pre_approved, or needs_approval and an approval',
    found,
  });
}
