import { type Effect, onFiles } from '../../../effect.js';
import { mayExist } from '../../../world.js';
import { areNamed } from '../attributes.js';
import type { Request } from '../request.js';
import { everyPath, type Pathspec } from './pathspec.js';
import { changedFiles, unequalFiles, type WorkTree } from './work-tree.js';

/**
 * Reads the tracked files that may have changed. It only compares those outside `shown`, and those that are certainly as the
 * index has them. A missing file is read only where git shows what the index has in its place.
 */
export function comparedFiles(
  request: Request,
  work: WorkTree,
  { read = everyPath, shown = read, isDiff = false }: Comparing = {},
): readonly Effect[] {
  // Text in another encoding is changed before it is compared.
  const isKept = request.reading.open === null && !areNamed(request, ['working-tree-encoding']);
  const unequal = unequalFiles(work, shown);
  const paths = unequal.paths.filter((path) => isDiff || mayExist(path, work.world));
  return [
    ...onFiles('read', changedFiles(work, read), { isKept }),
    ...(isKept ? onFiles('read', { ...unequal, paths }) : []),
  ];
}

type Comparing = Readonly<{ read?: Pathspec; shown?: Pathspec; isDiff?: boolean }>;
