/** The message of a thrown value. Never throws, although any value may be thrown and a getter may throw. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'unknown error';
  }
}
