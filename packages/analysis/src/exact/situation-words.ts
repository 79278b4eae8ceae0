import type { Situation } from './situation.js';
import type { NameClass } from './vocabulary-of.js';

/** `fs.read`, `anything else under net together with secret.read`. */
export function situationInWords({ call, history }: Situation): string {
  const carried = call.map(nameInWords).join(' together with ');
  return history.length === 0 ? carried : `${carried}, after ${history.map(nameInWords).join(' and ')}`;
}

function nameInWords({ name, isFresh, under }: NameClass): string {
  if (!isFresh) return name;
  return under === null ? 'anything else' : `anything else under ${under}`;
}
