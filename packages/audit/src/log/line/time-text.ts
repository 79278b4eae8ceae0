let second = Number.NaN;
let beginning = '';

/** The time in UTC with milliseconds, RFC 3339; most are of the same second as the one before. */
export function timeText(now: number): string {
  const whole = Math.floor(now / 1000);
  const rest = now - whole * 1000;
  if (whole !== second || !Number.isInteger(rest)) {
    const text = new Date(now).toISOString();
    if (Number.isInteger(rest)) {
      second = whole;
      beginning = text.slice(0, -4);
    }
    return text;
  }
  return `${beginning}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
