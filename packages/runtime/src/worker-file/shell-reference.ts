import { isAbsolute } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { type Entry, expectKind, expectKindOrEmpty, quote, valueIn, word } from '@ambit/policy/yaml';
import { limit, type WorkerReading } from './worker-reading.js';

/** Besides `approvals`. */
export const shellKeys = ['timeout', 'isolation', 'writes', 'search_path'] as const;

/** Whether commands are confined: never, where this machine can, or else no command runs. */
export const isolations = ['off', 'if_possible', 'required'] as const;

/** The folders of described writes, or all writable roots. */
const writes = ['described', 'roots'] as const;

/** Seconds. */
const mostTime = 3600;

export interface ShellSettings {
  /** Seconds. */
  readonly timeout: number;
  readonly isolation: (typeof isolations)[number];
  readonly writes: (typeof writes)[number];
  readonly search_path: readonly string[] | null;
}

export function checkShellReference(
  entries: Partial<Readonly<Record<(typeof shellKeys)[number], Entry>>>,
  reading: WorkerReading,
): void {
  const one = (entry: Entry | undefined, words: readonly string[], what: string) =>
    valueIn(word(words, { what }), entry, reading);
  valueIn(limit({ most: mostTime }), entries.timeout, reading);
  one(entries.isolation, isolations, 'a way to confine commands');
  one(entries.writes, writes, 'what a confined command may write');
  if (entries.search_path === undefined) return;
  const list = expectKindOrEmpty(entries.search_path.value, ['list'], reading);
  for (const item of list?.items ?? []) {
    const text = expectKind(item, ['text'], reading);
    if (text === undefined || (isAbsolute(text.value) && !text.value.includes(':'))) continue;
    reading.problems.add('BAD_VALUE', text.span, {
      message: `${quote(text.value)} is not a folder to find programs in`,
      help: 'an absolute path',
    });
  }
}

export function shellSettings({ timeout, isolation, writes: may, search_path }: JsonObject): ShellSettings {
  return {
    timeout: typeof timeout === 'number' ? timeout : 120,
    isolation: isolations.find((word) => word === isolation) ?? 'if_possible',
    writes: writes.find((word) => word === may) ?? 'described',
    search_path: Array.isArray(search_path) ? search_path.map(String) : null,
  };
}
