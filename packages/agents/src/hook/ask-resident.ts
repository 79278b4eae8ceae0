import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isOwn, isPrivate, readOwn, stateFolder } from '@ambit/runtime';
import type { Written } from '../clients/client.js';
import type { HookOptions } from './answer-hook.js';
import { openPipe } from './pipe.js';

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
 * Its answer, in one line. Only a reader of the key can produce it. A code over both would take longer, and stop no one
 * else: a process that can put a socket into the folder can read the key.
 */
export interface ResidentAnswer {
  /** In hexadecimal. */
  readonly key: string;
  readonly written: Written;
}

/** The most bytes of an answer. */
const mostAnswer = 1_000_000;

/** The machine's own policy. */
const machinePolicy = '/etc/ambit/policy.yaml';

/**
 * The answer of the resident judge; null in case of doubt, and the hook then judges by itself. A policy that this user
 * cannot change is never judged there, because the resident judge is this user's process. It connects before it reads the
 * input, and so both begin at once.
 */
export async function askResident(
  input: () => Promise<string | null>,
  options: HookOptions,
): Promise<Written | null> {
  try {
    if (!mayUseResident(options)) return null;
    const { folder, socket, key } = residentPlaces(options.environment);
    const status = lstatSync(socket);
    const isOurs = status.isSocket() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
    if (!isPrivate(folder) || !isOurs) return null;
    const connection = connect(socket);
    const text = await input().catch(() => null);
    if (text === null) {
      connection.close();
      return null;
    }
    const request: ResidentRequest = { text, options: { ...options, startedBy: process.ppid } };
    const exchanged = connection.exchange(JSON.stringify(request), (options.deadline - Date.now()) / 2);
    // Read while the resident judge works.
    const expected = ownKey(key);
    const answer = JSON.parse(await exchanged) as ResidentAnswer;
    return expected !== null && answer.key === expected ? answer.written : null;
  } catch {
    return null;
  }
}

/** Whether this user could change all given policies, and the machine has none of another user. */
export function mayUseResident({
  policies,
  program,
  approvals = 'client',
}: Pick<HookOptions, 'policies' | 'program' | 'approvals'>): boolean {
  const isManaged =
    lstatSync(machinePolicy, { throwIfNoEntry: false }) !== undefined && !isOwn(machinePolicy);
  return program !== undefined && approvals === 'client' && !isManaged && policies.every(isOwn);
}

function ownKey(path: string): string | null {
  try {
    return readOwn(path).toString('hex');
  } catch {
    return null;
  }
}

/** One line in each direction: neither side waits for the end of the other. */
function connect(path: string) {
  const parts: Buffer[] = [];
  let size = 0;
  let end!: (error: Error | null) => void;
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => {
      pipe.close();
      if (error === null) resolve(Buffer.concat(parts).toString());
      else reject(error);
    };
  });
  // It may fail before anyone waits for it.
  ended.catch(() => undefined);
  const part = (bytes: Buffer) => {
    size += bytes.length;
    parts.push(bytes);
    if (bytes.at(-1) === newline) end(null);
    else if (size > mostAnswer) end(new Error('too long'));
  };
  const pipe = openPipe(path, { part, end });
  return {
    close: () => pipe.close(),
    exchange(line: string, patience: number): Promise<string> {
      const late = setTimeout(() => end(new Error('late')), Math.max(1, patience));
      pipe.write(`${line}\n`);
      return ended.finally(() => clearTimeout(late));
    },
  };
}

const newline = 10;
