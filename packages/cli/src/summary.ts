import { printable, type RunResult, type Session } from '@ambit/runtime';

/** What came of a run, for the person who started it; escaped. */
export function summaryOf(result: RunResult, { id, log }: Pick<Session, 'id' | 'log'>): string {
  const { status, why, totals } = result;
  const lines = [
    field('run', `${id} ${status}${why === null ? '' : `: ${why}`}`),
    field('calls', `${totals.calls}${counts(totals.decisions)}`),
    field('outcomes', listed(totals.outcomes) || 'none'),
    field('approved', listed(totals.approvedBy) || 'nothing was asked'),
    field('tokens', `${totals.tokens.input} in, ${totals.tokens.output} out`),
    field('log', log),
    field('explain', `ambit log show CALL --log ${quoted(log)}`),
    field('', `(CALL is the id or the number of a line of: ambit log tail ${quoted(log)})`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
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

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[A-Za-z0-9_/.,:+@%=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
