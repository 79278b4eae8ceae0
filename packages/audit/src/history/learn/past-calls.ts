import { basename, dirname, join } from 'node:path';
import type { CallDecision } from '@ambit/core';
import { isFromOutside } from '../../log/line/history.js';
import type { LogEntry } from '../../log/line/line.js';
import { objectOf, objectsOf, textOf, wordsOf } from '../../log/line/members.js';
import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import type { LogLine } from '../../log/read/read-log.js';
import { type LoggedCall, LoggedCalls } from '../replay/logged-call.js';
import { type Judge, judgedAgain } from '../replay/replay.js';

export interface PastEntry extends Pick<LoggedCall, 'seq' | 'run' | 'call' | 'time'> {
  readonly log: string;
  readonly chain: readonly string[];
  readonly tool: string;
}

type Fate =
  /** A person approved it unchanged. */
  | 'approved'
  /** A person approved an edited call instead. */
  | 'edited'
  /** A person refused it, now or earlier in the run. */
  | 'refused'
  | 'blocked'
  /** Neither: no answer, or a mode, a grant or the tool decided. */
  | 'none';

/** A logged call with the answers of people. */
export interface PastCall extends LoggedCall {
  readonly log: string;
  readonly fate: Fate;
  /** Null if no person answered. */
  readonly person: string | null;
  /** Whether the run had brought in text from outside before the answer. */
  readonly untrusted: boolean;
  /** Whether a question about it required a person, under the policies of its run. */
  readonly wantedPerson: boolean;
}

interface PastCallsOptions {
  readonly members?: ReadMembers | null;
  /** If false, calls are kept without their arguments. */
  readonly args?: boolean;
  /** Other calls are forgotten once they have ended. */
  readonly matters?: (call: PastCall) => boolean;
}

/** The judged calls of a log, in order. A call that was judged twice appears twice. */
export async function pastCalls(
  log: string,
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  { members = null, args = true, matters = () => true }: PastCallsOptions = {},
): Promise<readonly PastCall[]> {
  const logged = new LoggedCalls({ members, args });
  const calls = new CallFollower(matters);
  for await (const { entry, file } of lines) {
    const key = `${entry.run} ${wordsOf(entry.call)}`;
    const call = logged.accept(entry);
    if (call !== null) {
      // Entries are numbered in each segment.
      const segment = file === undefined ? log : join(dirname(log), basename(file));
      const fate = call.before === 'blocked' ? 'blocked' : 'none';
      const untrusted = logged.isUntrusted(call.run);
      const wantedPerson = objectsOf(entry.judgements).some(({ answer }) => answer === 'person');
      calls.decide(key, { ...call, log: segment, fate, person: null, untrusted, wantedPerson });
    } else if (entry.event === 'approval') calls.answer(key, entry);
    else if (entry.event === 'outcome') calls.finish(key, entry);
  }
  return calls.inOrder();
}

type Placed = { readonly call: PastCall; readonly place: number };
type Answer = Pick<PastCall, 'fate'> & Partial<PastCall>;

/** Follows each call from its decision to its outcome. */
class CallFollower {
  readonly #ended: Placed[] = [];
  /** The newest decision on each call that has not ended. */
  readonly #open = new Map<string, Placed>();
  /** Approvals of parts, while their questions have further parts. */
  readonly #parts = new Map<string, Answer>();
  /** The runs that brought in text from outside. */
  readonly #tainted = new Set<string>();
  #decisions = 0;

  constructor(private readonly matters: (call: PastCall) => boolean) {}

  inOrder(): readonly PastCall[] {
    for (const key of this.#open.keys()) this.#end(key);
    return this.#ended.sort((one, other) => one.place - other.place).map(({ call }) => call);
  }

  decide(key: string, call: PastCall): void {
    this.#end(key);
    const untrusted = call.untrusted || this.#tainted.has(call.run);
    this.#open.set(key, { call: { ...call, untrusted }, place: this.#decisions });
    this.#decisions += 1;
    if (call.before === 'pre_approved' && bringsText(call)) this.#tainted.add(call.run);
  }

  answer(key: string, entry: LogEntry): void {
    const call = this.#open.get(key)?.call;
    const person = entry.how === 'person' ? textOf(objectOf(entry.who).person) : null;
    const untrusted = this.#tainted.has(entry.run) || call?.untrusted === true;
    const fate = person === null ? 'none' : fateOf(entry);
    this.#parts.delete(key);
    // Every part of a question needs a yes.
    if (fate === 'approved' && !isLastPart(entry)) this.#parts.set(key, { fate, person, untrusted });
    else if (person !== null) this.#note(key, { fate, person, untrusted });
    else if (entry.approved === true && bringsText(call)) this.#tainted.add(entry.run);
    else if (entry.approved !== true && call?.fate === 'approved') this.#note(key, { fate, person });
  }

  finish(key: string, { outcome, code }: LogEntry): void {
    const part = this.#parts.get(key);
    if (outcome === 'refused' && code === 'denied') this.#note(key, { fate: 'refused' });
    // It ran, so its missing questions had been answered.
    if (outcome !== 'refused' && part !== undefined) this.#note(key, part);
    this.#parts.delete(key);
    this.#end(key);
  }

  #note(key: string, answer: Answer): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.set(key, { ...open, call: { ...open.call, ...answer } });
    if (ran.includes(answer.fate) && bringsText(open.call)) this.#tainted.add(open.call.run);
  }

  #end(key: string): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    if (this.matters(open.call)) this.#ended.push(open);
  }
}

const ran: readonly Fate[] = ['approved', 'edited'];

function fateOf({ approved, edited }: LogEntry): Fate {
  if (approved !== true) return 'refused';
  return edited === false ? 'approved' : 'edited';
}

function isLastPart({ question }: LogEntry): boolean {
  const { number, of } = objectOf(objectOf(question).part);
  return of === undefined || number === of;
}

function bringsText(call: LoggedCall | undefined): boolean {
  return call?.request.capabilities.some(isFromOutside) === true;
}

/** Without answers kept in the run, which the next run does not have. */
export function judgedBare(call: PastCall, judge: Judge): CallDecision {
  return judgedAgain({ ...call, grants: call.grants.filter(({ source }) => source === 'reference') }, judge);
}

export function entryOf({ log, seq, run, call, time, request }: PastCall): PastEntry {
  return { log, seq, run, call, time, chain: request.chain, tool: request.tool };
}
