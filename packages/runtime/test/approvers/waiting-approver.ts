import type { Answer, Approver, Question } from '@ambit/core';

/** One that answers when it is told, and says when it was cancelled. */
export function waiting() {
  const asked: Question[] = [];
  let [answer, fail]: [(given: Answer) => void, (error: Error) => void] = [() => {}, () => {}];
  let cancelled = 0;
  const approver: Approver = {
    ask: (one, signal) =>
      new Promise((resolve, reject) => {
        asked.push(one);
        [answer, fail] = [resolve, reject];
        signal.addEventListener('abort', () => {
          cancelled += 1;
          reject(signal.reason as Error);
        });
      }),
  };
  return {
    approver,
    asked,
    answer: (given: Answer) => answer(given),
    fail: (why: string) => fail(new Error(why)),
    get cancelled() {
      return cancelled;
    },
  };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 2));
}
