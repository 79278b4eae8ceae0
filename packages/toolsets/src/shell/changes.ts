import { isUnder } from '../paths.js';
import type { Changes } from './world.js';

/** Whether an earlier command of the line may have made a link of a path, or of a folder on the way to it. */
export function isBehindLink(path: string, { links }: Changes): boolean {
  return links.some(({ path: link, is_below, program }) => {
    // What git checks out never lies in its own folder.
    if (program === 'git' && path.includes('/.git/')) return false;
    return isUnder(path, link) && (!is_below || path !== link);
  });
}
