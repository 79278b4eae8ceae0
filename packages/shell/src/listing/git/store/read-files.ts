import { readdirSync } from 'node:fs';
import { errorCode } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';

/** The names in a folder; none if it is missing. Throws if it cannot be read. */
export function namesAt(folder: string): readonly string[] {
  return orMissing(() => readdirSync(folder), []);
}

/** The text of a file; empty if it is missing. Throws if it cannot be read. */
export function textAt(path: string): string {
  return orMissing(() => readPlain(path).toString(), '');
}

/** The text of a file: null if the file is missing, undefined if it is longer than `mostBytes` or cannot be read. */
export function smallText(path: string, mostBytes: number): string | null | undefined {
  try {
    return readPlain(path, mostBytes).toString();
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : undefined;
  }
}

function orMissing<Found>(read: () => Found, missing: Found): Found {
  try {
    return read();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return missing;
    throw error;
  }
}
