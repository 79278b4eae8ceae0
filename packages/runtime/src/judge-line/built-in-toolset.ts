import type { Toolset } from '@ambit/core';
import { shellAt } from '@ambit/shell';
import { filesystemAt, type GuardedPlace, http } from '@ambit/toolsets';

/** Where a built-in toolset works. */
export interface BuiltInPlace {
  /** Real. */
  readonly root: string;
  readonly home: string;
  readonly guarded: readonly GuardedPlace[];
}

/** One built-in toolset. This file is loaded where a call asks for one: its schemas take longer than a decision. */
export function builtInToolset(
  name: 'filesystem' | 'shell' | 'http',
  { root, ...place }: BuiltInPlace,
): Toolset {
  switch (name) {
    case 'filesystem':
      return filesystemAt(root, place);
    case 'shell':
      return shellAt(root, place);
    case 'http':
      return http();
  }
}
