import { posix } from 'node:path';
import { type Capability, isJsonObject, orNull } from '@ambit/core';
import { followNow, readPlain } from '@ambit/toolsets';
import type { Scope } from '../state/scope.js';
import type { Folder } from '../world.js';
import { placeOf } from './places.js';

/** Names of this program, which judges, answers and records runs. */
export const runningAmbit: Capability = { name: 'sys.guard', what: 'running ambit', program: 'ambit' };

/** Whether a command word is the program that judges, answers and records runs. */
export function isOwnProgram(text: string, folder: Folder, scope: Scope): boolean {
  return isNamedSo(text) || (text.includes('/') && isOwnFile(text, folder, scope));
}

/** Whether a file that an interpreter runs is that program. */
export function isOwnFile(text: string, folder: Folder, scope: Scope): boolean {
  const { named, real } = placeOf(text, folder, scope.walk.world);
  const paths = [named, ...(real === null ? [] : [real])];
  return isNamedSo(text) || paths.some((path) => isNamedSo(path) || isInPackage(path));
}

function isNamedSo(path: string): boolean {
  return /(?:^|\/)ambit(?:@[^/]*)?(?:\.(?:cmd|ps1|exe))?$|(?:^|[/:])@ambit\/cli(?:@[^/]*)?(?:\/|$)/.test(
    path,
  );
}

/** Whether a file lies in the package of the program, under any name. */
function isInPackage(path: string): boolean {
  for (let folder = path; folder !== '/'; folder = posix.dirname(folder)) {
    const way = followNow(`${folder}/package.json`);
    // Devices and pipes are never read.
    if (way.real !== null && way.stat?.isFile() === true && way.stat.size <= mostBytes)
      return nameIn(way.real) === '@ambit/cli';
  }
  return false;
}

const mostBytes = 1_000_000;

function nameIn(file: string): unknown {
  const said: unknown = orNull(() => JSON.parse(readPlain(file, mostBytes).toString()) as unknown);
  return isJsonObject(said) ? said.name : null;
}
