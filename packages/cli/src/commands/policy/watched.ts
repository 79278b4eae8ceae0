import { dirname, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { printable } from '@ambit/core';
import { markOf } from '@ambit/runtime';
import { type Exit, sayFailure, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';

/** Milliseconds. */
const pause = 250;

/** With `watch`, repeats the work when a file that it read changes, until the user interrupts. */
export async function watched(
  host: Host,
  paths: readonly string[],
  {
    watch = false,
    json,
    work,
  }: Pick<OptionsOf<'check'>, 'watch' | 'json'> & { readonly work: (host: Host) => Promise<Exit> },
): Promise<Exit> {
  if (!watch) return work(host);
  if (json) throw new UnusableError('--watch and --json exclude each other', 'leave one of them out');
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  try {
    for (;;) {
      const marks = new Map<string, string>();
      // Marked before it is read, so that no change is missed. A folder changes with its files.
      const onRead = (path: string) => {
        for (const each of [path, dirname(path)]) if (!marks.has(each)) marks.set(each, markOf(each));
      };
      for (const path of paths) onRead(resolve(host.folder, path));
      const exit = await work({ ...host, onRead }).catch((error: unknown) =>
        sayFailure(error, { argv: [], host }),
      );
      await write(host.stderr, 'watching; ctrl-C ends\n');
      const changed = await firstChange(marks, end.signal);
      if (changed === null) return exit;
      await write(host.stderr, `\nchanged: ${printable(relative(host.folder, changed) || '.')}\n`);
    }
  } finally {
    quiet();
  }
}

/** Null if the user interrupts. */
async function firstChange(marks: ReadonlyMap<string, string>, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    for (const [path, mark] of marks) if (markOf(path) !== mark) return path;
    await wait(pause, undefined, { signal }).catch(() => undefined);
  }
  return null;
}
