import type { Workload } from './workload.js';

/** Something that decides the calls of the first workload. */
export interface Contender {
  readonly name: string;
  /** Rules beyond which it would take the whole day. */
  readonly mostRules: number;
  /** Reads the rules, and returns what says whether the call of this number is allowed. */
  readonly prepare: (workload: Workload) => Promise<Decides> | Decides;
}

export type Decides = (call: number) => boolean;
