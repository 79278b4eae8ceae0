import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { type GuardChange, type GuardWatch, isJsonObject, type JsonObject } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
import { jsonWithComments } from '../clients/json-with-comments.js';
import { mayHaveHooks, type SettingsPlaces, settingsFiles } from '../clients/settings-files.js';
import { textOf } from '../clients/text-of.js';

/**
 * The state of the files that guard a session: by path, the link target and a digest. Missing files are left
 * out.
 */
export type GuardFiles = Readonly<Record<string, string>>;

/** Settings that a client writes for its user, and that no hook depends on. */
const harmless: ReadonlySet<string> = new Set(
  'permissions model theme effortLevel outputStyle ui ide tui notice model_reasoning_effort'.split(' '),
);

/** The current settings that contain the client's hooks. */
export async function guardFiles(client: ClientName, places: SettingsPlaces): Promise<GuardFiles> {
  const named = await settingsFiles(client, places);
  const found = await Promise.all(
    named.map(async ([, path]): Promise<readonly [string, string] | null> => {
      const text = await textOf(path).catch(() => '\0');
      if (text === null || (/\.md$/i.test(path) && !mayHaveHooks(text))) return null;
      const real = await realpath(path).catch(() => path);
      const digest = createHash('sha256')
        .update(await relevant(path, text))
        .digest('hex');
      return [path, `${real} ${digest}`];
    }),
  );
  return Object.fromEntries(found.filter((each) => each !== null));
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
  const of = (files: GuardFiles, path: string) => (Object.hasOwn(files, path) ? files[path] : undefined);
  const changes = paths.flatMap((path): readonly GuardChange[] => {
    const [before, after] = [of(first, path), of(now, path)];
    if (before === after) return [];
    const how = before === undefined ? 'appeared' : after === undefined ? 'gone' : 'changed';
    return [{ path, what: 'agent settings', how }];
  });
  return { compare: () => changes, around: () => () => [] };
}
