import type { Toolset } from '@ambit/core';
import { shellAt } from '@ambit/shell';
import { filesystemAt, type GuardedPlace, http } from '@ambit/toolsets';

export interface BuiltInPlace {
  /** Real. */
  readonly root: string;
  readonly home: string;
  readonly guarded: readonly GuardedPlace[];
}

/** Those that need nothing of a run. Loaded when a call needs one: their schemas take longer than a decision. */
export const builtInToolset = {
  filesystem: ({ root, ...place }: BuiltInPlace): Toolset => filesystemAt(root, place),
  shell: ({ root, ...place }: BuiltInPlace): Toolset => shellAt(root, place),
  http: (): Toolset => http(),
};

export type LineToolset = keyof typeof builtInToolset;
