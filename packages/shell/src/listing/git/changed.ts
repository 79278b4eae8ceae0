import type { Changes } from '../../world.js';

/** Whether earlier commands of the line may have changed the file at a path. */
export function mayHaveChanged(path: string, { created, removed, open, links }: Changes): boolean {
  return created.has(path) || [removed, open, links].some((folders) => isWithinAny(path, folders));
}

/** Whether earlier commands may have changed a folder's content, or moved the folder. */
export function mayHaveChangedBelow(folder: string, changes: Changes): boolean {
  if (mayHaveChanged(folder, changes)) return true;
  for (const set of [changes.created, changes.removed, changes.open, changes.links])
    for (const path of set) if (path.startsWith(folder === '/' ? '/' : `${folder}/`)) return true;
  return false;
}

/** Whether earlier commands may have removed a path. */
export function mayBeRemoved(path: string, { removed }: Changes): boolean {
  return isWithinAny(path, removed);
}

function isWithinAny(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (at === '') return folders.has('/');
    if (folders.has(at)) return true;
  }
}
