import { hash, randomBytes } from 'node:crypto';
import { createMask, type MaskRules, readRegularSync } from '@ambit/audit';
import {
  type Capability,
  equalJson,
  filesOfAnswer,
  isNonEmpty,
  type JsonObject,
  type LogEvent,
  ladder,
  orNull,
  plainText,
  printable,
  type Question,
} from '@ambit/core';
import type { Store, StoredAnswer, StoredQuestion } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { laterCalls, rungLines, rungsOf } from '../../questions/choose-keep.js';
import { answerText, questionJson, questionLines } from '../../questions/question-lines.js';
import { questionText } from '../../questions/question-text.js';
import { setLister } from '../../view/set-lister.js';
import { type Looks, looksOf, styled, timeText, wrapped } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { byId, questionNamed, questionsAndRuns, withStore } from './with-store.js';

export async function approvalsShow(
  host: Host,
  id: string,
  { json }: OptionsOf<'approvals show'>,
): Promise<void> {
  const found = await withStore(host, (store) => questionNamed(store, id));
  const looks = looksOf(host.stdout, host.environment);
  const lines = found.state === 'waiting' ? answerLines(found, host, looks) : closedLines(found);
  const text = questionText(found.question, { ...looks, whole: true });
  await print(host, json ? await setLister(host)(questionJson(found)) : `${text}\n${lines.join('\n')}`);
}

function closedLines({ state, answer, closed }: StoredQuestion): readonly string[] {
  const how = answer === null ? state : answerText(answer);
  return [printable(`${how}, ${closed === null ? '' : timeText(closed)}`)];
}

function answerLines(found: StoredQuestion, { program }: Host, looks: Looks): readonly string[] {
  const { question, digest } = found;
  const command = (verb: string) =>
    `${program} approvals ${verb} ${printable(question.id)} --digest ${digest.slice(0, 12)}`;
  return [
    styled(`Asked ${timeText(found.asked)} by the run ${printable(found.run)}. To answer:`, 'bold', looks),
    `  ${command('approve')}`,
    `  ${command('deny')} --note TEXT`,
    ...keepLines(question, looks),
  ];
}

function keepLines(question: Question, looks: Looks): readonly string[] {
  if (question.keep === null) return ['  (an answer is for this call only)'];
  const { remember } = question.keep;
  const keep = remember === 'run' ? '--keep run' : '--keep run, or --keep always';
  return [
    `  and with approve, to keep the answer: ${keep}`,
    ...wrapped(`which covers ${laterCalls(question)}`, looks.width, '  '),
    ...rungsOf(question).flatMap((rung) =>
      rungLines(question, rung, { ...looks, first: `    --reach ${rung.reach.padEnd(11)}` }),
    ),
  ];
}

export async function approvalsList(
  host: Host,
  { all = false, json }: OptionsOf<'approvals list'>,
): Promise<void> {
  const [found, runs] = await questionsAndRuns(host);
  const shown = found.filter(({ state }) => all || state === 'waiting');
  if (json) {
    const questions = await Promise.all(shown.map(questionJson).map(setLister(host)));
    await print(host, { questions });
    return;
  }
  const looks = { ...looksOf(host.stdout, host.environment), now: Date.now() };
  for (const question of shown) await print(host, `${questionLines(question, looks).join('\n')}\n\n`);
  const hint =
    shown.length === 0
      ? `no ${all ? '' : 'open '}questions here`
      : `${host.program} approvals show ID; then approve ID, or deny ID`;
  const sessions = runs.filter(({ mode }) => mode === 'client').map(({ id }) => id);
  const open = found.filter(({ state, run }) => state === 'waiting' && sessions.includes(run));
  const isShared = new Set(open.map(({ run }) => run)).size < open.length;
  await write(host.stderr, `${hint}\n${isShared ? inTurn : ''}`);
}

const inTurn =
  'Approve the calls of one agent in turn: a call that changes something ends the other approvals.\n';

export async function approvalsKept(host: Host, { json }: OptionsOf<'approvals kept'>): Promise<void> {
  const { kept, changed, later } = await withStore(host, async (store) => {
    const all = await store.kept();
    const masked = await Promise.all(all.map((one) => maskedAnswer(store, one)));
    const later = (await store.questions()).filter((each) => isKeptLater(each, all)).length;
    return { kept: masked, changed: all.map(({ answer }) => changedFile(answer)), later };
  });
  if (json) return print(host, { kept: kept.map((one) => ({ id: one.answer.approval, ...one })) });
  const looks = looksOf(host.stdout, host.environment);
  for (const [index, one] of kept.entries())
    await print(host, `${keptLines(one, changed[index] ?? null, looks).join('\n')}\n\n`);
  const hint = kept.length === 0 ? 'no kept answers here' : `${host.program} approvals revoke ID`;
  const more = `answers that are kept once their call is made again: ${later}`;
  await write(host.stderr, `${hint}\n${later === 0 ? '' : `${more}\n`}`);
}

/** Whether a run keeps this answer only when it makes the call again. */
function isKeptLater({ question, answer, run: by }: StoredQuestion, kept: readonly StoredAnswer[]): boolean {
  if (answer?.answer !== 'approve' || answer.keep?.remember !== 'always') return false;
  const { chain, tool, args } = question;
  return !kept.some(
    ({ answer: one, run }) => run === by && equalJson([one.chain, one.tool, one.args], [chain, tool, args]),
  );
}

/** A file whose change ended the answer; null for none. */
function changedFile({ reach, shown }: StoredAnswer['answer']): string | null {
  const files = reach === 'capability' ? [] : filesOfAnswer(shown);
  const isChanged = ({ path, sha256 }: (typeof files)[number]) =>
    typeof sha256 === 'string' &&
    orNull(() => hash('sha256', readRegularSync(path, { most: mostRead }))) !== sha256;
  return files.find(isChanged)?.path ?? null;
}

/** Larger files have no digest in answers. */
const mostRead = 32 * 1024 * 1024;

export async function approvalsRevoke(
  host: Host,
  id: string,
  { json }: OptionsOf<'approvals revoke'>,
): Promise<Exit> {
  return withStore(host, async (store) => {
    const all = await store.kept();
    const questions = await store.questions();
    const later = questions.find((each) => each.question.id === id && isKeptLater(each, all));
    if (later !== undefined) throw await notKept(store, later);
    const { answer } = byId(all, id, {
      noun: 'kept answer',
      idOf: (one) => one.answer.approval,
      list: 'ambit approvals kept',
    });
    const { approval } = answer;
    const revoked = await store.revoke(approval, Date.now());
    if (json) await print(host, { id: approval, revoked });
    else if (revoked) await print(host, `${printable(approval)} is revoked; it no longer applies`);
    else await write(host.stderr, `${printable(approval)} is already revoked\n`);
    return revoked ? exits.done : exits.bad;
  });
}

/** How an answer ends that its run has not kept yet. */
async function notKept(store: Store, { question, run: by }: StoredQuestion): Promise<UnusableError> {
  const isClient = (await store.run(by))?.mode === 'client';
  const how = isClient
    ? 'it ends ten minutes after it was given, unless the agent makes the call again before'
    : `to end it, delete its run: ambit runs forget ${by}`;
  return new UnusableError(`the answer to \`${question.id}\` is not kept yet`, how);
}

function keptLines(
  { answer, at, run, revoked }: StoredAnswer,
  changed: string | null,
  looks: Looks,
): readonly string[] {
  const { approval, person, chain, tool, remember, reach, until, args, shown } = answer;
  const isOver = until !== undefined && until <= Date.now();
  const ended = changed === null ? null : `over: ${printable(changed)} changed`;
  const standing =
    revoked === null ? (isOver ? 'over' : (ended ?? `kept ${remember}`)) : `revoked ${timeText(revoked)}`;
  const rungs = isNonEmpty(shown) ? ladder({ chain, tool, args, capabilities: shown }, reach) : [];
  const words = rungs.findLast((rung) => rung.reach === reach)?.words;
  return [
    styled(
      `${printable(approval)}  ${standing}${until === undefined ? '' : ` until ${timeText(until)}`}`,
      revoked === null ? 'bold' : 'dim',
      looks,
    ),
    ...wrapped(`${person} approved, ${timeText(at)}, in the run ${run}`, looks.width, '  '),
    ...wrapped(`${tool} by ${chain.join(' › ')}`, looks.width, '  '),
    ...argumentLines(args, looks),
    ...wrapped(words ?? reach, looks.width, '  covers: '),
  ];
}

function argumentLines(args: JsonObject, { width }: Looks): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const [first = '', ...others] = plainText(value).split('\n');
    const lines = [
      ...wrapped(`${name}: ${first}`, width, '  with '),
      ...others.flatMap((line) => wrapped(line, width, '       ')),
    ];
    const left = lines.length - mostLines;
    return left <= 0 ? lines : [...lines.slice(0, mostLines), `       … and ${left} more`];
  });
}

/** Of one argument. */
const mostLines = 6;

/** Secrets are masked as in the log. */
async function maskedAnswer(store: Store, kept: StoredAnswer): Promise<StoredAnswer> {
  const record = await store.run(kept.run);
  const recording = record?.options.recording as { readonly mask?: MaskRules } | undefined;
  const { approval, tool, args, shown, chain } = kept.answer;
  const event = { now: 0, event: 'decision', call: approval, chain, tool, args, capabilities: shown };
  const masked = createMask(randomBytes(32), recording?.mask)(event as unknown as LogEvent);
  const capabilities = masked.capabilities as unknown as readonly Capability[];
  return { ...kept, answer: { ...kept.answer, args: masked.args as JsonObject, shown: capabilities } };
}
