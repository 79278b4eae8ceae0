import type { Store } from './store.js';

/** Withdraws what a run that has ended still asks: one that went on in another mode does not ask what it had asked before. */
export async function withdrawQuestions(store: Store, run: string, at: number): Promise<void> {
  for (const { question, state, run: asking } of await store.questions())
    if (asking === run && state === 'waiting') await store.withdraw(question.id, at);
}
