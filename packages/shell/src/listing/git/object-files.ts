import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Capability, orNull, pathFact, remembered } from '@ambit/core';
import { gitObject } from '@ambit/toolsets';
import { joinPath } from '../../files/listing.js';
import { mayHaveChanged, mayHaveChangedBelow, type World } from '../../world.js';
import { everythingOf } from './everything.js';
import { History } from './store/history.js';
import { readIndex } from './store/index-file.js';
import { type Objects, UnknownObject, withObjects } from './store/objects.js';
import { readReferences } from './store/references.js';
import { findRepository, type Repository } from './store/repository.js';
import { isSecret } from './store/secret-names.js';

/** The well-known secrets whose content these files may hold, by their paths in a history; or why that is unknown. */
export function secretsInObjects(paths: readonly string[], world: World): readonly Capability[] {
  const byFolder = new Map<string, string[]>();
  const reals = new Map<string, string>();
  const realOf = (folder: string) =>
    remembered(reals, folder, () => orNull(() => realpathSync(folder)) ?? folder);
  for (const path of paths) {
    const folder = gitObject.exec(path)?.[1];
    const isThere = existsSync(path) || mayHaveChanged(path, world.changes);
    if (folder !== undefined && (isThere || !existsSync(`${folder}/objects`)))
      remembered(byFolder, realOf(folder), () => []).push(path);
  }
  return [...byFolder].flatMap(([folder, files]) => {
    const found = secretsIn(folder, files, world);
    if (typeof found !== 'string') return found;
    const why = `it reads files with the objects of git, which may hold secrets: ${found}`;
    return [{ name: 'proc.exec.opaque', why }];
  });
}

function secretsIn(folder: string, files: readonly string[], world: World): readonly Capability[] | string {
  // A git folder alone does not say where its work tree is.
  const found = findRepository(basename(folder) === '.git' ? dirname(folder) : folder);
  if (found === null || typeof found === 'string' || found.common !== folder)
    return 'no repository is found there';
  if (mayHaveChangedBelow(folder, world.changes)) return 'an earlier command may have changed them';
  try {
    return withObjects(folder, (objects) => secretsOf(found, objects, files, world));
  } catch (error) {
    if (!(error instanceof UnknownObject)) throw error;
    return error.message;
  }
}

function secretsOf(
  repository: Repository,
  objects: Objects,
  files: readonly string[],
  world: World,
): ReturnType<typeof secretsIn> {
  const base = repository.tree ?? repository.own;
  const references = readReferences(repository);
  if (references === null) return 'its references are unknown';
  const history = new History(objects, base, world.roots.homes);
  const ids = files.map((path) => gitObject.exec(path)?.[2]?.replace('/', ''));
  // A commit and a folder hold names.
  const isBlob = (id: string) => objects.find(id)?.kind === 'blob';
  const blobs = new Set(ids.flatMap((id) => (id !== undefined && isBlob(id) ? [id] : [])));
  for (const { path, id } of readIndex(repository)?.entries ?? [])
    if (!isSecret(joinPath(base, path), world.roots.homes)) blobs.delete(id);
  const isPlain = history.arePlain(references, blobs);
  if (isPlain && !ids.includes(undefined)) return [];
  const secrets = [...everythingOf({ repository, world }, { references, history })];
  if (secrets.length > 0)
    return [{ name: 'secret.read', path: pathFact(secrets.map((path) => joinPath(base, path))) }];
  return isPlain ? [] : 'one was never committed';
}
