import { escapeText } from '@ambit/policy';
import type { ExampleCall } from './call.js';

/** A call as one line for `ambit decide`: safe to print, and the same call when it is read again. */
export function callText(call: ExampleCall): string {
  return Array.from(JSON.stringify(call), (character) =>
    escapeText(character) === character ? character : escapedUnits(character),
  ).join('');
}

/** The most characters of a call that are shown to people. */
const mostShown = 2000;

/** The same for people; of a call that needs a text of many thousand characters to show something, the beginning. */
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
