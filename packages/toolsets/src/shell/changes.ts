import { isUnder } from '../paths.js';
import type { Changes } from './world.js';

/** Whether an earlier command of the line may have made a link of a path, or of a folder on the way to it. */
export function isBehindLink(path: string, { links }: Changes): boolean {
  return links.some(({ path: link, is_below }) =>
    is_below ? path !== link && isUnder(path, link) : isUnder(path, link),
  );
}
