import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { isBehindLink } from '../changes.js';
import { followOnce } from '../follow-once.js';
import type { Here } from '../here.js';
import type { Folder } from '../state.js';
import type { Word } from '../word.js';
import { compact, type Field, wordOf } from './fields.js';
import { hasPattern, matches, namePattern, type PatternPiece } from './pattern.js';

/** The most files that a pattern stands for. */
const mostNames = 200;
const mostLooked = 5_000;

/** The files that a pattern matches by now, each a word; itself where there are none, or nothing in it is a pattern. */
export function fileNames(field: Field, here: Here): readonly Word[] {
  const { pieces } = field;
  const texts = pieces.flatMap((piece) => ('gap' in piece ? [] : [piece]));
  if (here.state.modes.has_no_globs || !hasPattern(texts)) return [wordOf(field)];
  here.walk.seen.has_pattern = true;
  const known = texts.length === pieces.length ? knownNames(texts, here) : null;
  return known ?? [unknownNames(field)];
}

/** The text up to the folder in which the pattern matches, and a gap for the rest. */
function unknownNames({ pieces }: Field): Word {
  const parts = pieces.map((piece) => ('gap' in piece ? piece.gap : piece.text));
  const first = pieces.findIndex((piece) => 'gap' in piece || hasPattern([piece]));
  const start = parts
    .slice(0, first)
    .filter((part) => typeof part === 'string')
    .join('');
  const piece = parts[first];
  const before = start + (typeof piece === 'string' ? piece.slice(0, piece.search(/[*?[]/)) : '');
  const folder = before.slice(0, before.lastIndexOf('/') + 1);
  const text = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  return compact([folder, { kind: 'glob', text: text.slice(folder.length) }]);
}

function knownNames(pieces: readonly PatternPiece[], here: Here): readonly Word[] | null {
  const { state, walk } = here;
  const [folder, ...others] = state.folders;
  const isUsual = !state.modes.has_other_globs && others.length === 0 && folder !== undefined;
  if (!isUsual || walk.world.changes.is_open || !walk.report.spend(10)) return null;
  const segments = bySegment(pieces);
  const isAbsolute = segments.length > 1 && segments[0]?.length === 0;
  const start = isAbsolute ? { text: '/', folder: { named: '/', real: '/' } } : { text: '', folder };
  let found: readonly Match[] = [start];
  for (const segment of isAbsolute ? segments.slice(1) : segments) {
    const next = found.map((match) => step(match, segment, here));
    if (next.includes(null)) return null;
    found = next.flatMap((matches) => matches ?? []);
    if (found.length > mostNames) return null;
  }
  const words = found.map(({ text }): Word => ({ parts: [text] }));
  const literal: Word = { parts: [textOfPieces(pieces)] };
  if (words.length === 0) return [literal];
  return segments.some((segment) => namePattern(segment).is_rough) ? null : words;
}

interface Match {
  readonly text: string;
  readonly folder: Folder;
  /** Whether a pattern was in it, so that it has to be there. */
  readonly is_found?: true;
}

function step(match: Match, segment: readonly PatternPiece[], here: Here): readonly Match[] | null {
  const name = textOfPieces(segment);
  if (name === '') return [{ ...match, text: match.text.endsWith('/') ? match.text : `${match.text}/` }];
  if (!hasPattern(segment)) {
    const next = below(match, name, here);
    const isThere = match.is_found !== true || namesIn(match.folder, here)?.includes(name) !== false;
    return isThere ? [next] : [];
  }
  const names = namesIn(match.folder, here);
  if (names === null) return null;
  const pattern = namePattern(segment);
  return [...names]
    .sort()
    .filter((each) => matches(each, pattern))
    .map((each) => ({ ...below(match, each, here), is_found: true }));
}

function below({ text, folder: { named, real }, is_found }: Match, name: string, here: Here): Match {
  const next = text === '' || text.endsWith('/') ? `${text}${name}` : `${text}/${name}`;
  const folder = {
    named: posix.join(named, name),
    real: real === null ? null : followOnce(`${real}/${name}`, here.walk.world.looks).real,
  };
  return { text: next, folder, ...(is_found === true && { is_found }) };
}

function namesIn({ real }: Folder, { walk }: Here): readonly string[] | null {
  const { changes } = walk.world;
  if (real === null || isBehindLink(real, changes)) return null;
  const written = [...changes.written]
    .filter((path) => posix.dirname(path) === real)
    .map((path) => posix.basename(path));
  try {
    const names = readdirSync(real);
    return names.length > mostLooked ? null : [...new Set([...names, ...written])];
  } catch (error) {
    return isNotThere(error) ? written : null;
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function bySegment(pieces: readonly PatternPiece[]): readonly (readonly PatternPiece[])[] {
  const segments: PatternPiece[][] = [[]];
  for (const { text, is_quoted } of pieces) {
    text.split('/').forEach((part, index) => {
      if (index > 0) segments.push([]);
      if (part !== '') segments[segments.length - 1]?.push({ text: part, is_quoted });
    });
  }
  return segments;
}

function textOfPieces(pieces: readonly PatternPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
