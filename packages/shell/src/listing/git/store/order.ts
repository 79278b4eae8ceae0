import type { Maybe } from '../../pattern.js';
import type { Objects } from './objects.js';

/** Which commits a log shows, null if it may show one, and which parents it goes to. */
export interface Choice {
  readonly shows?: (id: string) => Maybe;
  readonly parentsOf?: (id: string) => readonly string[];
}

/**
 * The newest of these commits, or of those that the listed ones lead to, as `git log` shows them: by date, children before parents.
 * Those that it may show are more than `count`.
 */
export function newest(
  objects: Objects,
  from: ReadonlySet<string> | readonly string[],
  count: number,
  { shows = () => true, parentsOf = (id) => objects.commit(id).parents }: Choice = {},
): readonly string[] {
  const commits = from instanceof Set ? from : new Set([...from].map((id) => objects.peel(id).id));
  const isAny = commits !== from;
  const inner = new Set(isAny ? [] : [...commits].flatMap(parentsOf));
  const waiting = [...commits].filter((id) => !inner.has(id));
  const seen = new Set(waiting);
  const found: string[] = [];
  for (let left = count; left > 0; ) {
    const next = latest(objects, waiting);
    if (next === -1) break;
    const [id = ''] = waiting.splice(next, 1);
    const isShown = shows(id);
    if (isShown !== false) found.push(id);
    if (isShown === true) left -= 1;
    for (const parent of parentsOf(id)) {
      if (seen.has(parent) || !(isAny || commits.has(parent))) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return found;
}

function latest(objects: Objects, waiting: readonly string[]): number {
  let best = -1;
  let time = Number.NEGATIVE_INFINITY;
  for (const [at, id] of waiting.entries()) {
    const own = objects.commit(id).time;
    if (own > time) [best, time] = [at, own];
  }
  return best;
}

/**
 * The commits that lead to each other, newest first as in git: 1 for what `ones` lead to, 2 for `others`, 3 for the first that
 * both lead to, 7 for those before them. Goes on until `isLast` holds for all that are left.
 */
export function marked(
  objects: Objects,
  ones: readonly string[],
  others: readonly string[],
  isLast: (mark: number) => boolean,
): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const waiting: string[] = [];
  const add = (id: string, mark: number) => {
    const before = marks.get(id) ?? 0;
    if ((before | mark) === before) return;
    marks.set(id, before | mark);
    if (!waiting.includes(id)) waiting.push(id);
  };
  for (const [mark, ids] of [ones, others].entries())
    for (const id of ids) add(objects.peel(id).id, mark + 1);
  // Git also takes some more steps, for clocks that were wrong.
  for (let spare = 5, since = 0; spare > 0; ) {
    const [id] = waiting.splice(latest(objects, waiting), 1);
    if (id === undefined) break;
    const mark = marks.get(id) ?? 0;
    const { parents, time } = objects.commit(id);
    for (const parent of parents) add(parent, mark === 3 ? 7 : mark);
    if (!isLast(mark)) since = time;
    const isOver = time < since && waiting.every((each) => isLast(marks.get(each) ?? 0));
    spare = isOver ? spare - 1 : 5;
  }
  return marks;
}
