/** A construct that `docs/command-lines.md` does not describe: it and everything that can run after it is opaque. */
export class Outside extends Error {
  override readonly name = 'Outside';

  /**
   * `why` completes "it is unknown what this does: …"; `written` is the construct as written; `place` says where it is in
   * the login files.
   */
  constructor(
    readonly why: string,
    readonly written: string,
    readonly place?: string,
  ) {
    super(why);
  }
}
