/** A mistake that an author can make. */
export interface CodeDescription {
  readonly title: string;
  /** A file that has it; in words, as a comment, where a page cannot show it. */
  readonly avoid: string;
  /** What to write instead. */
  readonly prefer: string;
  readonly why: string;
}
