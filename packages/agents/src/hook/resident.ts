import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createOnce } from '@ambit/audit';
import { orNull } from '@ambit/core';
import {
  isPrivate,
  keepSessions,
  makePrivate,
  type openClientSession,
  readOwn,
  stateFolder,
} from '@ambit/runtime';
import { mostInput } from '../clients/fields.js';
import { answerHook, type HookOptions } from './answer-hook.js';
import { mayUseResident, type ResidentAnswer, type ResidentRequest, residentPlaces } from './ask-resident.js';

export interface ResidentOptions {
  readonly environment: HookOptions['environment'];
  /** The digest of this program. Calls of another program are not answered. */
  readonly program: string;
  /** The idle time in milliseconds after which the process ends. */
  readonly idle: number;
}

const keyBytes = 32;

/**
 * Judges hook calls in a long-lived process, exactly as the hook would, with policies and log read anew. Its own socket
 * replaces an earlier one. Resolves at its end: when idle, when another process replaces it, or at once if the state
 * folder is missing, which the starting hook has created.
 */
export async function runResident({ environment, program, idle }: ResidentOptions): Promise<void> {
  const { folder, socket, key } = residentPlaces(environment);
  if (!existsSync(stateFolder(environment))) return;
  await makePrivate(stateFolder(environment), folder);
  if (!isPrivate(folder)) throw new Error(`${folder} is not a private folder`);
  // Any new key is as good: one that cannot be used would keep each hook without a resident judge.
  const isThere = lstatSync(key, { throwIfNoEntry: false }) !== undefined;
  if (isThere && orNull(() => readOwn(key))?.length !== keyBytes) rmSync(key);
  await createOnce(key, randomBytes(keyBytes));
  const secret = readOwn(key);
  if (secret.length !== keyBytes) throw new Error(`${key} is not a private key of ${keyBytes} bytes`);
  let [open, last] = [0, Date.now()];
  const sessions = keepSessions();
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    open += 1;
    connection
      .on('error', () => undefined)
      .on('close', () => {
        open -= 1;
        last = Date.now();
      });
    void answer(connection, { program, secret, state: stateFolder(environment), open: sessions.open });
  });
  // No other user can connect meanwhile, because this user owns the folder.
  const own = join(folder, `judge-${process.pid}.sock`);
  rmSync(own, { force: true });
  await listening(server, own);
  chmodSync(own, 0o600);
  renameSync(own, socket);
  const { ino } = lstatSync(socket);
  const hasPlace = () => lstatSync(socket, { throwIfNoEntry: false })?.ino === ino;
  await new Promise<void>((resolve) => {
    const timer = setInterval(
      () => {
        if (open > 0 || (hasPlace() && Date.now() - last < idle)) return;
        clearInterval(timer);
        if (hasPlace()) rmSync(socket, { force: true });
        server.close(() => resolve());
      },
      Math.min(idle, 1000),
    );
  });
  await sessions.close();
}

async function listening(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
}

/** Closes the connection without an answer unless the input is one complete call of this exact program. */
async function answer(
  connection: Socket,
  {
    program,
    secret,
    state,
    open,
  }: {
    readonly program: string;
    readonly secret: Buffer;
    readonly state: string;
    readonly open: typeof openClientSession;
  },
): Promise<void> {
  try {
    const line = await lineOf(connection);
    const { text, options } = JSON.parse(line) as ResidentRequest;
    // Reads only the input of a hook; an approval is not part of it.
    const {
      client,
      stage,
      policies,
      environment,
      searchPath,
      deadline,
      startedBy,
      confines = false,
    } = options;
    const isOurs = options.program === program && stateFolder(environment) === state;
    if (!isOurs || !mayUseResident(options)) throw new Error('not for this judge');
    const given = { client, stage, policies, environment, program, deadline, startedBy, confines };
    const written = await answerHook(text, searchPath === undefined ? given : { ...given, searchPath }, open);
    const shown: ResidentAnswer = { key: secret.toString('hex'), written };
    connection.end(`${JSON.stringify(shown)}\n`);
  } catch {
    connection.destroy();
  }
}

async function lineOf(connection: Socket): Promise<string> {
  connection.setEncoding('utf8');
  const parts: string[] = [];
  let size = 0;
  for await (const part of connection.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    size += part.length;
    parts.push(part);
    if (size > 3 * mostInput) throw new Error('too long');
    // Of the part: to look at the end of the joined text, V8 copies it each time.
    if (part.endsWith('\n')) return parts.join('').slice(0, -1);
  }
  throw new Error('the call is not whole');
}
