import type { Objects } from './objects.js';

/** The newest of these commits, or of those that one leads to, as `git log` shows them: by date, children before parents. */
export function newest(
  objects: Objects,
  from: ReadonlySet<string> | string,
  count: number,
): readonly string[] {
  const commits = typeof from === 'string' ? new Set([objects.peel(from).id]) : from;
  const isAny = commits !== from;
  const inner = new Set(isAny ? [] : [...commits].flatMap((id) => objects.commit(id).parents));
  const waiting = [...commits].filter((id) => !inner.has(id));
  const seen = new Set(waiting);
  const found: string[] = [];
  while (found.length < count) {
    const next = latest(objects, waiting);
    if (next === -1) break;
    const [id = ''] = waiting.splice(next, 1);
    found.push(id);
    for (const parent of objects.commit(id).parents) {
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
