import { errorCode, type Json, type Tool } from '@ambit/core';
import * as z from 'zod';
import { readContained } from '../contained/read-contained.js';
import { textOf } from '../contained/text.js';
import { mostBytes } from '../roots/access.js';
import type { RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { atOnce, fileTool } from '../tools/file-tool.js';
import { linesFound, lineTest } from './line-search.js';
import { type FilesSearched, mostFileBytes, planSearch } from './search-plan.js';

/** A pattern with a slash would match no name, where a model means a folder. */
const name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\.{1,2}$)[^/\0]+$/, 'a name without `/`, such as `*.ts`: `path` is the folder to look in');
const names = z.array(name).max(50);

const input = z.strictObject({
  pattern: z.string().min(1).max(500).describe('what to look for, within one line'),
  path: z.string().default('.').describe('a folder, with all below it, or a file; `.` for all there is'),
  regular_expression: z
    .boolean()
    .default(false)
    .describe('the pattern is a regular expression in the syntax of RE2'),
  ignore_case: z.boolean().default(false).describe('ignore the case of letters'),
  files: names.default(['*']).describe('names of files to look into, with `*` and `?`: `*.ts`'),
  except: names
    .default(['.git', 'node_modules'])
    .describe('names of files and folders to leave out, with `*` and `?`'),
});
type FileSearch = z.output<typeof input>;

const mostLines = 200;

/** Milliseconds. */
const mostTime = 10_000;

/** The files that are read together: enough to keep the disk busy, and few enough to hold at once. */
const atATime = 16;

export function searchFilesTool(roots: Roots): Tool<FileSearch> {
  return fileTool({
    name: 'search_files',
    description:
      'Looks for a text in files, line by line. Links are not followed; files that hold secrets are looked into only when they are named.',
    input,
    turn: atOnce,
    plan: async (search) => {
      const test = lineTest(search);
      return planSearch(search, { roots, problem: 'problem' in test ? test.problem : null });
    },
    perform: (search, plan) => searched(search, plan, roots),
  });
}

async function searched(search: FileSearch, plan: FilesSearched, roots: Roots): Promise<Json> {
  const test = lineTest(search);
  if ('problem' in test) throw new TypeError('a search has no test');
  const end = Date.now() + mostTime;
  const matches: { path: string; line: number; text: string }[] = [];
  const left_out = { ...plan.left_out, binary: 0 };
  let files = 0;
  for (let first = 0; first < plan.files.length; first += atATime) {
    if (matches.length > mostLines || Date.now() > end) break;
    const group = plan.files.slice(first, first + atATime);
    for (const [index, found] of (await textsOf(group, plan, roots)).entries()) {
      if (matches.length > mostLines || Date.now() > end) break;
      files += 1;
      const path = group[index]?.shown ?? '';
      if ('why' in found) {
        left_out[found.why] += 1;
        continue;
      }
      const lines = linesFound(found.text, { test, most: mostLines + 1 - matches.length, end });
      matches.push(...lines.map((line) => ({ path, ...line })));
    }
  }
  const isCut = matches.length > mostLines;
  return {
    path: plan.places[0]?.shown ?? '.',
    matches: matches.slice(0, mostLines),
    files,
    left_out,
    rest: restOf({ isCut, unread: plan.files.length - files, isLate: Date.now() > end }),
  };
}

type Found = { readonly text: string } | { readonly why: 'binary' | 'unreadable' };

/** Rejects for a named file that may not be read; among others it is left out. */
function textsOf(
  files: readonly RealPlace[],
  { places: [named] }: FilesSearched,
  roots: Roots,
): Promise<readonly Found[]> {
  return Promise.all(
    files.map(async (file): Promise<Found> => {
      const limit = Math.min(mostBytes(file, roots), mostFileBytes);
      try {
        const text = textOf((await readContained(file, { roots, limit })).bytes);
        return text === null ? { why: 'binary' } : { text };
      } catch (error) {
        if (file.real === named?.real || errorCode(error) !== 'EACCES') throw error;
        return { why: 'unreadable' };
      }
    }),
  );
}

function restOf(of: { isCut: boolean; unread: number; isLate: boolean }): string | null {
  if (of.isCut) return `there are more than ${mostLines} lines: look for something rarer, or in fewer files`;
  if (of.isLate)
    return `${of.unread} files and the rest of the last one were not looked into in time: look in fewer files`;
  return null;
}
