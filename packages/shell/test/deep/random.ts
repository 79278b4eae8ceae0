/**
 * Numbers derived from a seed: the same seed and number give the same line, whatever was generated before.
 */
export class Random {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
    for (let round = 0; round < 4; round += 1) this.next();
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  pick<Kind>(from: readonly Kind[]): Kind {
    const chosen = from[this.below(from.length)];
    if (chosen === undefined) throw new TypeError('nothing to pick from');
    return chosen;
  }

  /** Picks by weight. */
  weighted<Kind>(from: readonly (readonly [number, Kind])[]): Kind {
    let left = this.next() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(from)[1];
  }

  /** Between `least` and `most` values. */
  several<Kind>(least: number, most: number, make: () => Kind): Kind[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
