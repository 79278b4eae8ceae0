import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { isUnder } from '@ambit/toolsets';
import type { Effect } from '../effect.js';
import { text } from '../word.js';
import type { Scene, World } from '../world.js';
import type { ProgramSpec } from './entry/spec.js';

/** Files that a program reads by itself if they exist: `data`, or `options`, which may be any option. */
export function ofSettings({ settings = {} }: ProgramSpec, scene: Scene): readonly Effect[] {
  return Object.entries(settings).flatMap(([written, kind]): readonly Effect[] =>
    placesOf(written, scene).flatMap((path) => ofFile(path, kind, { written, world: scene.world })),
  );
}

interface Setting {
  readonly written: string;
  readonly world: World;
}

/** `path` is null if the program's folder is unknown. */
function ofFile(path: string | null, kind: string, { written, world }: Setting): readonly Effect[] {
  if (path !== null && !mayBeNew(path, world) && world.listing.kind(path) === null) return [];
  const read: Effect = { kind: 'path', access: 'read', word: text(path ?? written), by: 'program' };
  const [, key = null] = /^options if (\w+)$/.exec(kind) ?? [];
  if (kind === 'data' || (key !== null && path !== null && lacksKey(path, key, world))) return [read];
  return [read, { kind: 'opaque', why: `\`${written.replace('^/', '')}\` may hold options for it` }];
}

function placesOf(written: string, { folder, world }: Scene): readonly (string | null)[] {
  if (written.startsWith('~/')) return [posix.join(world.home, written.slice(2))];
  if (folder.real === null) return [null];
  if (!written.startsWith('^/')) return [posix.join(folder.real, written)];
  const places: string[] = [];
  for (let at = folder.real; ; at = posix.dirname(at)) {
    places.push(posix.join(at, written.slice(2)));
    if (at === '/') return places;
  }
}

/** Whether an earlier command of the line may have created it. */
function mayBeNew(path: string, { changes }: World): boolean {
  return [...changes.created, ...changes.open, ...changes.links].some((each) => isUnder(path, each));
}

/** Whether the file certainly is a JSON object without this key. */
function lacksKey(path: string, key: string, world: World): boolean {
  if (mayBeNew(path, world)) return false;
  const value: unknown = orNull(() => JSON.parse(readFileSync(path, 'utf8')) as unknown);
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, key);
}
