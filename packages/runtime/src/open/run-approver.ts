import type { Answer, Approver, LogEvent, Question } from '@ambit/core';
import { asApprover } from '../approvers/approver-function.js';
import { bindingDigest } from '../approvers/binding-digest.js';
import type { Parking } from '../approvers/parking.js';
import { storeApprover } from '../approvers/store-approver.js';
import type { Store } from '../store/store.js';
import type { OpenOptions } from './open-options.js';
import type { Records } from './records.js';

/** Null for none. */
export function runApprover(
  { mode, approver, park = false, wait = false }: OpenOptions,
  of: {
    readonly records: Records;
    readonly parking: Parking;
    readonly now: () => number;
    readonly policies: () => readonly string[];
  },
): Approver | null {
  // A person who parks a run cannot be asked.
  const here = park ? null : asApprover(approver);
  if (mode !== 'interactive' || (here === null && !park && !wait)) return here;
  const { records, parking, now, policies } = of;
  return storeApprover(records.store, {
    run: records.id,
    digestOf: (question) => bindingDigest(question, policies()),
    now,
    here,
    whileWaiting: parking.activity.waiting,
    isParked: parking.isParked,
  });
}

/** A person's stored answer to this question; null for none. */
export function givenBefore(
  store: Pick<Store, 'question'>,
  policies: () => readonly string[],
): (question: Question) => Promise<Answer | null> {
  return async (question) => {
    const found = await store.question(question.id);
    if (found === null || found.state !== 'answered') return null;
    return found.digest === bindingDigest(question, policies()) ? found.answer : null;
  };
}

export function createPolicyDigests(begun: readonly { readonly sha256: string }[]): {
  readonly take: (event: LogEvent) => void;
  readonly now: () => readonly string[];
} {
  const digests = new Set(begun.map(({ sha256 }) => sha256));
  return {
    take(event) {
      if (event.event !== 'policy' || event.problems !== undefined) return;
      for (const { sha256, observed } of event.files) if (observed !== true) digests.add(sha256);
    },
    now: () => [...digests],
  };
}
