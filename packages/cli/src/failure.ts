import { NotRegularError } from '@ambit/audit';
import type { Diagnostic } from '@ambit/policy';

/** The exit codes: nothing wrong; bad news; the call or a file cannot be used. */
export const exits = { done: 0, bad: 1, unusable: 2 } as const;
export type Exit = (typeof exits)[keyof typeof exits];

/** A call, or a file, that cannot be used: one line and a hint, exit code 2. Not escaped. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError';
  constructor(
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

/** Files that do not load: everything that is wrong with them, exit code 2. */
export class UnloadableError extends Error {
  override readonly name = 'UnloadableError';
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    /** What is wrong besides, and stands in no file. Not escaped. */
    readonly others: readonly string[] = [],
  ) {
    const count = diagnostics.length + others.length;
    super(`nothing was done: ${count} ${count === 1 ? 'mistake' : 'mistakes'}`);
  }
}

/** What anything thrown means to a user. Never a stack. */
export function failureOf(error: unknown): { readonly message: string; readonly hint: string | null } {
  if (error instanceof UnusableError) return { message: error.message, hint: error.hint };
  if (error instanceof NotRegularError)
    return { message: `${error.path}: ${error.message}`, hint: 'only a regular file is read here' };
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const path = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  const words = code === undefined ? undefined : systemWords[code];
  if (words !== undefined) return { message: path === undefined ? words : `${path}: ${words}`, hint: null };
  return { message: message.split('\n', 1)[0] ?? '', hint: null };
}

const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'may not be opened: permission denied',
  EPERM: 'may not be opened: not permitted',
  EISDIR: 'is a folder, a file is wanted',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is there already',
  ELOOP: 'goes round in links',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'there is no space left',
  EROFS: 'lies on a file system that is read-only',
  EMFILE: 'too many files are open',
};
