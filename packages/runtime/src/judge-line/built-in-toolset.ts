import type { Toolset } from '@ambit/core';
import { shellAt } from '@ambit/shell';
import { filesystemAt, type GuardedPlace, http } from '@ambit/toolsets';

export interface BuiltInPlace {
  /** Real. */
  readonly root: string;
  readonly home: string;
  readonly guarded: readonly GuardedPlace[];
}

/** Toolsets that need nothing of a run. */
export type LineToolset = 'filesystem' | 'shell' | 'http';

/** Loaded when a call needs it: its schemas take longer than a decision. */
export function builtInToolset(name: LineToolset, { root, ...place }: BuiltInPlace): Toolset {
  switch (name) {
    case 'filesystem':
      return filesystemAt(root, place);
    case 'shell':
      return shellAt(root, place);
    case 'http':
      return http();
  }
}
