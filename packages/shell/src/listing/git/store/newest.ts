import type { History } from './history.js';

/** The newest of these commits in the order in which `git log` shows them: by date, those that lead to others first. */
export function newest({ objects }: History, commits: ReadonlySet<string>, count: number): readonly string[] {
  const inner = new Set([...commits].flatMap((id) => objects.commit(id).parents));
  const waiting = [...commits].filter((id) => !inner.has(id));
  const seen = new Set(waiting);
  const found: string[] = [];
  while (found.length < count) {
    const next = latest(objects, waiting);
    if (next === -1) break;
    const [id = ''] = waiting.splice(next, 1);
    found.push(id);
    for (const parent of objects.commit(id).parents) {
      if (!commits.has(parent) || seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return found;
}

function latest(objects: History['objects'], waiting: readonly string[]): number {
  let best = -1;
  let time = Number.NEGATIVE_INFINITY;
  for (const [at, id] of waiting.entries()) {
    const own = objects.commit(id).time;
    if (own > time) [best, time] = [at, own];
  }
  return best;
}
