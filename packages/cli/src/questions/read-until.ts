/** When an answer ends: `30m`, `8h` or `2d` from now, or a time with its zone; in words why it is none. Milliseconds since 1970. */
export function readUntil(text: string, now: number): number | string {
  const said = text.trim();
  const [, count, unit] = /^(\d{1,6})\s*([mhd])$/.exec(said) ?? [];
  const until =
    count !== undefined && unit !== undefined
      ? now + Number(count) * (units[unit] ?? Number.NaN)
      : withZone.test(said)
        ? Date.parse(said)
        : Number.NaN;
  if (Number.isNaN(until)) return 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z';
  return until <= now ? 'that time is over already' : until;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Without a zone it would be another time on another machine. */
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;
