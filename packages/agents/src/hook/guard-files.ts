import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import {
  type GuardChange,
  type GuardWatch,
  isJsonObject,
  type JsonObject,
  orNull,
  ownMember,
} from '@ambit/core';
import { type ClientName, HookInputError } from '../clients/client-call.js';
import { mayHaveHooks, skillsBelow } from '../clients/notes.js';
import { addedFolders, type SettingsPlaces, settingsFiles } from '../clients/settings-files.js';
import { jsonWithComments, readableTextOf } from '../clients/settings-text.js';

/**
 * The state of the files that guard a session: by path, the link target and a digest. Missing files are left
 * out.
 */
export type GuardFiles = Readonly<Record<string, string>>;

/** Settings that a client writes for its user, and that do not affect hooks. */
const harmless: ReadonlySet<string> = new Set(
  'permissions model theme effortLevel outputStyle ui ide tui notice model_reasoning_effort'.split(' '),
);

/** The current settings that contain the client's hooks. */
export async function guardFiles(client: ClientName, places: SettingsPlaces): Promise<GuardFiles> {
  return stateOf(settingsFiles(client, places).map(([, path]) => path));
}

/**
 * The skills with hooks in folders below that changed since then, in milliseconds since 1970. A client loads them late, and their
 * hooks once the skill is used. Throws if there are too many folders to look through.
 */
export async function skillsSince(places: SettingsPlaces, since: number): Promise<GuardFiles> {
  const skills = skillsBelow([places.project, ...addedFolders(places)]);
  if (skills === null)
    throw new HookInputError(
      `${places.project} has too many folders to look through for skills with hooks: begin the session in a folder below`,
    );
  // A program can set every time of a file except this one.
  return stateOf(skills.filter((path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since));
}

async function stateOf(paths: readonly string[]): Promise<GuardFiles> {
  const found = paths.map(async (path): Promise<readonly [string, string] | null> => {
    const text = readableTextOf(path);
    if (text === null || (/\.md$/i.test(path) && !mayHaveHooks(text))) return null;
    const real = orNull(() => realpathSync.native(path)) ?? path;
    return [path, `${real} ${hash('sha256', await relevant(path, text))}`];
  });
  return Object.fromEntries((await Promise.all(found)).filter((each) => each !== null));
}

/** All settings that are not known to be harmless; the whole text if it cannot be read. */
async function relevant(path: string, text: string): Promise<string> {
  try {
    const value = path.endsWith('.json')
      ? jsonWithComments(text)
      : path.endsWith('.toml')
        ? (await import('smol-toml')).parse(text)
        : null;
    return isJsonObject(value) ? JSON.stringify(withoutHarmless(value)) : text;
  } catch {
    return text;
  }
}

function withoutHarmless(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !harmless.has(name)));
}

/** Compares the files of the session's first call with the files of this call. */
export function watchOf(first: GuardFiles, now: GuardFiles): GuardWatch {
  const paths = [...new Set([...Object.keys(first), ...Object.keys(now)])].sort();
  const of = (files: GuardFiles, path: string) => ownMember(files, path);
  const changes = paths.flatMap((path): readonly GuardChange[] => {
    const [before, after] = [of(first, path), of(now, path)];
    if (before === after) return [];
    const how = before === undefined ? 'appeared' : after === undefined ? 'gone' : 'changed';
    return [{ path, what: 'agent settings', how }];
  });
  return { compare: () => changes, around: () => () => [] };
}
