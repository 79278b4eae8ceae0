/** What is found below a folder. Real folders are walked; links are listed and never followed. */
export interface Entry {
  /** Absolute and real. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** How deep below the start: 0 for the start itself. */
  readonly depth: number;
}

export interface Listed {
  /** The start first, folders before what is in them, names in byte order. */
  readonly entries: readonly Entry[];
  /** Whether it is incomplete: a folder that cannot be read, a name that is not UTF-8, more than the limit. */
  readonly isOpen: boolean;
  /** Why it is incomplete, for people; null where it is complete. */
  readonly why: string | null;
}

export interface ListOptions {
  /** Deepest level that is listed; the start is 0. */
  readonly depth?: number;
  /** Folders that are listed themselves and not entered. */
  readonly skip?: (entry: Entry) => boolean;
}

/** Looks at the file system for one call. Each folder is read once, and again only where it changed. */
export interface Listing {
  /** Everything at and below a real folder, or the file alone. */
  below(real: string, options?: ListOptions): Listed;
  /** The names right in a real folder, in byte order; null where it cannot be read or is none. */
  names(real: string): readonly Entry[] | null;
}

/** The most entries that are listed for one command line. */
export const mostEntries = 250_000;
