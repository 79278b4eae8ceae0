import { escapeText } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import type { Unsettled } from '../exact/blind-spot.js';

export function unsettledInWords({ capability, why, rules }: Unsettled): readonly string[] {
  return [
    `  ${escapeText(capability)}: ${escapeText(why)}`,
    ...rules.map(({ id, at }) => `    because of ${quote(id)} (${escapeText(at)})`),
  ];
}
