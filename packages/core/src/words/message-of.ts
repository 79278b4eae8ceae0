/** What was thrown, in words. Total: anything may be thrown, and a getter may throw again. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'an error without words';
  }
}
