import { isOpaque } from '../decide/policy.js';
import type { Capability } from '../words/capability.js';
import { fileSetOf } from '../words/files/file-set.js';

export const guardedChanges = [
  /** It is missing, or no longer a regular file. */
  'gone',
  'appeared',
  /** Its path leads to another file. */
  'replaced',
  'changed',
  /** It was written and restored during an execution. */
  'written',
] as const;

export interface GuardChange {
  /** Absolute. */
  readonly path: string;
  /** For a person: `policy file`, `worker file`. */
  readonly what: string;
  readonly how: (typeof guardedChanges)[number];
}

export interface GuardWatch {
  compare(): readonly GuardChange[];
  /** Called before an execution; the returned function also reports restored files. */
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

export function changesInWords(changes: readonly GuardChange[]): string {
  const told = changes.slice(0, mostTold).map(({ path, what, how }) => `${what} ${path} ${words[how]}`);
  const more = changes.length - told.length;
  return `${told.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

const mostTold = 3;
