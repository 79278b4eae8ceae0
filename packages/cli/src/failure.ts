import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LogError, NotRegularError } from '@ambit/audit';
import { counted, jsonText, messageOf, nearest, orNull, printableLines, systemWords } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import { type Host, write } from './host.js';

/** The exit codes: success; bad news; the command or a file cannot be used; of `decide --exit-code`. */
export const exits = { done: 0, bad: 1, unusable: 2, asks: 3, blocks: 4 } as const;
export type Exit = (typeof exits)[keyof typeof exits];

/** A command or a file that cannot be used, or a broken log: one line, a hint and the exit code. Not escaped. */
export class UnusableError extends Error {
  override readonly name: string = 'UnusableError';
  constructor(
    message: string,
    readonly hint: string | null = null,
    readonly exit: Exit = exits.unusable,
  ) {
    super(message);
  }
}

export class UnloadableError extends UnusableError {
  override readonly name = 'UnloadableError';
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    /** One text for each mistake or group of mistakes; not escaped. */
    readonly report: readonly string[],
    count = diagnostics.length,
  ) {
    super(`nothing was done: ${counted(count, 'mistake')}`);
  }
}

export async function sayFailure(
  error: unknown,
  { argv, host }: { readonly argv: readonly string[]; readonly host: Host },
): Promise<Exit> {
  const { message, hint } = failureOf(error);
  const unloadable = isUnloadable(error) ? error : null;
  if (argv.includes('--json')) {
    const diagnostics = unloadable === null ? {} : { diagnostics: unloadable.diagnostics };
    await write(host.stdout, `${jsonText({ error: { message, hint, ...diagnostics } })}\n`);
  }
  const lines = [
    ...(unloadable === null ? [] : [`${unloadable.report.join('\n\n')}\n`]),
    `ambit: ${message}`,
    ...(hint === null ? [] : [`hint: ${hint}`]),
  ];
  await write(host.stderr, `${printableLines(lines.join('\n'))}\n`);
  return asUnusable(error)?.exit ?? exits.unusable;
}

/** Ends the process after an uncaught error, with one line instead of a stack. */
export function endBadly(error: unknown): never {
  const { message, hint } = failureOf(error);
  const advice = asUnusable(error) !== null ? hint : 'this is a bug in ambit; please report it';
  process.stderr.write(`ambit: ${message.replace(/[^\x20-\x7e]/g, '?')}\nhint: ${advice}\n`);
  process.exit(exits.unusable);
}

function failureOf(error: unknown): { readonly message: string; readonly hint: string | null } {
  const unusable = asUnusable(error);
  if (unusable !== null) return unusable;
  if (isNamed<NotRegularError>(error, 'NotRegularError'))
    return { message: `${error.path}: ${error.message}`, hint: 'give a regular file' };
  const failing = (error instanceof Error ? error : {}) as NodeJS.ErrnoException & { hint?: string };
  const { path, code = '', syscall, hint = null } = failing;
  const words = systemWords(error);
  if (words !== null) {
    // Where a folder cannot be created, no file is missing.
    const isMissing = code === 'ENOENT' && syscall !== 'mkdir';
    const near = isMissing && path !== undefined ? nearFile(path) : null;
    const known = isMissing || code !== 'ENOENT' ? systemHints[code] : systemHints.EROFS;
    const folder = isMissing && path !== undefined ? dirname(path) : null;
    const lacking =
      folder === null || existsSync(folder) ? (known ?? null) : `the folder ${folder} is missing`;
    const advice = near === null ? lacking : `did you mean ${near}?`;
    return { message: path === undefined ? words : `${path}: ${words}`, hint: advice };
  }
  return { message: messageOf(error).split('\n', 1)[0] ?? '', hint };
}

const ofReading: readonly string[] = ['UNSAFE_FILE', 'BROKEN', 'BAD_LINE', 'NO_ENTRY', 'CUT'];

/** A damaged log is bad news; a file that is not a log cannot be used. Null for an error that has no hint of its own. */
function asUnusable(error: unknown): UnusableError | null {
  if (isNamed<UnusableError>(error, 'UnusableError') || isUnloadable(error)) return error;
  if (!isNamed<LogError>(error, 'LogError') || !ofReading.includes(error.code)) return null;
  if (error.code === 'UNSAFE_FILE') return new UnusableError(error.message, 'a log is a file NAME.jsonl');
  return new UnusableError(error.message, `ambit log verify ${error.details.file ?? 'FILE'}`, exits.bad);
}

function isUnloadable(error: unknown): error is UnloadableError {
  return isNamed<UnloadableError>(error, 'UnloadableError');
}

/** The bundle of `decide` reports errors of another bundle, which has its own classes. */
function isNamed<Kind extends Error>(error: unknown, name: Kind['name']): error is Kind {
  return error instanceof Error && error.name === name;
}

/** Why a file cannot be used, without its name. */
export function whyUnusable(error: unknown): string {
  return systemWords(error) ?? messageOf(error);
}

/** The file in the same folder that is probably meant. */
export function nearFile(path: string): string | null {
  const name = basename(path);
  // A link to nothing is there itself.
  const near = orNull(() =>
    nearest(
      name,
      readdirSync(dirname(path)).filter((each) => each !== name),
    ),
  );
  return near === null ? null : join(dirname(path), near);
}

const systemHints: Readonly<Record<string, string>> = {
  ENOENT: 'give one that exists',
  EACCES: 'check its owner and its permissions: ls -ld',
  EISDIR: 'give a file',
  ENOTDIR: 'give a path of which each part but the last is a folder',
  EEXIST: 'give another name',
  ENOSPC: 'make room, or give another place',
  EDQUOT: 'make room, or give another place',
  EROFS: 'give another place',
};
