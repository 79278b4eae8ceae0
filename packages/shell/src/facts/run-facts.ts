import type { JsonObject } from '@ambit/core';
import type { Scope } from '../state/scope.js';
import { textOf, type Word } from '../word.js';
import type { Folder } from '../world.js';

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
