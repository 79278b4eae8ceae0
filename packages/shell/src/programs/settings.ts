import { posix } from 'node:path';
import { isUnder } from '@ambit/toolsets';
import type { Effect } from '../effect.js';
import { text } from '../word.js';
import type { Scene } from '../world.js';
import type { ProgramSpec } from './entry/spec.js';

/**
 * Files that a program reads by itself if they exist: `data`, or `options`, which may have the effect of any
 * option.
 */
export function ofSettings({ settings = {} }: ProgramSpec, scene: Scene): readonly Effect[] {
  return Object.entries(settings).flatMap(([written, kind]): readonly Effect[] => {
    const path = placeOf(written, scene);
    if (path !== null && !mayBeThere(path, scene)) return [];
    const read: Effect = { kind: 'path', access: 'read', word: text(path ?? written), by: 'program' };
    if (kind === 'data') return [read];
    return [read, { kind: 'opaque', why: `\`${written}\` may hold options for it` }];
  });
}

/** Null if the program's folder is unknown. */
function placeOf(written: string, { folder, world }: Scene): string | null {
  if (written.startsWith('~/')) return posix.join(world.home, written.slice(2));
  return folder.real === null ? null : posix.join(folder.real, written);
}

/** Whether it exists, or an earlier command of the line may have created it. */
function mayBeThere(path: string, { world: { listing, changes } }: Scene): boolean {
  const isMade = [...changes.created].some((each) => isUnder(path, each));
  const isOpen = [...changes.open, ...changes.links].some((each) => isUnder(path, each));
  return isMade || isOpen || listing.kind(path) !== null;
}
