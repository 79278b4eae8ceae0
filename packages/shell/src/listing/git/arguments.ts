import { relative, resolve } from 'node:path';
import type { Word } from '../../word.js';
import { mayExist, mayHaveChanged } from '../../world.js';
import { pathspecOf, type Request, textsOf } from './request.js';
import { everyPath, type Pathspec } from './work/pathspec.js';

/** Revisions and paths among the operands of a command, as git tells them apart. */
export interface Arguments {
  /** As written. */
  readonly revisions: readonly string[];
  /** Whether an operand is unknown, or may be a revision or a path. */
  readonly isUnsure: boolean;
  /** Operands that are neither a revision nor a file, nor a pattern. */
  readonly missing: readonly string[];
  readonly paths: readonly Word[];
  readonly spec: Pathspec;
}

/** Null if paths lead out of the work tree. */
export function readArguments(request: Request, isRevision: (text: string) => boolean): Arguments | null {
  const { before, after } = splitAtDashes(request);
  const revisions: string[] = [];
  const paths: Word[] = [];
  const missing: string[] = [];
  let isUnsure = request.reading.open !== null;
  for (const word of before) {
    const texts = textsOf(word);
    if (texts?.length !== 1) isUnsure = true;
    if (texts === null) continue;
    const [text = ''] = texts;
    if (after !== null) revisions.push(...texts);
    else if (paths.length > 0 || texts.length !== 1) paths.push(word);
    else {
      const path = resolve(request.folder, text);
      const isFile = request.world.listing.kind(path) !== null;
      const isOne = isRevision(text);
      // `:/text` is a commit by its message, or a file.
      if (
        /^:\/./.test(text) &&
        isOne &&
        !mayExist(resolve(request.repository?.tree ?? '/', text.slice(2)), request.world)
      )
        revisions.push(text);
      else if (/^:\/./.test(text)) isUnsure = true;
      else if (/^:(?:[(!^]|\/$)/.test(text)) paths.push(word);
      else if (isFile && !isOne) paths.push(word);
      else if (isOne && !isFile) revisions.push(text);
      else if (/[*?[]/.test(text) && !text.includes('^{')) paths.push(word);
      else {
        isUnsure = true;
        if (!isFile && !isOne && !mayHaveChanged(path, request.world.changes)) missing.push(text);
      }
    }
  }
  if (after !== null) paths.push(...after);
  const spec = isUnsure && after === null ? everyPath : pathspecOf(request, paths);
  return spec === null ? null : { revisions, isUnsure, missing, paths, spec };
}

/** The path in `REVISION:path` below `base`; null without one. */
export function pathIn(text: string, folder: string, base: string): string | null {
  const path = /^(?::[0-3](?=:)|[^:]*):([^/].*)$/s.exec(text)?.[1];
  return path === undefined ? null : relative(base, resolve(/^\.\.?\//.test(path) ? folder : base, path));
}

/** The operands before `--` and those after it; null for the latter without `--`. */
export function splitAtDashes({ reading }: Request): {
  before: readonly Word[];
  after: readonly Word[] | null;
} {
  const { sequence } = reading;
  const at = sequence.findIndex((item) => item.kind === 'ignored' && item.text === '--');
  const wordsOf = (items: typeof sequence) =>
    items.flatMap((item) => (item.kind === 'operand' ? [item.word] : []));
  if (at === -1) return { before: wordsOf(sequence), after: null };
  return { before: wordsOf(sequence.slice(0, at)), after: wordsOf(sequence.slice(at)) };
}
