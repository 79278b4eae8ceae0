import { resolve } from 'node:path';
import {
  createHistories,
  type LogEntry,
  LogError,
  type ReadMembers,
  readLog,
  restoredSets,
  unreadSets,
} from '@ambit/audit';
import { type Capability, jsonText, type Origin } from '@ambit/core';
import { UnusableError } from '../../failure.js';

export interface LoggedCall {
  readonly line: string;
  /** As the log has them; empty in older logs. */
  readonly origins: readonly Origin[];
  /** Further output, after the decision. */
  notes(decision: string): readonly string[];
}

export async function callOfEntry(file: string, seq: number, members: ReadMembers): Promise<LoggedCall> {
  const { entry, history } = await entryAt(file, seq);
  if (entry.event !== 'decision')
    throw new UnusableError(`entry ${seq} is not a decision, but: ${entry.event}`, 'ambit log tail FILE');
  const { decision } = entry;
  if (decision === null)
    throw new UnusableError(
      `entry ${seq} was refused before it was judged: ${textOf(entry.why ?? entry.code)}`,
    );
  const grants = listIn<Record<string, unknown>>(entry.grants);
  const capabilities = restoredSets(listIn<Capability>(entry.capabilities), members);
  const unread = unreadSets(capabilities, members);
  const call = {
    id: entry.call,
    worker: entry.chain,
    tool: entry.tool,
    args: entry.args,
    capabilities,
    context: entry.context,
    history,
    grants: grants
      .filter(({ source }) => source === 'reference')
      .map(({ worker, tool, capabilities }) => ({ worker, tool, capabilities })),
    now: entry.time,
  };
  const isFirst = history.length === 0;
  const kept = grants.some(({ source }) => source === 'kept');
  return {
    line: JSON.stringify(call),
    origins: listIn<Origin>(entry.origins),
    notes: (now) => [
      'This call is from a log with masked secrets: a rule that reads one may decide differently here.',
      ...unread.map((why) => `A file set is judged here as a missing path, because ${why}.`),
      ...(isFirst
        ? []
        : ['The log holds only the names of earlier capabilities, so a combination may be undecided here.']),
      ...(kept ? ['Answers that a person kept for the run are not applied here.'] : []),
      ...(now === decision
        ? []
        : [`The log records another decision under the policies of its run: ${textOf(decision)}`]),
    ],
  };
}

/** Empty if the entry has none. */
function listIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** The entry, and the names of what its run had been permitted before. */
async function entryAt(
  file: string,
  seq: number,
): Promise<{ readonly entry: LogEntry; readonly history: readonly string[] }> {
  const histories = createHistories();
  try {
    for await (const { entry, file: segment } of readLog(file)) {
      const before = histories.accept(entry.run, entry);
      if (entry.seq === seq && segment === resolve(file))
        return { entry, history: before().map(({ name }) => name) };
    }
  } catch (error) {
    throw error instanceof LogError ? new UnusableError(error.message, 'ambit log verify FILE') : error;
  }
  throw new UnusableError(`there is no entry ${seq} in this log`, 'ambit log tail FILE');
}
