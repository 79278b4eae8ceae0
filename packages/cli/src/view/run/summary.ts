import { basename, isAbsolute, relative } from 'node:path';
import { counted, shellWord } from '@ambit/core';
import type { RunResult, Session } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { field, moneyText, tokenText } from '../text.js';

/** Escaped. */
export function summaryOf(
  result: RunResult,
  { id, log, program, folder }: Pick<Session, 'id' | 'log'> & Pick<Host, 'program' | 'folder'>,
): string {
  const { status, why, totals } = result;
  // The log by its id in the state folder, as typed in the starting folder: it fits one line.
  const way = relative(folder, log);
  const isInside = !/^(?:\.\.|-)/.test(way) && !isAbsolute(way);
  const typed = basename(log) === `${id}.jsonl` ? id : shellWord(isInside ? way : log);
  const lines = [
    field('run', `${id} ${status}${why === null ? '' : `: ${why}`}`),
    field('calls', `${totals.calls}${counts(totals.decisions)}`),
    field('outcomes', countsInWords(totals.outcomes) || 'none'),
    field('approvals', countsInWords(totals.approvedBy) || 'none'),
    field('tokens', tokensOf(totals)),
    ...workerLines(totals),
    ...resumeLines(status, { id, program }),
    field('log', log),
    field('explain', `${program} log show CALL --log ${typed}`),
    field('', '(CALL is the id or the number of a line of the log:'),
    field('', `${program} log tail ${typed})`),
  ];
  return `${lines.join('\n')}\n`;
}

function resumeLines(
  status: RunResult['status'],
  { id, program }: { readonly id: string; readonly program: string },
): readonly string[] {
  const resume = field('resume', `${program} run --resume ${id}`);
  if (status === 'failed') return [resume];
  return status === 'parked' ? [field('answer', `${program} approvals list`), resume] : [];
}

function workerLines({ workers }: RunResult['totals']): readonly string[] {
  const parts = Object.entries(workers);
  if (parts.length < 2) return [];
  return parts.map(([name, of]) => field('', `${name}: ${counted(of.calls, 'call')}, ${tokensOf(of)}`));
}

function tokensOf({ tokens, costs }: Pick<RunResult['totals'], 'tokens' | 'costs'>): string {
  return `${tokenText(tokens.input)} in, ${tokenText(tokens.output)} out${costs === null ? '' : `, ${moneyText(costs)}`}`;
}

function counts(of: Readonly<Record<string, number>>): string {
  const text = countsInWords(of);
  return text === '' ? '' : `: ${text}`;
}

function countsInWords(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
