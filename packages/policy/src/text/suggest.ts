import { nearest } from '@ambit/core';

export { editDistance, nearest } from '@ambit/core';

/** Whether `editDistance` is 1, without computing it: this is checked for every name of a policy. */
export function isOneSlip(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let [start, left, right] = [0, one.length, other.length];
  while (start < left && start < right && one[start] === other[start]) start += 1;
  while (left > start && right > start && one[left - 1] === other[right - 1]) {
    left -= 1;
    right -= 1;
  }
  const [these, those] = [one.slice(start, left), other.slice(start, right)];
  if (these.length < 2 && those.length < 2) return true;
  return these.length === 2 && those.length === 2 && these[0] === those[1] && these[1] === those[0];
}

/** `a, b or c` */
export function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Decisions and keys as other programs write them. */
const elsewhere = new Map([
  ['allow', 'pre_approved'],
  ['ask', 'needs_approval'],
  ['deny', 'blocked'],
  ['action', 'decision'],
  ['effect', 'decision'],
  ['matches', 'match'],
  ['unless', 'except'],
  ['condition', 'when'],
  ['if', 'when'],
  ['expires', 'until'],
  ['description', 'reason'],
]);

export function helpFor(text: string, known: readonly string[]): string {
  const near = nearest(text, known) ?? known.find((name) => name === elsewhere.get(text)) ?? null;
  return near === null ? oneOf(known) : `did you mean \`${near}\`? ${oneOf(known)}`;
}
