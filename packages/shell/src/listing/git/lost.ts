import { startOf, textsIn } from '../../word.js';
import { splitAtDashes } from './arguments.js';
import { isCommitId, type Request } from './request.js';
import type { History } from './store/history.js';
import { UnknownObject } from './store/objects.js';
import type { References } from './store/references.js';

/** An id in a revision, as in `ID~1`, `A..ID`, `ID:path` and `v1-2-gID`. */
const writtenId = /(?<![^.^])(?:[^.^~:]*-g)?([0-9a-f]{4,40})(?=$|[~^:@]|\.\.)/gi;

/** The objects that operands name by their ids. No branch has to lead to them: a dropped stash, a file that was staged once. */
export function idsNamed(request: Request, { objects }: History): readonly string[] {
  const texts = splitAtDashes(request).before.flatMap(textsIn);
  const written = texts.flatMap((text) =>
    [...text.matchAll(writtenId)].map(([, id = '']) => id.toLowerCase()),
  );
  return [...new Set(written)].flatMap((id) =>
    id.length < 40 ? objects.startingWith(id) : objects.find(id) === null ? [] : [id],
  );
}

/** Whether an operand may be the id of any object. */
export function mayBeAnyId(request: Request): boolean {
  return splitAtDashes(request).before.some(
    (word) =>
      word.kind === 'unknown' && !isCommitId(word) && /(?:^|\.\.|\^|-g)[0-9a-f]*$/i.test(startOf(word)),
  );
}

/** Whether an operand may be a file of the index: `:a`. */
export function mayBeStaged(request: Request): boolean {
  const texts = splitAtDashes(request).before.flatMap((word) => [startOf(word), ...textsIn(word)]);
  return texts.some((text) => text.startsWith(':'));
}

/** Whether one of these ids names an object that no reference leads to. */
export function hasLost(history: History, references: References, ids: ReadonlySet<string>): boolean {
  const known = history.commitsNamed(references);
  return [...ids].some((id) => !references.logged.has(id) && !known.has(history.objects.peel(id).id));
}

/** References that also name these objects. A folder or a file without a path may be a secret. */
export function withNamed(history: History, references: References, ids: ReadonlySet<string>): References {
  const added = [...ids].filter((id) => !references.logged.has(id));
  for (const id of added) {
    const { kind } = history.objects.peel(id);
    if (kind === 'tree' || (kind === 'blob' && !history.arePlain(references, new Set([id]))))
      throw new UnknownObject('a folder or a file without a path');
  }
  return { ...references, logged: ids };
}
