/**
 * Whether a number is exact: finite, without lost digits, without rounding, and without an underflow to zero.
 */
export function isExactly(value: number, written: string | undefined): boolean {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false;
  const decimal = written === undefined ? null : decimalOf(written);
  // Hexadecimal and octal numbers are whole.
  return decimal === null || decimal === decimalOf(String(value));
}

const notation = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

/** The same text for all ways to write one decimal number: its sign, its digits, its power of ten. */
function decimalOf(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] = notation.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  if (all === '') return null;
  const digits = withoutZeros(all);
  // No number that is kept has such a power.
  if (power.length > 20) return text;
  const zeros = all.length - all.search(/[1-9]|$/) - digits.length;
  const exponent = digits === '' ? 0n : BigInt(power) - BigInt(fraction.length) + BigInt(zeros);
  // `-0` is 0.
  return `${sign === '-' && digits !== '' ? '-' : ''}${digits}e${exponent}`;
}

/** Without those at its beginning and its end. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end).replace(/^0+/, '');
}
