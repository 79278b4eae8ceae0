/** The number of tokens, for a person; a model may not have reported one. */
export function tokenText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'unknown';
}
