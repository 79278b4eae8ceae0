import { escapeText } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import type { Unsettled } from '../exact/blind-spot.js';
import type { Verdict } from '../exact/verdict.js';

/** `needs_approval (of a person)`, with accepted answers where these change. */
export function verdictInWords({ decision, answer, takes = [] }: Verdict): string {
  if (takes.length > 0) return `${decision} (answered by: ${[...new Set(takes)].join('; and by: ')})`;
  return answer === 'person' ? `${decision} (of a person)` : decision;
}

export function unsettledInWords({ capability, why, rules }: Unsettled): readonly string[] {
  return [
    `  ${escapeText(capability)}: ${escapeText(why)}`,
    ...rules.map(({ id, at }) => `    because of ${quote(id)} (${escapeText(at)})`),
  ];
}
