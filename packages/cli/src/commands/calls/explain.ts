import { findChanges, formatChanges } from '@ambit/analysis';
import { jsonText, originsOf, printable, withOrigins } from '@ambit/core';
import { explainDecision } from '@ambit/policy';
import { type JudgedCall, judgeCall, type LineFailure } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { writeSets } from '../../view/written-sets.js';
import { readInput } from '../given/filter.js';
import { type JudgeOptions, lineJudge } from '../given/line-judge.js';
import { logMembers } from '../log/log-members.js';
import { logNamed } from '../log/log-named.js';
import { type VerifiedLogs, verifiedLogs } from '../log/verified-logs.js';
import { callOfEntry, type LoggedCall } from './logged-call.js';

export interface ExplainOptions extends JudgeOptions {
  readonly log?: string;
  readonly seq?: number;
  readonly json?: boolean;
  readonly unverified?: boolean;
}

export async function explain(host: Host, call: string | undefined, options: ExplainOptions): Promise<Exit> {
  const { judge, given } = await lineJudge(host, options);
  const subject = await subjectOf(host, call, options);
  const { mark, banner, exit } = await trustOf(host, options);
  const judged = await judgeCall(subject.line, judge);
  if (isFailure(judged)) throw new UnusableError(`not a usable call: ${judged.error.message}`);
  const { request, decision, cannot, grants } = judged;
  const changes = findChanges({ request, decision, policies: given.policies, grants });
  const { policies } = given;
  const origins =
    subject.origins.length > 0 ? subject.origins : originsOf(decision.capabilities, { request, policies });
  const explanation = explainDecision({ request, decision, policies, origins });
  const notes = [
    ...(cannot === null ? [] : [`The tool says that this call cannot work: ${cannot}`]),
    ...subject.notes(decision.decision),
  ];
  const told = formatChanges(changes, decision.capabilities);
  const text = [explanation, told, ...notes.map(printable)].join('\n\n');
  const rest = { changes, explanation: text };
  const document = {
    id: judged.id,
    ...withOrigins(decision, origins),
    ...(cannot === null ? {} : { cannot }),
    ...rest,
    ...mark,
  };
  const written = options.json === true ? jsonText(await writeSets(host)(document)) : `${banner}${text}`;
  await write(host.stdout, `${written}\n`);
  return exit;
}

async function trustOf(
  host: Host,
  { log, unverified = false }: ExplainOptions,
): Promise<Pick<VerifiedLogs, 'mark' | 'banner' | 'exit'>> {
  return log === undefined
    ? { mark: {}, banner: '', exit: exits.done }
    : verifiedLogs(host, [log], { unverified });
}

async function subjectOf(
  host: Host,
  call: string | undefined,
  { log, seq }: ExplainOptions,
): Promise<LoggedCall> {
  if (log !== undefined && seq !== undefined && call === undefined) {
    const file = await logNamed(host, log);
    const members = await logMembers(host, file);
    const subject = await callOfEntry(file, seq, members.read);
    await members.warn();
    return subject;
  }
  if (log !== undefined || seq !== undefined)
    throw new UnusableError('--log FILE and --seq N take the place of CALL, and need each other');
  if (call === undefined)
    throw new UnusableError(
      'no call is given',
      'JSON like a line for `decide`, - for stdin, or --log FILE --seq N',
    );
  return { line: call === '-' ? await readInput(host) : call, origins: [], notes: () => [] };
}

function isFailure(judged: JudgedCall | LineFailure): judged is LineFailure {
  return 'error' in judged;
}
