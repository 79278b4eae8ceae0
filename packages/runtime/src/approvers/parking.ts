/** The concurrent work of a run: when all of it waits for people, and whether the run is left to be resumed. */
export class Parking {
  /** Why: only people can continue it and parking was requested, or it must end here. */
  readonly whenParked: Promise<string>;
  #parked: (why: string) => void = () => {};
  #isParked = false;
  #threads = 1;
  #waiting = 0;

  constructor(private readonly isWanted: boolean) {
    this.whenParked = new Promise<string>((resolve) => {
      this.#parked = resolve;
    });
  }

  readonly isParked = (): boolean => this.#isParked;

  park(why: string): void {
    this.#isParked = true;
    this.#parked(why);
  }

  /** Replaces one thread of work by several concurrent calls; call the returned function as each ends. */
  readonly split = (count: number): (() => void) => {
    let left = count;
    this.#threads += count - 1;
    return () => {
      left -= 1;
      // The last call continues the thread.
      if (left === 0) return;
      this.#threads -= 1;
      this.#look();
    };
  };

  /** Marks a thread as waiting for a person until the work is done. */
  readonly waiting = async <T>(work: Promise<T>, threads = 1): Promise<T> => {
    this.#waiting += threads;
    this.#look();
    try {
      return await work;
    } finally {
      this.#waiting -= threads;
    }
  };

  #look(): void {
    const isIdle = this.#waiting > 0 && this.#waiting >= this.#threads;
    if (isIdle && this.isWanted) this.park('a question waits for an answer');
  }
}
