import { printable } from '@ambit/core';
import type { CallRow } from './call-row.js';

const columns: readonly (readonly [string, (row: CallRow) => string])[] = [
  ['time', ({ time }) => time],
  ['run', ({ run }) => run],
  ['call', ({ call }) => call],
  ['seq', ({ seq }) => String(seq)],
  ['chain', ({ chain }) => chain],
  ['tool', ({ tool }) => tool],
  ['decision', ({ decision }) => decision ?? ''],
  ['capabilities', ({ capabilities }) => capabilities.join(' ')],
  ['rules', ({ rules }) => rules.join(' ')],
  ['answered_by', ({ answer }) => (answer === null ? '' : `${answer.how} ${answer.who}`.trim())],
  ['approved', ({ answer }) => (answer === null ? '' : String(answer.approved))],
  ['answered_after_ms', ({ answer }) => (answer === null ? '' : String(answer.after))],
  ['outcome', ({ outcome }) => outcome ?? ''],
  ['reason', ({ reason }) => reason ?? ''],
];

/** The first record. Calls of a log that does not verify have a column that says so. */
export function csvHead(isVerified: boolean): string {
  return record(columns.map(([name]) => name).concat(isVerified ? [] : ['verified']));
}

/** One record of RFC 4180. No cell begins like a formula of a spreadsheet. */
export function csvRow(row: CallRow, isVerified: boolean): string {
  return record(columns.map(([, of]) => of(row)).concat(isVerified ? [] : ['false']));
}

function record(texts: readonly string[]): string {
  return `${texts.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  // Spreadsheets skip blanks, and some read full-width signs like plain ones.
  const plain = /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${printable(plain).replaceAll('"', '""')}"`;
}
