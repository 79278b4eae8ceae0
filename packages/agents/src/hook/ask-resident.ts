import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { isOwn, isPrivate, readOwn, stateFolder } from '@ambit/runtime';
import type { Written } from '../clients/client.js';
import type { HookOptions } from './answer-hook.js';

/** Where the resident judge of a state folder listens, and the key that its answers are made with. */
export function residentPlaces(environment: HookOptions['environment']) {
  const folder = join(stateFolder(environment), 'resident');
  return { folder, socket: join(folder, 'judge.sock'), key: join(folder, 'key') };
}

/** What is sent to the resident judge: one line of JSON. */
export interface ResidentRequest {
  readonly nonce: string;
  readonly text: string;
  readonly options: HookOptions;
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
    const nonce = randomBytes(16).toString('hex');
    const request: ResidentRequest = { nonce, text, options: { ...options, startedBy: process.ppid } };
    const line = JSON.stringify(request);
    const { mac, written } = JSON.parse(await exchange(socket, line, (options.deadline - Date.now()) / 2));
    const expected = macOf(readOwn(key), line, written);
    return timingSafeEqual(Buffer.from(String(mac)), Buffer.from(expected)) ? JSON.parse(written) : null;
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

/** Binds an answer to its request: only who can read the key can make it. */
export function macOf(key: Uint8Array, request: string, written: string): string {
  return createHmac('sha256', key).update(`${request.length}\n${request}${written}`).digest('hex');
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
