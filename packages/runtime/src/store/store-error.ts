/** `NOT_LOADED`: the database cannot be loaded here; `REFUSED`: the new data conflict with stored data. */
export type StoreErrorCode =
  | 'NOT_LOADED'
  | 'UNSAFE_FILE'
  | 'DAMAGED'
  | 'NEWER'
  | 'LOCKED'
  | 'FAILED'
  | 'REFUSED';

/** Why a store cannot be used, or failed; the message names the file and a remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function damaged(file: string, why: string): StoreError {
  return new StoreError(
    'DAMAGED',
    `${file} is damaged (${why}): put it back from a backup, or move it away, and a new one is made without the runs, questions and kept answers in it`,
  );
}
