import { isOpaque } from '../decide/opacity.js';
import type { Capability } from '../words/capability.js';
import { fileSetOf } from '../words/files/file-set.js';

/** How a guarded file has changed since the run began. */
export const guardedChanges = [
  /** It is missing, or no longer a regular file. */
  'gone',
  /** It was missing when the run began. */
  'appeared',
  /** Its path leads to another file. */
  'replaced',
  /** Its content differs. */
  'changed',
  /** It was written and restored during an execution. */
  'written',
] as const;

/** One changed guarded file. */
export interface GuardChange {
  /** Absolute. */
  readonly path: string;
  /** `policy file`, `worker file`: for a person. */
  readonly what: string;
  readonly how: (typeof guardedChanges)[number];
}

/** Compares what judges, answers and records a run with its state at the beginning. */
export interface GuardWatch {
  /** All changes. */
  compare(): readonly GuardChange[];
  /** Called before an execution. Call the returned function after it: it also reports restored files. */
  around(): () => readonly GuardChange[];
}

/** Whether an execution may exceed its description: an opaque program, or unknown files. */
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
