import { errorCode } from '@ambit/core';

/** Why a log cannot be opened, written or read. */
type LogErrorCode =
  | 'UNSAFE_FILE'
  | 'LOCKED'
  /** The log does not verify, or no longer would. */
  | 'BROKEN'
  /** An event is longer than a line may be; the log itself is as it was. */
  | 'TOO_LONG'
  /** An event from code has a member that no reader accepts; the log is unchanged. */
  | 'BAD_EVENT'
  /** A write or a sync failed; the log accepts no more events. */
  | 'WRITE_FAILED'
  /** A file of the log was removed, replaced or changed during writing; the log accepts no more events. */
  | 'LOST'
  | 'CLOSED'
  | 'BAD_LINE'
  /** The log is readable, but does not hold the entry that was asked for. */
  | 'NO_ENTRY'
  /** The file became shorter while it was followed. */
  | 'CUT';

export class LogError extends Error {
  override readonly name = 'LogError';
  constructor(
    readonly code: LogErrorCode,
    message: string,
    readonly details: {
      readonly file?: string;
      readonly line?: number;
      readonly cause?: unknown;
      /** Only a person can remove the cause, so waiting is useless. */
      readonly isLasting?: true;
      /** Of a lock whose process cannot be seen from here. */
      readonly holder?: string;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** Null for a missing file. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
}
