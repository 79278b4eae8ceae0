import type { Maybe } from '../../pattern.js';
import type { Objects } from './objects.js';

/** How a log goes through commits. */
export interface Choice {
  /** Whether it shows a commit; null if it may. */
  readonly shows?: (id: string) => Maybe;
  readonly parentsOf?: (id: string) => readonly string[];
  /** The commits to which it goes; null for all. */
  readonly within?: ReadonlySet<string> | null;
  /** Children before parents: the newest first, or one line of history after the other. Otherwise, clocks may be wrong. */
  readonly childrenFirst?: 'newest' | 'lines' | null;
}

/** The first commits that `git log` shows from these on, by date. Those that it may show are more than `count`. */
export function newest(
  objects: Objects,
  tips: readonly string[],
  count: number,
  { shows = () => true, within = null, childrenFirst = null, ...more }: Choice = {},
): readonly string[] {
  const { parentsOf = (id) => objects.commit(id).parents } = more;
  const isIn = (id: string) => within === null || within.has(id);
  const starts = tips.map((id) => objects.peel(id).id).filter(isIn);
  const ordered = byDate(objects, starts, (id) => parentsOf(id).filter(isIn));
  const found: string[] = [];
  let left = count;
  if (left <= 0) return found;
  for (const id of childrenFirst === null ? ordered : sorted(objects, [...ordered], childrenFirst)) {
    const isShown = shows(id);
    if (isShown !== false) found.push(id);
    if (isShown === true) left -= 1;
    if (left === 0) break;
  }
  return found;
}

function* byDate(
  objects: Objects,
  starts: readonly string[],
  parentsOf: (id: string) => readonly string[],
): Generator<string> {
  const seen = new Set(starts);
  const waiting = [...seen];
  for (let at = latest(objects, waiting); at !== -1; at = latest(objects, waiting)) {
    const [id = ''] = waiting.splice(at, 1);
    yield id;
    for (const parent of parentsOf(id)) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
}

function* sorted(objects: Objects, ids: readonly string[], order: 'newest' | 'lines'): Generator<string> {
  const parentsOf = (id: string) => objects.commit(id).parents;
  const children = new Map(ids.map((id) => [id, 0]));
  const countOf = (id: string) => children.get(id) ?? 0;
  for (const parent of ids.flatMap(parentsOf))
    if (children.has(parent)) children.set(parent, countOf(parent) + 1);
  const tips = ids.filter((id) => countOf(id) === 0);
  const waiting = order === 'lines' ? tips.reverse() : tips;
  while (waiting.length > 0) {
    const [id = ''] = waiting.splice(order === 'lines' ? -1 : latest(objects, waiting), 1);
    yield id;
    for (const parent of parentsOf(id).filter((each) => children.has(each))) {
      children.set(parent, countOf(parent) - 1);
      if (countOf(parent) === 0) waiting.push(parent);
    }
  }
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
