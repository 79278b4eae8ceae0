import { printable } from '@ambit/core';
import { canGoOn, type RunRecord, runStatus } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, type Printing, print, write } from '../../host.js';
import { runNamed, withStore } from './with-store.js';

/** Deletes the named or old runs from the store; none if one of them is running. */
export async function runsForget(
  host: Host,
  ids: readonly string[],
  { older, json }: Printing & { readonly older?: number },
): Promise<Exit> {
  if (ids.length === 0 && older === undefined)
    throw new UnusableError('no run given', 'ambit runs forget RUN, or --older DAYS');
  const { forgotten, kept } = await withStore(host, async (store) => {
    const runs = await store.runs();
    const named = ids.map((id) => runNamed(runs, id));
    requireOver(named);
    const wanted = new Set([...named, ...(older === undefined ? [] : runs.filter(endedBefore(older)))]);
    const [gone, stay]: [string[], string[]] = [[], []];
    for (const run of wanted) ((await store.forget(run)) ? gone : stay).push(run.id);
    return { forgotten: gone, kept: stay };
  });
  if (json) await print(host, { forgotten, kept });
  else {
    for (const id of forgotten) await print(host, `${printable(id)} is deleted`);
    if (forgotten.length + kept.length === 0) await write(host.stderr, 'no run is old enough\n');
    for (const id of kept)
      await write(host.stderr, `${printable(id)} was resumed meanwhile; it is not deleted\n`);
  }
  return kept.length === 0 ? exits.done : exits.bad;
}

function requireOver(runs: readonly RunRecord[]): void {
  const running = runs.find((run) => runStatus(run) === 'running');
  if (running === undefined) return;
  throw new UnusableError(
    `the run \`${running.id}\` is running; nothing was deleted`,
    `end it first: it is process ${running.pid}`,
  );
}

/** Resumable runs are removed only by name. */
function endedBefore(days: number): (run: RunRecord) => boolean {
  const time = Date.now() - days * 86_400_000;
  return (run) => !canGoOn(run) && run.since < time;
}
