import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ApprovalEvent,
  Decision,
  DecisionEvent,
  EndEvent,
  OutcomeEvent,
  Question,
  RunEvent,
} from '@ambit/core';
import { onTestFinished } from 'vitest';
import { createLog, type FileLog } from '../src/index.js';

export const key = Buffer.alloc(32, 7);
const now = Date.UTC(2026, 10, 20, 10);

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ambit-log-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A log that is closed after the test. */
export async function openLog(file: string, run = 'r1'): Promise<FileLog> {
  const log = await createLog({ file, run, key });
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

export function decisionEvent(
  call: string,
  decision: Decision | null = 'pre_approved',
  args: DecisionEvent['args'] = {},
): DecisionEvent {
  const base = {
    now,
    event: 'decision',
    call,
    chain: ['main'],
    tool: 'filesystem.write_file',
    args,
    context: {},
    history: [],
    grants: [],
  } as const;
  if (decision === null) return { ...base, decision, code: 'bad_input', why: 'no path' };
  return {
    ...base,
    decision,
    capabilities: [{ name: 'fs.write', path: '/w/a.md' }],
    judgements: [
      {
        capability: 0,
        policy: 'policy.yaml',
        decision,
        default: false,
        rules: [{ id: 'ask', at: 'policy.yaml:3:5', decision }],
        undecided: [],
        answer: decision === 'needs_approval' ? 'any' : null,
        answered_by: null,
      },
    ],
    reason: 'files are looked at',
    instead: null,
  };
}

export function question(call: string, args: Question['args'] = {}): Question {
  return {
    id: 'q1',
    call,
    chain: ['main'],
    tool: 'filesystem.write_file',
    args,
    capabilities: [{ capability: { name: 'fs.write', path: '/w/a.md' }, words: 'write /w/a.md' }],
    asked_by: [],
    reason: 'files are looked at',
    instead: null,
    keep: null,
    preview: null,
    again: null,
  };
}

export function approvalEvent(call: string, approved: boolean): ApprovalEvent {
  const base = { now, event: 'approval', call, how: 'person', who: 'alice', approved } as const;
  return { ...base, keep: null, edited: false, note: null, question: question(call) };
}

export function outcomeEvent(call: string): OutcomeEvent {
  return { now, event: 'outcome', call, outcome: 'completed' };
}

export function endEvent(): EndEvent {
  return { now, event: 'end', status: 'finished', why: null, totals: { calls: 1 } };
}
