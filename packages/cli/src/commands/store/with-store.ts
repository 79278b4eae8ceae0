import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@ambit/audit';
import { withId } from '@ambit/core';
import {
  inStore,
  memoryStore,
  openStateFolder,
  type RunRecord,
  type Store,
  type StoredQuestion,
  stateFolderOf,
} from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/** A missing store is empty, and is not created. */
export async function withStore<T>(
  { environment, folder }: Host,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const file = join(await stateFolderOf(environment, folder), 'runs.db');
  if ((await ifThere(lstat(file))) === null) return work(memoryStore());
  return inStore(await openStateFolder(environment, folder), work);
}

export function questionsAndRuns(host: Host) {
  return withStore(host, async (store) => [await store.questions(), await store.runs()] as const);
}

/** The only one whose id is `wanted`, or begins with it. Throws for none or several. */
export function byId<T>(
  things: readonly T[],
  wanted: string,
  { noun, idOf, list }: { readonly noun: string; readonly idOf: (thing: T) => string; readonly list: string },
): T {
  const like = withId(things, wanted, idOf);
  const [first, ...others] = like;
  if (first === undefined)
    throw new UnusableError(`there is no ${noun} \`${wanted}\` here`, near(things.map(idOf), wanted) ?? list);
  if (others.length > 0)
    throw new UnusableError(
      `${like.length} ${noun}s begin with \`${wanted}\``,
      `one of ${like.slice(0, 6).map(idOf).join(', ')}${like.length > 6 ? ', …' : ''}`,
    );
  return first;
}

/** Ids with the longest common beginning, or with the text in them; without any, where they are. */
function near(ids: readonly string[], wanted: string): string | null {
  if (ids.length === 0)
    return 'nothing is stored for this folder: go to the folder of the project, the top of a work tree';
  const within = wanted.length < 3 ? [] : ids.filter((id) => id.includes(wanted));
  const common = (id: string) => {
    let length = 0;
    while (length < wanted.length && id[length] === wanted[length]) length += 1;
    return length;
  };
  const most = Math.max(0, ...ids.map(common));
  // An id begins with the time, which is common to all ids of one day.
  const likely = within.length > 0 ? within : most < 4 ? [] : ids.filter((id) => common(id) === most);
  return likely.length === 0 ? null : `did you mean ${likely.slice(0, 3).join(' or ')}?`;
}

export function runNamed(runs: readonly RunRecord[], id: string): RunRecord {
  return byId(runs, id, { noun: 'run', idOf: (run) => run.id, list: 'ambit runs list' });
}

export async function questionNamed(store: Store, id: string): Promise<StoredQuestion> {
  return byId(await store.questions(), id, {
    noun: 'question',
    idOf: ({ question }) => question.id,
    list: 'ambit approvals list --all',
  });
}
