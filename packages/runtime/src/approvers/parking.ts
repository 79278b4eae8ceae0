/** Whether a run is left as it is, to be resumed. */
export interface Parking {
  readonly activity: Activity;
  /** Why: only people can continue it and parking was requested, or it must end here. */
  readonly whenParked: Promise<string>;
  readonly isParked: () => boolean;
  readonly park: (why: string) => void;
}

export function createParking(isWanted: boolean): Parking {
  let isParked = false;
  let parked: (why: string) => void = () => {};
  const whenParked = new Promise<string>((resolve) => {
    parked = resolve;
  });
  const park = (why: string) => {
    isParked = true;
    parked(why);
  };
  const activity = createActivity(() => {
    if (isWanted) park('a question waits for an answer');
  });
  return { activity, whenParked, isParked: () => isParked, park };
}

/** Counts the concurrent work of a run, to know when all of it waits for people. */
export interface Activity {
  /** Replaces one thread of work by several concurrent calls; call the returned function as each ends. */
  readonly split: (count: number) => () => void;
  /** Marks a thread as waiting for a person until the work is done. */
  readonly waiting: <T>(work: Promise<T>, threads?: number) => Promise<T>;
}

function createActivity(onIdle: () => void): Activity {
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
        // The last call continues the thread.
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
