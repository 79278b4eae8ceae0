import { posix } from 'node:path';
import type { Capability, JsonObject } from '@ambit/core';
import type { Scope } from '../state/scope.js';
import { textOf, type Word } from '../word.js';
import type { Folder } from '../world.js';
import { placeOf } from './places.js';

/** A program as rules see it. */
export interface Named {
  /** In canonical form: a bare name, or paths as named and as real. */
  readonly programs: readonly string[];
  /** The name of its entry; null if no entry may apply. */
  readonly entry: string | null;
}

/** The most characters of the words in a fact. */
const mostCharacters = 8_000;

/** `argv` and `cwd`, as far as they are known. */
export function runFacts(words: readonly Word[], folder: Folder | undefined): JsonObject {
  const texts = words.map(textOf);
  const argv = texts.filter((text) => text !== null);
  const isWhole =
    argv.length === texts.length && argv.reduce((sum, text) => sum + text.length, 0) < mostCharacters;
  return { ...(isWhole && { argv }), ...(folder?.real != null && { cwd: folder.real }) };
}

/** Reports a builtin that runs. */
export function reportRun(words: readonly Word[], scope: Scope): void {
  const [first] = words;
  const program = textOf(first);
  if (program === null) return;
  const [folder, ...others] = scope.state.folders;
  scope.walk.report.add({
    name: 'proc.exec',
    program,
    ...runFacts(words, others.length === 0 ? folder : undefined),
  });
}

export function nameOf(name: string, folder: Folder, { walk }: Scope): Named {
  if (!name.includes('/')) return { programs: [name], entry: name };
  const { named, real } = placeOf(name, folder, walk.world);
  const programs = [...new Set([named, ...(real === null ? [] : [real])])];
  // A file with the name of a known program may be another program, and so may the target of a link.
  const own = posix.basename(name);
  const isIn = (path: string) => walk.searchPath.includes(posix.dirname(path));
  const isSystem = real !== null && isIn(real) && isVersionOf(posix.basename(real), own);
  // Behind a link, `..` leads elsewhere than the name says.
  const isNamedThere = isIn(named) && !name.split('/').includes('..');
  return { programs, entry: isSystem || isNamedThere ? own : null };
}

/** `python3.11` is a version of `python`, and each program is one of itself. */
function isVersionOf(program: string, name: string): boolean {
  return program.startsWith(name) && /^-?[\d.]*$/.test(program.slice(name.length));
}

/** A capability with the program that does it, where it says nothing else. */
export function withBy(capability: Capability, by: string): Capability {
  const { name } = capability;
  const isDoer = /^(?:fs|net|code)\.|^secret\.read$|^vcs\.read$/.test(name);
  return isDoer && !Object.hasOwn(capability, 'by') ? { ...capability, by } : capability;
}
