import type { Past } from './past.js';

/**
 * Milliseconds in which a run was at work before it was interrupted: from each of its beginnings to the last that was recorded
 * before the next. The time in which it lay, parked or dead, is none of them.
 */
export function pastDuration({ events }: Pick<Past, 'events'>): number {
  let [total, begun, last]: [number, number | null, number] = [0, null, 0];
  const end = () => {
    // A clock may have been set back.
    if (begun !== null) total += Math.max(0, last - begun);
  };
  for (const { event, now } of events) {
    if (event === 'run') {
      end();
      begun = now;
      last = now;
    }
    last = Math.max(last, now);
  }
  end();
  return total;
}
