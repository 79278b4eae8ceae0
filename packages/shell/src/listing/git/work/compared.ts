import { type Effect, onFiles } from '../../../effect.js';
import { areNamed } from '../attributes.js';
import type { Request } from '../request.js';
import { everyPath, type Pathspec } from './pathspec.js';
import { changedFiles, unequalFiles, type WorkTree } from './work-tree.js';

/**
 * Reads the tracked files that may have changed. It only compares those outside `shown`, and those that are certainly as the
 * index has them.
 */
export function comparedFiles(
  request: Request,
  work: WorkTree,
  { read = everyPath, shown = read }: { read?: Pathspec; shown?: Pathspec } = {},
): readonly Effect[] {
  // Text in another encoding is changed before it is compared.
  const isKept = request.reading.open === null && !areNamed(request, ['working-tree-encoding']);
  return [
    ...onFiles('read', changedFiles(work, read), { isKept }),
    ...(isKept ? onFiles('read', unequalFiles(work, shown)) : []),
  ];
}
