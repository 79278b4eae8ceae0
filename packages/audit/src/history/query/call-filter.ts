import { isWithin } from '@ambit/core';
import type { CallRow } from './call-row.js';

/** A query for calls: all conditions must hold, and one of each list. */
export interface CallFilter {
  /** Milliseconds since 1970, UTC; both ends included. */
  readonly since?: number;
  readonly until?: number;
  /** Anywhere in the chain. */
  readonly worker?: readonly string[];
  /** A full name, or a toolset. */
  readonly tool?: readonly string[];
  /** A name, or one above it. */
  readonly capability?: readonly string[];
  /** A decision; `none` for a refusal before the judgement. */
  readonly decision?: readonly string[];
  /** The id of a rule that applied. */
  readonly rule?: readonly string[];
  /** Whose answer counts for it, also one kept from an earlier call. */
  readonly person?: readonly string[];
  /** `completed`, `failed`, `open`, or the code of a refusal. */
  readonly outcome?: readonly string[];
}

export function matchesFilter(row: CallRow, filter: CallFilter): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  const time = Date.parse(row.time);
  const workers = row.chain.split(' > ');
  return (
    time >= since &&
    time <= until &&
    any(filter.worker, (worker) => workers.includes(worker)) &&
    any(filter.tool, (tool) => isWithin(row.tool, tool)) &&
    any(filter.capability, (name) => row.capabilities.some((one) => isWithin(one, name))) &&
    any(filter.decision, (decision) => (row.decision ?? 'none') === decision) &&
    any(filter.rule, (rule) => row.applied.includes(rule) || row.rules.includes(rule)) &&
    any(filter.person, (person) => row.answer?.who === person || row.people.includes(person)) &&
    any(filter.outcome, (outcome) => (row.outcome ?? 'open') === outcome)
  );
}

function any(wanted: readonly string[] | undefined, holds: (one: string) => boolean): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.some(holds);
}
