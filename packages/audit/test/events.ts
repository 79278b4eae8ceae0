import type { ApprovalEvent, LogEvent, OutcomeEvent, Question, RunEvent } from '@ambit/core';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { createLog, type FileLog, parseSigningKey } from '../src/index.js';
import { key, now } from './decision-event.js';

export { decisionEvent, key } from './decision-event.js';

/** A folder that is removed after the test. */
export const folder = () => temporaryFolder('ambit-log-');

/** A log that is closed after the test. */
export async function openLog(file: string, run = 'r1', secret: string | null = null): Promise<FileLog> {
  const signer = parseSigningKey(secret ?? '');
  const log = await createLog({ file, run, key, ...(signer === null ? {} : { signer }) });
  onTestFinished(() => log.close());
  return log;
}

export function runEvent(): RunEvent {
  return {
    now,
    event: 'run',
    version: '1',
    user: 'u',
    machine: 'm',
    mode: 'strict',
    context: {},
    workers: {},
    toolsets: {},
  };
}

export function question(call: string, args: Question['args'] = {}): Question {
  return {
    id: 'q1',
    call,
    chain: ['main'],
    tool: 'filesystem.write_file',
    summary: null,
    args,
    capabilities: [{ capability: { name: 'fs.write', path: '/w/a.md' }, words: 'write /w/a.md' }],
    asked_by: [],
    reason: 'files are looked at',
    rule: null,
    instead: null,
    keep: null,
    preview: null,
    again: null,
  };
}

export function approvalEvent(call: string, approved: boolean): ApprovalEvent {
  const base = {
    now,
    event: 'approval',
    call,
    how: 'person',
    who: { person: 'alice', approval: `approval-${call}` },
    approved,
  } as const;
  return { ...base, keep: null, edited: false, note: null, question: question(call) };
}

export function outcomeEvent(call: string): OutcomeEvent {
  return { now, event: 'outcome', call, outcome: 'completed' };
}

export function endEvent(): LogEvent {
  return { now, event: 'end', status: 'finished', why: null, totals: { calls: 1 } };
}
