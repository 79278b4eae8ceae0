import { posix } from 'node:path';
import { foldersUp } from '@ambit/core';
import type { Effect } from '../../effect.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { lacksKeys } from '../../programs/settings.js';
import { text, textOf, type Word } from '../../word.js';
import { type Context, mayExist, mayHaveChanged } from '../../world.js';
import { Walked } from '../collected.js';
import { has, pathEffects } from '../options.js';
import { startAt } from '../start.js';
import { packed } from './packed.js';

/** `npm publish`: the files that it packs. Scripts of the package are not described. */
export const npmPublish: Lister = (reading, context) => packedEffects(reading, context).effects;

/** `npm pack`: the files that it packs, and the archives that it writes. */
export const npmPack: Lister = (reading, context) => {
  const { effects, archives } = packedEffects(reading, context);
  // `--pack-destination` is described by the table.
  if (has(reading, '--pack-destination') || isDry(reading)) return effects;
  const writes =
    archives === null
      ? pathEffects('write', [text('.')], { deep: true })
      : pathEffects('write', archives.map(text));
  return [...effects, ...writes];
};

/** A value may be `--dry-run=false`. */
function isDry(reading: Reading): boolean {
  return has(reading, '--dry-run') && reading.open === null;
}

/** The names of the archives are null if unknown. */
function packedEffects(reading: Reading, context: Context) {
  const into = new Walked();
  const operands = reading.operands.length === 0 ? [text('.')] : reading.operands;
  const isUnsure = reading.open !== null || reading.folder !== null || has(reading, others);
  const archives = operands.map((word) => addPacked(into, word, context, isUnsure));
  if (reading.open !== null) into.addUnknown();
  const isRemote = operands.some((word) => !isLocal(textOf(word)));
  const known = archives.filter((name) => name !== null);
  const isKept = isDry(reading);
  const read = into.effects().map((effect) => (isKept ? { ...effect, isKept } : effect));
  const effects: readonly Effect[] = [...read, ...(isRemote ? [connection] : [])];
  return { effects, archives: known.length === archives.length ? known : null };
}

/** Options that pack the folders of other packages, or that name another folder. */
const others = '-w --workspace --workspaces --include-workspace-root --prefix -C';

const connection: Effect = { kind: 'connect', to: null, scheme: 'https' };

/** The name of the archive; null if unknown. */
function addPacked(into: Walked, word: Word, context: Context, isUnsure: boolean): string | null {
  const named = textOf(word);
  if (named !== null && registryName.test(named)) return null;
  if (named === null || !isLocal(named)) {
    into.addUnknown();
    return null;
  }
  const start = startAt(named, context, true);
  const { found, reads, archive } = packed(start, context, isUnsure);
  // Links are not packed, but a start that is a file is an archive.
  into.add(found, {
    reads: ({ kind, depth }) => kind === 'file' || (depth === 0 && kind !== 'folder'),
  });
  for (const path of reads) into.files.paths.add(path);
  return archive;
}

/** Whether npm takes the word for a folder or an archive. */
function isLocal(named: string | null): boolean {
  if (named === null || /[@:\\]/.test(named)) return false;
  return /^\.{0,2}(?:\/|$)/.test(named) || /^\w[\w.-]*\.(?:tgz|tar|tar\.gz)$/.test(named);
}

/** A package of the registry, with its version or tag. */
const registryName =
  /^(?!.*\.(?:tgz|tar|tar\.gz)$)(?:@[\w.-]+\/)?[\w-][\w.-]*(?:@[\w^~<>=*-][\w.^~<>=*-]*)?$/;

/**
 * `npm ls` reads the manifests of what is installed in its project: the nearest folder, upwards, with a manifest or packages,
 * or one above it whose manifest may have workspaces.
 */
export const npmInstalled: Lister = (_, { folder: { real }, world }) => {
  if (real === null) return 'its project is unknown';
  const projects: string[] = [];
  let isFound = false;
  for (const folder of foldersUp(real)) {
    const [manifest, modules] = [posix.join(folder, 'package.json'), posix.join(folder, 'node_modules')];
    const isThere = (path: string, kind: string) =>
      world.listing.kind(path) === kind && !mayHaveChanged(path, world.changes);
    const mayBeAround = mayExist(manifest, world) && !lacksKeys(manifest, 'workspaces', world);
    if (isFound ? mayBeAround : mayExist(manifest, world) || mayExist(modules, world)) projects.push(modules);
    isFound ||= isThere(manifest, 'file') || isThere(modules, 'folder');
  }
  return pathEffects('read', projects.map(text), { deep: true, ends: ['/package.json'] });
};
