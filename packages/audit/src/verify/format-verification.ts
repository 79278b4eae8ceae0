import { printable } from '@ambit/core';
import type { Signed, Verification } from './verification.js';

/** One line for a person; escaped. */
export function formatVerification(file: string, verification: Verification): string {
  if (!verification.ok) {
    const { where = file, line, code, message, expected, found } = verification;
    const help = [
      expected === null ? [] : [`expected ${expected}`],
      found === null ? [] : [`found ${found}`],
    ].flat();
    const detail = help.length === 0 ? '' : `: ${printable(help.join(', '))}`;
    return `${printable(where)}:${line}: ${printable(`${code} ${message}`)}${detail}`;
  }
  const {
    entries,
    segments,
    run,
    runs,
    ended,
    signed,
    anchors,
    clock_back: clockBack,
    torn,
    unfinished,
  } = verification;
  const of = run === null ? '' : runs === 1 ? ` of run ${printable(run)}` : ` of ${runs} runs`;
  const before =
    torn?.line === 1 ? 'so the log is cut before its first whole line' : 'everything before it is whole';
  const parts = [
    `verified, ${count(entries, 'entry', 'entries')}${segments === 1 ? '' : ` in ${segments} segments`}${of}`,
    ...(entries > 0 && !ended ? [`the ${runs > 1 ? 'last ' : ''}run has no end yet`] : []),
    ...(torn === null ? [] : [`line ${torn.line} is torn (${torn.bytes} bytes), ${before}`]),
    ...(unfinished === null
      ? []
      : [`${printable(unfinished)} is empty: its writer was killed when it began the file`]),
    ...(clockBack === null ? [] : [`the clock was set back before entry ${clockBack}`]),
    signed === null ? 'not signed; run `ambit log key` to sign future logs' : signedInWords(signed, entries),
    ...(anchors === 0 ? [] : [count(anchors, 'anchor holds', 'anchors hold')]),
  ];
  return `${printable(file)}: ${parts.join('; ')}`;
}

function signedInWords({ entries, key, trust, torn }: Signed, all: number): string {
  const words = {
    given: 'signed by',
    log: 'signed by a key that the log itself names,',
    nobody: 'signatures that were not checked, of',
  };
  const rest = all - entries;
  const open = rest === 0 ? '' : `, except for the last ${count(rest, 'entry', 'entries')}`;
  return `${words[trust]} ${printable(key)}${open}${torn ? '; its last head is torn' : ''}`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
