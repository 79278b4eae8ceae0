/** The figures of one package. Each list names the places that it counts. */
export interface HouseFigures {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** Lines of the longest file. */
  readonly longest: number;
  /** Folders with more than 15 files. */
  readonly bigFolders: readonly string[];
  readonly circles: readonly string[];
  /** Files under 45 lines that a single file imports. */
  readonly smallFiles: readonly string[];
  /** Public exports that no other package uses and no document shows. */
  readonly unusedExports: readonly string[];
}

/** Counts what makes the code easy or hard to enter, for every package. */
export declare function measureHouse(): readonly HouseFigures[];

/** Prints the figures as a table; `--list` adds the places that they count. */
export declare function house(args: readonly string[]): void;
