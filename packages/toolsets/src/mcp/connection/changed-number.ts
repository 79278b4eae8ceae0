import { randomBytes } from 'node:crypto';
import { unkeptNumbers } from '@ambit/core';

/** JSON with the numbers that JavaScript cannot keep exactly as texts, which `asWritten` makes numbers again: for what is only passed on. */
export function withTexts(json: string): string {
  let [done, from] = ['', 0];
  for (const { 0: written, index } of unkeptNumbers(json)) {
    done += `${json.slice(from, index)}"${mark}${written}"`;
    from = index + written.length;
  }
  return done + json.slice(from);
}

export function asWritten(json: string): string {
  return json.includes(mark) ? json.replaceAll(marked, '$1') : json;
}

/** No sender knows it. */
export const mark = `number-${randomBytes(16).toString('hex')}:`;
const marked = new RegExp(`"${mark}([-+.\\de]+)"`, 'gi');
