import { errorCode, systemWords } from '@ambit/core';

/** The file system differs from the description; nothing was changed. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** For the model, without the host's paths that system messages hold. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Codes for links, files or folders that were swapped. */
const swapped: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST', 'EISDIR', 'EINVAL', 'ENXIO'];

export function changed(shown: string): ChangedError {
  return new ChangedError(`\`${shown}\` changed after the call was judged; look again, then call again`);
}

export function changedSinceRead(shown: string): FileError {
  return new FileError(`\`${shown}\` changed since it was last read: read it again, then call again`);
}

export function failureOf(error: unknown, shown: string): unknown {
  const code = errorCode(error);
  if (code === null) return error;
  return swapped.includes(code)
    ? changed(shown)
    : new FileError(`\`${shown}\`: ${systemWords(error) ?? code}`);
}
