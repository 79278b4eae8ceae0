import type { Toolset } from '@ambit/core';
import {
  type Entry,
  expectKind,
  expectKindOrEmpty,
  quote,
  type Reporting,
  type Source,
} from '@ambit/policy/yaml';
import type { ToolsetFactory } from './given-toolsets.js';

/** Shared state while a worker file is read. */
export interface WorkerReading extends Reporting {
  readonly source: Source;
  readonly neighbours: WorkerNeighbours;
}

/** The possible references of a worker file. */
export interface WorkerNeighbours {
  /** Where the file is, and where modules are looked for; absolute. */
  readonly folder: string;
  /** The names of the workers of the folder. */
  readonly workers: readonly string[];
  /** Made in code. */
  readonly shared: readonly (Pick<Toolset, 'name' | 'tools'> | ToolsetFactory)[];
}

/** A whole number, at least 1 by default. */
export function readLimit(
  entry: Entry | undefined,
  reporting: Reporting,
  { least = 1, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
  const node = entry === undefined ? undefined : expectKind(entry.value, ['number'], reporting);
  if (node === undefined) return undefined;
  if (Number.isSafeInteger(node.value) && node.value >= least && node.value <= most) return node.value;
  reporting.problems.add('BAD_VALUE', node.span, {
    message: `${node.value} is not a limit`,
    help:
      most === Number.MAX_SAFE_INTEGER
        ? `a whole number, ${least} or more`
        : `a whole number from ${least} to ${most}`,
  });
  return undefined;
}

/** A list of suffixes such as `.pdf`; null for none. */
export function readSuffixes(entry: Entry | undefined, reporting: Reporting): readonly string[] | null {
  const list = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['list'], reporting);
  if (list === undefined) return null;
  return list.items.flatMap((item) => {
    const suffix = expectKind(item, ['text'], reporting);
    if (suffix === undefined) return [];
    if (/^\.[^/\s]+$/.test(suffix.value)) return [suffix.value];
    reporting.problems.add('BAD_VALUE', suffix.span, {
      message: `${quote(suffix.value)} is not the end of a file's name`,
      help: 'a dot, and what follows it: `.pdf`',
    });
    return [];
  });
}
