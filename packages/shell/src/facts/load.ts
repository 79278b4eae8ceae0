import { existsSync } from 'node:fs';
import type { JsonObject } from '@ambit/core';
import type { Scope } from '../state/scope.js';
import { textOf, type Word } from '../word.js';
import { type Folder, mayHaveChanged } from '../world.js';
import { contentOf, filesFact } from './content.js';
import { placeOf } from './places.js';
import { touch } from './touch.js';

export interface Loading {
  readonly word: Word;
  readonly folder: Folder;
  /** The program, or `shell`. */
  readonly by: string;
}

/**
 * Reports that code is loaded from a file, with its digest if exactly this content is loaded. Otherwise
 * returns facts about the unknown part for an opaque program, else null.
 */
export function loadCode({ word, folder, by }: Loading, scope: Scope): JsonObject | null {
  const { report, world } = scope.walk;
  touch(word, { access: 'read', by: 'program' }, { folder, by, scope });
  const path = textOf(word);
  if (path === null) {
    report.add({ name: 'code.load', path: { paths: [], open: true }, by });
    return null;
  }
  const { named, real } = placeOf(path, folder, world);
  const content = real === null ? null : contentOf(real, world);
  const isSure =
    content !== null && 'sha256' in content && real !== null && !mayHaveChanged(real, world.changes);
  for (const each of new Set([named, real]))
    report.add({
      name: 'code.load',
      path: each ?? { paths: [], open: true },
      ...(isSure && { sha256: content.sha256 }),
      by,
    });
  return isSure || real === null ? null : filesFact([real], world);
}

/** The file that `source` reads: a name without a slash is sought in the search path, then in the folder. */
export function sourcedWord(word: Word, { walk }: Scope): Word {
  const name = textOf(word);
  if (name === null || name === '' || name.includes('/')) return word;
  const folder = walk.searchPath.find((each) => existsSync(`${each}/${name}`));
  return folder === undefined ? word : { kind: 'text', text: `${folder}/${name}` };
}
