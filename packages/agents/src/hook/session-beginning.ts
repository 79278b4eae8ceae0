import { hash } from 'node:crypto';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce } from '@ambit/audit';
import { foldersUp, isJsonObject, type JsonObject, jsonOr, orNull } from '@ambit/core';
import { type Environment, makePrivate, stateFolder } from '@ambit/runtime';
import { type ClientCall, HookInputError } from '../clients/client-call.js';
import { textOf } from '../clients/settings-text.js';
import { givenTo } from './agent-start.js';
import { type GuardFiles, guardFiles, skillsSince } from './guard-files.js';

/** The state at the start of a session, for all its calls. */
export interface Beginning {
  /**
   * The work tree, or otherwise the folder, of the first call. A later call may have another folder, which is
   * not a root.
   */
  readonly project: string;
  /** The folder of the first call. The client may read its settings there. */
  readonly started: string;
  readonly guards: GuardFiles;
}

/** The state at the start of a session, and the guarding files at this call. */
export interface SessionAtCall extends Beginning {
  /** The session of the first agent. */
  readonly session: string;
  readonly now: GuardFiles;
}

/**
 * Stores the state of the session at its first call, and reads it at later calls. Throws if it cannot be
 * read.
 */
export async function beginningOf(
  { client, session: own, parent, folder, tool }: ClientCall,
  {
    environment,
    startedBy = process.ppid,
  }: {
    readonly environment: Environment;
    readonly startedBy?: number | undefined;
  },
): Promise<SessionAtCall> {
  const state = stateFolder(environment);
  const fileOf = (id: string) => {
    const name = hash('sha256', `${client}\0${id}`).slice(0, 32);
    return join(state, 'sessions', name);
  };
  const create = async (id: string, value: JsonObject) => {
    await makePrivate(state, join(state, 'sessions'));
    await createOnce(fileOf(id), JSON.stringify(value));
  };
  // A sub-agent of a sub-agent names only the nearest one.
  const nearest = storedIn(fileOf(parent ?? own));
  const { within } = nearest ?? {};
  const session = typeof within === 'string' ? within : (parent ?? own);
  if (session !== own && storedIn(fileOf(own)) === null) await create(own, { within: session });
  const file = fileOf(session);
  const known = beginningIn(session === (parent ?? own) ? nearest : storedIn(file));
  const started = known?.started ?? realFolder(folder);
  const project = known?.project ?? workTreeOf(started);
  if (realFolder(project) !== project)
    throw new HookInputError(`${project} is a link since this session began: begin a new session`);
  const home = environment.HOME ?? '/';
  const given = client === 'claude-code' ? givenTo(startedBy, { home, project: started }) : null;
  const places = { home, project: started, environment, given };
  const now = await guardFiles(client, places);
  if (known !== null) {
    const isLoading = client === 'claude-code' && tool === 'Skill';
    const late = isLoading ? await skillsSince(places, lstatSync(file).ctimeMs) : {};
    return { ...known, session, now: { ...now, ...late } };
  }
  // Of several simultaneous calls, the first one sets the state.
  await create(session, { project, started, guards: now });
  return { ...(beginningIn(storedIn(file)) ?? { project, started, guards: now }), session, now };
}

function realFolder(folder: string): string {
  const real = orNull(() => realpathSync.native(folder));
  if (real !== null && statSync(real).isDirectory()) return real;
  const why = `the folder ${folder} is missing, is a file or cannot be read`;
  throw new HookInputError(`${why}: begin a new session in another one`);
}

function storedIn(file: string): JsonObject | null {
  const text = textOf(file);
  if (text === null) return null;
  const value = jsonOr(text, null);
  if (!isJsonObject(value)) throw unreadable;
  return value;
}

function beginningIn(stored: JsonObject | null): Beginning | null {
  if (stored === null) return null;
  const { project, started, guards } = stored;
  if (typeof project !== 'string' || typeof started !== 'string' || !isJsonObject(guards)) throw unreadable;
  return { project, started, guards: guards as GuardFiles };
}

const unreadable = new HookInputError('the beginning of this session cannot be read: begin a new session');

/**
 * The nearest folder that contains `.git`, from the given folder upwards; the given folder if there is none.
 */
export function workTreeOf(folder: string): string {
  return foldersUp(folder).find((at) => orNull(() => lstatSync(join(at, '.git'))) !== null) ?? folder;
}
