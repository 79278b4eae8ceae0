/** The number of the last code point that `pointAt` knows. */
export const lastPoint = 0x10ffff - 0x800;

/**
 * A code point, by its number among those that are no half of a pair. With `numberOf` it replaces the unit `binary` of
 * fast-check, which keeps tables of 85 MB, and makes every later start of a process slower.
 */
export function pointAt(number: number): string {
  return String.fromCodePoint(number < 0xd800 ? number : number + 0x800);
}

/** The number of a code point. By it, fast-check puts texts like `__proto__` among others. */
export function numberOf(point: unknown): number {
  const code = typeof point === 'string' ? (point.codePointAt(0) ?? -1) : -1;
  const number = code < 0xd800 ? code : code - 0x800;
  if (number < 0 || pointAt(number) !== point) throw new Error('not one code point');
  return number;
}
