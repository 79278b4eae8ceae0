/** Never throws, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'unknown error';
  }
}

/** The result of work that may throw, and then null. */
export function orNull<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
