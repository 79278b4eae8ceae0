/** `NOT_LOADED`: the database itself cannot be loaded here; `REFUSED`: what was to be stored does not fit what is there. */
export type StoreErrorCode =
  | 'NOT_LOADED'
  | 'UNSAFE_FILE'
  | 'DAMAGED'
  | 'NEWER'
  | 'LOCKED'
  | 'FAILED'
  | 'REFUSED';

/** Why a store cannot be used, or did not do what was asked; the message names the file and says what to do. */
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
