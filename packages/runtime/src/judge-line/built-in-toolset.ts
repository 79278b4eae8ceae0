import type { standaloneToolsets, Toolset } from '@ambit/core';
import { shellAt } from '@ambit/shell';
import { filesystemAt, type GuardedPlace, http } from '@ambit/toolsets';

export interface BuiltInPlace {
  /** Real. */
  readonly root: string;
  readonly home: string;
  readonly guarded: readonly GuardedPlace[];
}

/** Those that need nothing of a run. Loaded when a call needs one: their schemas take longer than a decision. */
export const builtInToolset: Readonly<
  Record<(typeof standaloneToolsets)[number], (place: BuiltInPlace) => Toolset>
> = {
  filesystem: ({ root, ...place }) => filesystemAt(root, place),
  shell: ({ root, ...place }) => shellAt(root, place),
  http: () => http(),
};
