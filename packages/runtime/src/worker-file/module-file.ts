import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { foldersUp, orNull } from '@ambit/core';

/** The file of a module: a path from the folder, or a package. Throws for a file that is not regular. */
export function resolveModule(key: string, folder: string): string | null {
  requirePlainManifests(key, folder);
  const path = orNull(() => createRequire(`${folder}/`).resolve(key));
  if (path === null || !isAbsolute(path)) return path;
  requirePlainManifests(path, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a file`);
  return path;
}

/** Refuses an irregular `package.json` on Node's search path: reading a pipe would block forever. */
export function requirePlainManifests(key: string, folder: string): void {
  const isPath = /^(\.{0,2}\/|\.{1,2}$)/.test(key);
  const [package_] = /^(@[^/]+\/)?[^/]+/.exec(key) ?? [];
  // A path may lead to a folder, whose own `package.json` names the module.
  const folders = foldersUp(isPath ? resolve(folder, key) : folder);
  const manifests = folders.flatMap((each) => [
    join(each, 'package.json'),
    ...(isPath || package_ === undefined ? [] : [join(each, 'node_modules', package_, 'package.json')]),
  ]);
  for (const manifest of manifests) if (isIrregular(manifest)) throw new Error(`${manifest} is not a file`);
}

function isIrregular(path: string): boolean {
  // Below a file, or in an unreadable folder, Node finds nothing either.
  return orNull(() => statSync(path, { throwIfNoEntry: false })?.isFile()) === false;
}
