/** The only way in which policies are read, and what `~/` and `./` stand for. */
export interface PolicyWorld {
  /** Rejects when there is no such file, or it cannot be read. */
  read(path: string): Promise<Uint8Array>;
  /** The path without links, for knowing one file by several names. */
  realpath?(path: string): Promise<string>;
  /** The user's home: an absolute, canonical path. */
  readonly home: string;
  /** The root of the run: an absolute, canonical path. */
  readonly root: string;
}
