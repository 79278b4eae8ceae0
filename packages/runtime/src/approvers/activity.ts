/** Counts what goes on side by side in a run, so that it is known when all of it waits for people. */
export interface Activity {
  /** So many calls at once in the place of one thread of work; what it gives is called as each of them ends. */
  readonly split: (count: number) => () => void;
  /** A thread, or so many of them, waits for a person until the work is done. */
  readonly waiting: <T>(work: Promise<T>, threads?: number) => Promise<T>;
}

/** `onIdle` is called when there is nothing left that does not wait. */
export function createActivity(onIdle: () => void): Activity {
  let threads = 1;
  let waiting = 0;
  const look = () => {
    if (waiting > 0 && waiting >= threads) onIdle();
  };
  return {
    split(count) {
      let left = count;
      threads += count - 1;
      return () => {
        left -= 1;
        // The last one is the thread that goes on.
        if (left === 0) return;
        threads -= 1;
        look();
      };
    },
    async waiting(work, count = 1) {
      waiting += count;
      look();
      try {
        return await work;
      } finally {
        waiting -= count;
      }
    },
  };
}
