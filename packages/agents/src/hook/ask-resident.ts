import { lstatSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { isOwn, isPrivate, readOwn, stateFolder } from '@ambit/runtime';
import type { Written } from '../clients/client.js';
import type { HookOptions } from './answer-hook.js';

/** The socket of the resident judge of a state folder, and the key that its answers show. */
export function residentPlaces(environment: HookOptions['environment']) {
  const folder = join(stateFolder(environment), 'resident');
  return { folder, socket: join(folder, 'judge.sock'), key: join(folder, 'key') };
}

/** The request to the resident judge: one line of JSON. */
export interface ResidentRequest {
  readonly text: string;
  readonly options: HookOptions;
}

/**
 * What it answers. Only who can read the key can show it. A code over both would take longer than all else here, and would hold off
 * nobody more: who can put a socket into the folder can read the key.
 */
export interface ResidentAnswer {
  /** In hexadecimal. */
  readonly key: string;
  readonly written: Written;
}

/** The most characters of an answer. */
const mostAnswer = 1_000_000;

/** The machine's own policy. */
const machinePolicy = '/etc/ambit/policy.yaml';

/**
 * The answer of the resident judge. Null for every doubt: the hook then judges by itself. A policy that this user cannot change is
 * never judged there, because the resident judge is this user's process.
 */
export async function askResident(text: string, options: HookOptions): Promise<Written | null> {
  try {
    if (!mayUseResident(options)) return null;
    const { folder, socket, key } = residentPlaces(options.environment);
    const status = lstatSync(socket);
    const isOurs = status.isSocket() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
    if (!isPrivate(folder) || !isOurs) return null;
    const request: ResidentRequest = { text, options: { ...options, startedBy: process.ppid } };
    const patience = (options.deadline - Date.now()) / 2;
    const answer = JSON.parse(await exchange(socket, JSON.stringify(request), patience)) as ResidentAnswer;
    return answer.key === readOwn(key).toString('hex') ? answer.written : null;
  } catch {
    return null;
  }
}

/** Whether all policies that are given could be changed by this user, and the machine has none of another's. It holds no call. */
export function mayUseResident({
  policies,
  program,
  approvals = 'client',
}: Pick<HookOptions, 'policies' | 'program' | 'approvals'>): boolean {
  const isManaged =
    lstatSync(machinePolicy, { throwIfNoEntry: false }) !== undefined && !isOwn(machinePolicy);
  return program !== undefined && approvals === 'client' && !isManaged && policies.every(isOwn);
}

function exchange(socket: string, line: string, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const connection = createConnection(socket, () => connection.end(`${line}\n`));
    connection
      .setEncoding('utf8')
      .setTimeout(Math.max(1, patience), () => connection.destroy(new Error('late')));
    connection.on('data', (part: string) => {
      answer += part;
      if (answer.length > mostAnswer) connection.destroy(new Error('too long'));
    });
    connection.on('error', reject).on('close', () => resolve(answer));
  });
}
