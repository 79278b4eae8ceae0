import { basename, isAbsolute, relative } from 'node:path';
import { printable } from '@ambit/core';
import type { RunResult, Session } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { moneyText } from '../money.js';
import { shellWord } from '../shell-word.js';
import { tokenText } from './money.js';

/** The result of a run, for the person who started it; escaped. */
export function summaryOf(
  result: RunResult,
  { id, log, program, folder }: Pick<Session, 'id' | 'log'> & Pick<Host, 'program' | 'folder'>,
): string {
  const { status, why, totals } = result;
  // As it is typed in the folder that the run was started in, as the program is: it fits a line then.
  const way = relative(folder, log);
  const isInside = !/^(?:\.\.|-)/.test(way) && !isAbsolute(way);
  const typed = isInside ? shellWord(way) : basename(log) === `${id}.jsonl` ? id : shellWord(log);
  const lines = [
    field('run', `${id} ${status}${why === null ? '' : `: ${why}`}`),
    field('calls', `${totals.calls}${counts(totals.decisions)}`),
    field('outcomes', listed(totals.outcomes) || 'none'),
    field('approved', listed(totals.approvedBy) || 'nothing, by anybody'),
    field('tokens', tokensOf(totals)),
    ...workerLines(totals),
    ...goOnLines(status, { id, program }),
    field('log', log),
    field('explain', `${program} log show CALL --log ${typed}`),
    field('', '(CALL is the id or the number of a line of the log:'),
    field('', `${program} log tail ${typed})`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** How to resume an unfinished run. */
function goOnLines(
  status: RunResult['status'],
  { id, program }: { readonly id: string; readonly program: string },
): readonly string[] {
  const resume = field('go on', `${program} run --resume ${id}`);
  if (status === 'failed') return [resume];
  return status === 'parked' ? [field('answer', `${program} approvals list`), resume] : [];
}

/** Each worker's part, if there are several. */
function workerLines({ workers }: RunResult['totals']): readonly string[] {
  const parts = Object.entries(workers);
  if (parts.length < 2) return [];
  return parts.map(([name, of]) =>
    field('', `${name}: ${of.calls} ${of.calls === 1 ? 'call' : 'calls'}, ${tokensOf(of)}`),
  );
}

function tokensOf({ tokens, costs }: Pick<RunResult['totals'], 'tokens' | 'costs'>): string {
  return `${tokenText(tokens.input)} in, ${tokenText(tokens.output)} out${costs === null ? '' : `, ${moneyText(costs)}`}`;
}

function field(name: string, value: string): string {
  return `${name.padEnd(10)}${value}`;
}

function counts(of: Readonly<Record<string, number>>): string {
  const text = listed(of);
  return text === '' ? '' : `: ${text}`;
}

function listed(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
