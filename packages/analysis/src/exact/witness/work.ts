/** The most steps for one question about all calls: some ten seconds. */
const mostSteps = 6_000_000;

/** What was done for one question, so that none takes for ever: counted, so that an answer does not depend on the machine. */
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

/** Why nothing is known of what was not looked at. */
export const tooMuchAsked = 'all that the policies ask is more than can be looked at';

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}
