import type { LogEntry } from '../log/line/line.js';
import type { QuickEntry } from '../log/line/quick-line.js';

interface Call {
  /** Of its latest decision. */
  decision: unknown;
  refused: boolean;
  /** Whether an answer has approved it. */
  approved: boolean;
}

interface Permits {
  /** Whether an entry would be refused. */
  isRefused(entry: LogEntry | QuickEntry): boolean;
  accept(entry: LogEntry | QuickEntry): OutcomeDamage | null;
}

interface OutcomeDamage {
  readonly code: 'OUTCOME_WITHOUT_DECISION';
  readonly message: string;
  readonly expected: string;
  readonly found: string;
}

/** Checks the order of work: an outcome follows a permit, once. */
export function createPermits(): Permits {
  const calls = new Map<string, Call>();
  return {
    isRefused: (entry) =>
      entry.event === 'outcome' &&
      entry.outcome !== 'refused' &&
      !isPermitted(calls.get(entry.call as string)),
    accept: (entry) => {
      const id = entry.call as string;
      const call = calls.get(id);
      if (entry.event === 'decision') {
        // An answer outlives a new decision on the same call (edited arguments, a wait); a block does too.
        const approved = call?.approved === true;
        calls.set(id, { decision: entry.decision, refused: typeof entry.code === 'string', approved });
      } else if (entry.event === 'approval' && call !== undefined) {
        call.approved = entry.approved === true;
      } else if (entry.event === 'outcome') {
        calls.delete(id);
        if (entry.outcome !== 'refused' && !isPermitted(call)) return damage(call, entry);
      }
      return null;
    },
  };
}

function isPermitted(call: Call | undefined): boolean {
  if (call === undefined || call.refused) return false;
  return call.decision === 'pre_approved' || (call.decision === 'needs_approval' && call.approved);
}

function damage(call: Call | undefined, entry: LogEntry | QuickEntry): OutcomeDamage {
  const found =
    call === undefined
      ? 'no decision'
      : call.refused
        ? 'a refusal'
        : `${JSON.stringify(call.decision)}, not approved`;
  return {
    code: 'OUTCOME_WITHOUT_DECISION',
    message: `call \`${entry.call as string}\` ran without being permitted`,
    expected: 'a decision before it: pre_approved, or needs_approval and an approval',
    found,
  };
}
