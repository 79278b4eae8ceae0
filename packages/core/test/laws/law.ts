import fc from 'fast-check';
import type { Engine } from '../engine.js';

/** A general truth about deciding: a sentence, and what has to hold for an engine in every case. */
export interface Law {
  /** Word for word as in `docs/semantics.md`. */
  readonly title: string;
  /** Looks for a counterexample. */
  readonly check: (engine: Engine, parameters: fc.Parameters<unknown>) => Promise<fc.RunDetails<unknown>>;
}

/** `holds` gives false, or throws, where an engine breaks the law. */
export function law<Sample>(
  title: string,
  samples: fc.Arbitrary<Sample>,
  holds: (engine: Engine, sample: Sample) => boolean | Promise<boolean>,
): Law {
  return {
    title,
    check: async (engine, parameters) =>
      fc.check(
        fc.asyncProperty(samples, async (sample) => holds(engine, sample)),
        parameters as fc.Parameters<[Sample]>,
      ) as Promise<fc.RunDetails<unknown>>,
  };
}
