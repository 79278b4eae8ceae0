import type { Decision } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { chainOf, listOf, objectOf, objectsOf, textOf, wordsOf } from '../../log/line/members.js';
import type { LogLine } from '../../log/read/read-log.js';
import { decidingNames, strictestIn } from '../calls/deciding-names.js';
import { peopleOf, whoOf } from '../calls/format-event.js';
import { subjectOf } from './subject.js';

export interface CallRow {
  readonly run: string;
  readonly call: string;
  /** Of its first decision: the number in its file, and the time. */
  readonly seq: number;
  readonly time: string;
  /** Root first, with ` > ` between. */
  readonly chain: string;
  readonly worker: string;
  readonly tool: string;
  /** What it is about: a path, a command, a host; nothing if it does not say. */
  readonly subject: string;
  /** Null if it was refused before the judgement. */
  readonly decision: Decision | null;
  /** Sorted. */
  readonly capabilities: readonly string[];
  /** The rules that made the decision; `default of FILE` for a default. */
  readonly rules: readonly string[];
  /** Their decision before grants; null if it was refused before the judgement. */
  readonly judged: Decision | null;
  readonly applied: readonly string[];
  /** Null without a question. */
  readonly answer: Omit<AskedQuestion, 'id' | 'waited' | 'rules'> | null;
  /** Whose answers count for it, also those that were kept from an earlier call. */
  readonly people: readonly string[];
  /** Each question about it, in order: it may be asked in parts, and others at the same time. */
  readonly questions: readonly AskedQuestion[];
  /** `completed`, `failed`, or the code of the refusal; null if none is recorded. */
  readonly outcome: string | null;
  readonly reason: string | null;
}

export interface AskedQuestion {
  /** The same for all calls that it was about; null in logs that do not hold it. */
  readonly id: string | null;
  readonly how: string;
  readonly who: string;
  readonly approved: boolean;
  /** Milliseconds since it could be asked. */
  readonly after: number;
  /** Whether an earlier try of the call, refused meanwhile, asked it. */
  readonly waited: boolean;
  /** The rules that asked it, which a later judgement of the call may not name. */
  readonly rules: readonly string[];
}

/** The calls of a log, each at its end; unfinished ones last, in order. */
export async function* callRows(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
): AsyncGenerator<CallRow, void, undefined> {
  const open = new Map<string, OpenCall>();
  // The questions of refused calls that still wait: the next try of the call brings the answer.
  const waiting = new Map<string, string>();
  for await (const { entry } of lines) {
    const key = `${entry.run} ${wordsOf(entry.call)}`;
    const call = open.get(key);
    if (entry.event === 'decision') {
      open.set(key, {
        row: rowOfDecision(entry, call?.row),
        since: entry.time,
        same: sameCall(entry) ?? key,
      });
    } else if (entry.event === 'approval' && call !== undefined) {
      const { same } = call;
      open.set(key, { row: withAnswer(entry, call, waiting.get(same)), since: entry.time, same });
      waiting.delete(same);
    } else if (entry.event === 'outcome' && call !== undefined) {
      const { row, since, same } = call;
      open.delete(key);
      const isAsked = entry.code === 'unanswered' && row.questions.length === 0;
      const questions = isAsked && !waiting.has(same) ? [{ ...unanswered, rules: row.rules }] : row.questions;
      if (entry.code === 'unanswered') waiting.set(same, waiting.get(same) ?? since);
      yield {
        ...row,
        questions,
        outcome: wordsOf(entry.outcome === 'refused' ? entry.code : entry.outcome),
        reason: row.reason ?? textOf(entry.reason) ?? textOf(entry.error),
      };
    }
  }
  for (const { row } of open.values()) yield row;
}

/** It waits for a person, who answers elsewhere. */
const unanswered: Omit<AskedQuestion, 'rules'> = {
  id: null,
  how: 'nobody',
  who: '',
  approved: false,
  after: 0,
  waited: false,
};

interface OpenCall {
  readonly row: CallRow;
  /** When an answer first became possible. */
  readonly since: string;
  /** The properties that repeated tries of a call share. */
  readonly same: string;
}

function sameCall({ run, chain, tool, args_digest: digest }: LogEntry): string | null {
  return typeof digest === 'string' ? [run, chainOf(chain), wordsOf(tool), digest].join(' ') : null;
}

function rowOfDecision(entry: LogEntry, before: CallRow | undefined): CallRow {
  const { judgements, reason, decision } = entry;
  const judged = objectsOf(judgements);
  return {
    run: entry.run,
    call: wordsOf(entry.call),
    seq: before?.seq ?? entry.seq,
    time: before?.time ?? entry.time,
    chain: chainOf(entry.chain),
    worker: Array.isArray(entry.chain) ? wordsOf((entry.chain as string[]).at(-1)) : '',
    tool: wordsOf(entry.tool),
    subject: subjectOf(entry.args ?? null, listOf(entry.capabilities)),
    decision: decision === null ? null : (wordsOf(decision) as Decision),
    capabilities: [...new Set(objectsOf(entry.capabilities).map(({ name }) => wordsOf(name)))].sort(),
    rules: decidingNames(judged, ({ id }) => wordsOf(id)),
    judged: judged.length === 0 ? null : strictestIn(judged),
    applied: [...new Set(judged.flatMap(({ rules }) => objectsOf(rules).map(({ id }) => wordsOf(id))))],
    answer: before?.answer ?? null,
    people: before?.people ?? [],
    questions: before?.questions ?? [],
    outcome: null,
    reason: textOf(reason) ?? textOf(entry.why),
  };
}

function withAnswer(entry: LogEntry, { row, since }: OpenCall, waiting: string | undefined): CallRow {
  const answer = {
    how: wordsOf(entry.how),
    who: whoOf(entry),
    approved: entry.approved === true,
    after: Math.max(0, Date.parse(entry.time) - Date.parse(waiting ?? since)),
  };
  const people = [...new Set([...row.people, ...peopleOf(entry)])];
  // A question that a grant or a mode answers is not a person's.
  if (answer.how === 'grant' || answer.how === 'mode') return { ...row, answer, people };
  const { id } = objectOf(entry.question);
  return {
    ...row,
    answer,
    people,
    questions: [
      ...row.questions,
      { id: textOf(id), ...answer, waited: waiting !== undefined, rules: row.rules },
    ],
  };
}

/** `approved by person ada`, `not approved (timeout)` */
export function answerInWords({ how, who, approved }: NonNullable<CallRow['answer']>): string {
  const by = how === 'grant' ? who : `${how} ${who}`;
  return `${approved ? 'approved' : 'not approved'} ${who === '' ? `(${how})` : `by ${by}`}`;
}
