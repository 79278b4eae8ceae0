import { escapeText } from '@ambit/policy';
import type { ExampleCall } from './call.js';

/** One line for `ambit decide`; escaped. */
export function callText(call: ExampleCall): string {
  return Array.from(JSON.stringify(call), (character) =>
    escapeText(character) === character ? character : escapedUnits(character),
  ).join('');
}

const mostShown = 2000;

/** Cut for people. */
export function shownCall(call: ExampleCall): string {
  const text = callText(call);
  return text.length <= mostShown ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
