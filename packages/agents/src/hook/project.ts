import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createWhole } from '@ambit/audit';
import { isJsonObject } from '@ambit/core';
import { makePrivate, stateFolder } from '@ambit/runtime';
import type { ClientCall } from '../clients/client-call.js';
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
export interface Call extends Beginning {
  readonly now: GuardFiles;
}

/**
 * Stores the state of the session at its first call, and reads it at later calls. Throws if it cannot be
 * read.
 */
export async function beginningOf(
  { client, session, parent, folder, tool }: ClientCall,
  {
    environment,
    startedBy = process.ppid,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly startedBy?: number | undefined;
  },
): Promise<Call> {
  const state = stateFolder(environment);
  const name = createHash('sha256')
    .update(`${client}\0${parent ?? session}`)
    .digest('hex')
    .slice(0, 32);
  const file = join(state, 'sessions', name);
  const text = textOf(file);
  const known = text === null ? null : read(text);
  const started = known?.started ?? (await realpath(folder));
  const project = known?.project ?? (await workTreeOf(started));
  const home = environment.HOME ?? '/';
  const given = client === 'claude-code' ? await givenTo(startedBy, { home, project: started }) : null;
  const places = { home, project: started, environment, given };
  const now = await guardFiles(client, places);
  if (known !== null) {
    const isLoading = client === 'claude-code' && tool === 'Skill';
    const late = isLoading ? await skillsSince(places, (await lstat(file)).ctimeMs) : {};
    return { ...known, now: { ...now, ...late } };
  }
  await makePrivate(state, join(state, 'sessions'));
  // Of several simultaneous calls, the first one sets the state.
  await createWhole(file, JSON.stringify({ project, started, guards: now })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return { ...read(textOf(file) ?? ''), now };
}

function read(text: string): Beginning {
  const value: unknown = text.startsWith('{') ? JSON.parse(text) : null;
  if (!isJsonObject(value) || typeof value.project !== 'string' || !isJsonObject(value.guards))
    throw new Error('what this session began with cannot be read: begin a new session');
  const { project, guards } = value;
  const started = typeof value.started === 'string' ? value.started : project;
  return { project, started, guards: guards as GuardFiles };
}

/**
 * The nearest folder that contains `.git`, from the given folder upwards; the given folder if there is none.
 */
async function workTreeOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const isTree = await lstat(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isTree) return at;
    if (dirname(at) === at) return folder;
  }
}
