/** About ten seconds. */
const mostSteps = 6_000_000;

/** Counts steps, so that no question takes forever, and answers do not depend on the machine. */
export class Work {
  #steps = 0;

  constructor(readonly most: number = mostSteps) {}

  spend(steps: number): void {
    this.#steps += steps;
  }

  get isDone(): boolean {
    return this.#steps >= this.most;
  }
}

export const tooMuchAsked = 'the policies ask more than can be explored';

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}
