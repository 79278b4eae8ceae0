import { isOpaque } from '../decide/opacity.js';
import type { Capability } from '../words/capability.js';
import { fileSetOf } from '../words/files/file-set.js';

/** How a guarded file differs from what it was when the run began. */
export const guardedChanges = [
  /** It is missing, or is no regular file any more. */
  'gone',
  /** It was missing when the run began. */
  'appeared',
  /** Its path leads to another file. */
  'replaced',
  /** Its content differs. */
  'changed',
  /** It was written during an execution, and has its old content again. */
  'written',
] as const;

/** One guarded file that is not what it was. */
export interface GuardChange {
  /** Absolute. */
  readonly path: string;
  /** `policy file`, `worker file`: for a person. */
  readonly what: string;
  readonly how: (typeof guardedChanges)[number];
}

/** Compares what judges, answers and records a run with what it was when the run began. */
export interface GuardWatch {
  /** All changes. */
  compare(): readonly GuardChange[];
  /** Called before an execution; what it gives is called after it and also counts files that were restored in between. */
  around(): () => readonly GuardChange[];
}

/** Whether an execution may do what its description does not say: an opaque program, or files that are not known. */
export function mayDoMore(capabilities: readonly Capability[]): boolean {
  return capabilities.some(
    ({ name, path }) => isOpaque(name) || (path !== undefined && fileSetOf(path)?.open === true),
  );
}

const words: Readonly<Record<GuardChange['how'], string>> = {
  gone: 'is gone',
  appeared: 'appeared',
  replaced: 'was replaced',
  changed: 'was changed',
  written: 'was written and restored',
};

/** The changes in words, for a person. */
export function changesInWords(changes: readonly GuardChange[]): string {
  const told = changes.slice(0, mostTold).map(({ path, what, how }) => `${what} ${path} ${words[how]}`);
  const more = changes.length - told.length;
  return `${told.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

const mostTold = 3;
