import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isJsonObject } from '@ambit/core';
import type { Way } from '../filesystem/follow.js';
import { followOnce } from './follow-once.js';
import type { Here } from './here.js';
import { placesOf } from './places.js';

/** Whether a command word is the program that judges, answers and records runs. */
export function isOwnProgram(text: string, here: Here): boolean {
  return isNamedSo(text) || (text.includes('/') && isOwnFile(text, here));
}

/** The same of a file that an interpreter is to run. */
export function isOwnFile(text: string, here: Here): boolean {
  const { looks } = here.walk.world;
  const paths = placesOf(text, here).flatMap(({ named, real }) => [named, ...(real === null ? [] : [real])]);
  return isNamedSo(text) || paths.some((path) => isNamedSo(path) || isInPackage(path, looks));
}

function isNamedSo(path: string): boolean {
  return /(?:^|\/)ambit(?:@[^/]*)?(?:\.(?:cmd|ps1|exe))?$|(?:^|[/:])@ambit\/cli(?:@[^/]*)?(?:\/|$)/.test(
    path,
  );
}

/** Whether a file lies in the package of the program, whatever it is called there. */
function isInPackage(path: string, looks: Map<string, Way>): boolean {
  for (let folder = path; folder !== '/'; folder = posix.dirname(folder)) {
    const way = followOnce(`${folder}/package.json`, looks);
    // A device or a pipe is never read.
    if (way.real !== null && way.stat?.isFile() === true && way.stat.size <= mostBytes)
      return nameIn(way.real) === '@ambit/cli';
  }
  return false;
}

const mostBytes = 1_000_000;

function nameIn(file: string): unknown {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isJsonObject(said) ? said.name : null;
  } catch {
    return null;
  }
}
