import { setTimeout as wait } from 'node:timers/promises';
import { inStore } from '@ambit/runtime';

/**
 * Waits until a question in the store of this folder is answered, at most until this time in milliseconds since 1970.
 * Where `signal` ends the wait, the question is withdrawn.
 */
export function untilAnswered(
  folder: string,
  question: string,
  { until, signal }: { readonly until: number; readonly signal?: AbortSignal },
): Promise<void> {
  return inStore(folder, async (store) => {
    while (Date.now() < until && (await store.question(question))?.state === 'waiting') {
      if (signal?.aborted === true) return store.withdraw(question, Date.now());
      await wait(200, null, { signal }).catch(() => undefined);
    }
  });
}
