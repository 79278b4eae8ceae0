/** The number of the last code point that `pointAt` knows. */
export const lastPoint = 0x10ffff - 0x800;

/**
 * A code point, by its number among those that are no half of a pair. It replaces the unit `binary` of fast-check,
 * which keeps tables of 85 MB, and makes every later start of a process slower.
 */
export function pointAt(number: number): string {
  return String.fromCodePoint(number < 0xd800 ? number : number + 0x800);
}
