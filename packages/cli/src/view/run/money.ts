/** How many tokens, for a person; a model may have said nothing that counts. */
export function tokenText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'unknown';
}
