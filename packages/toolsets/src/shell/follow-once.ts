import { followNow, type Way } from '../filesystem/follow.js';

/** Where a path leads, by what was found when it was first asked for. */
export function followOnce(path: string, looks: Map<string, Way>): Way {
  const known = looks.get(path);
  if (known !== undefined) return known;
  const way = followNow(path);
  looks.set(path, way);
  return way;
}
