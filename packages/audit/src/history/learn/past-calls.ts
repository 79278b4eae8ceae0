import { basename, dirname, join } from 'node:path';
import { isFromOutside } from '../../log/line/history.js';
import type { LogEntry } from '../../log/line/line.js';
import { objectOf, objectsOf, textOf, wordsOf } from '../../log/line/members.js';
import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import type { LogLine } from '../../log/read/read-log.js';
import { createLoggedCalls, type LoggedCall } from '../replay/logged-call.js';

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
  const logged = createLoggedCalls({ members, args });
  const calls: PastCall[] = [];
  /** The newest decision on each call that has not ended. */
  const open = new Map<string, { readonly call: PastCall; readonly place: number }>();
  const places = new Map<PastCall, number>();
  const tainted = new Set<string>();
  const parts = new Map<string, Partial<PastCall>>();
  let decisions = 0;
  const note = (key: string, change: Partial<PastCall>) => {
    const known = open.get(key);
    if (known === undefined) return;
    const { call, place } = known;
    open.set(key, { call: { ...call, ...change }, place });
    if (change.fate !== undefined && ran.includes(change.fate) && bringsText(call)) tainted.add(call.run);
  };
  const settle = (key: string) => {
    const known = open.get(key);
    if (known === undefined) return;
    open.delete(key);
    if (!matters(known.call)) return;
    calls.push(known.call);
    places.set(known.call, known.place);
  };
  for await (const { entry, file } of lines) {
    const key = `${entry.run} ${wordsOf(entry.call)}`;
    const call = logged.accept(entry);
    if (call !== null) {
      settle(key);
      const fate = call.before === 'blocked' ? 'blocked' : 'none';
      const untrusted = tainted.has(call.run) || logged.isUntrusted(call.run);
      // Entries are numbered in each segment.
      const segment = file === undefined ? log : join(dirname(log), basename(file));
      const wantedPerson = objectsOf(entry.judgements).some(({ answer }) => answer === 'person');
      open.set(key, {
        call: { ...call, log: segment, fate, person: null, untrusted, wantedPerson },
        place: decisions,
      });
      decisions += 1;
      if (call.before === 'pre_approved' && bringsText(call)) tainted.add(call.run);
    } else if (entry.event === 'approval') {
      const person = entry.how === 'person' ? textOf(objectOf(entry.who).person) : null;
      const untrusted = tainted.has(entry.run) || open.get(key)?.call.untrusted === true;
      const fate = person === null ? 'none' : fateOf(entry);
      parts.delete(key);
      // Every part of a question needs a yes.
      if (fate === 'approved' && !isLastPart(entry)) parts.set(key, { fate, person, untrusted });
      else if (person !== null) note(key, { fate, person, untrusted });
      else if (entry.approved === true && bringsText(open.get(key)?.call)) tainted.add(entry.run);
      else if (entry.approved !== true && open.get(key)?.call.fate === 'approved')
        note(key, { fate, person });
    } else if (entry.event === 'outcome') {
      if (entry.outcome === 'refused') {
        if (entry.code === 'denied') note(key, { fate: 'refused' });
        // It ran, so its missing questions had been answered.
      } else if (parts.has(key)) note(key, parts.get(key) ?? {});
      parts.delete(key);
      settle(key);
    }
  }
  for (const key of open.keys()) settle(key);
  const placeOf = (call: PastCall) => places.get(call) ?? 0;
  return calls.sort((one, other) => placeOf(one) - placeOf(other));
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

export function entryOf({ log, seq, run, call, time, request }: PastCall): PastEntry {
  return { log, seq, run, call, time, chain: request.chain, tool: request.tool };
}
