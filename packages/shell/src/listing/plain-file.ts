import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs';

/** The bytes of a regular file; throws where something else is there. */
export function readPlain(path: string): Buffer {
  const file = openPlain(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** A descriptor of a regular file, to read from. Opening a pipe would wait, and the whole process with it. */
export function openPlain(path: string): number {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}
