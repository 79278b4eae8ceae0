/** Reads policies, and knows the folders of `~/` and `./`. */
export interface PolicyWorld {
  /** Rejects if the file is missing or unreadable. */
  read(path: string): Promise<Uint8Array>;
  /** The path without links, for knowing one file by several names. */
  realpath?(path: string): Promise<string>;
  /** The user's home: an absolute, canonical path. */
  readonly home: string;
  /** The root of the run: an absolute, canonical path. */
  readonly root: string;
}
