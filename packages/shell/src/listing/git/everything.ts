import { hash } from 'node:crypto';
import type { Request } from './request.js';
import type { History } from './store/history.js';
import { UnreadObject } from './store/objects.js';
import type { References } from './store/references.js';

/** Secrets of whole histories, or why they are not read, kept between calls, by all that may change what is reachable. */
const kept = new Map<string, ReadonlySet<string> | UnreadObject>();
const mostKept = 50;

/** Well-known secrets anywhere in a history, kept between calls. */
export function everythingOf(
  { repository, world }: Pick<Request, 'repository' | 'world'>,
  { references, history }: { readonly references: References; readonly history: History },
): ReadonlySet<string> {
  const all = [references.logged, history.objects.shallow, history.objects.indexes].map((texts) =>
    [...texts].sort().join('\n'),
  );
  const place = [repository?.common, repository?.tree, ...world.roots.homes].join('\n');
  const key = hash('sha256', [place, ...all].join('\n\n'));
  const known = kept.get(key);
  if (known instanceof UnreadObject) throw known;
  if (known !== undefined) return known;
  const keep = (found: ReadonlySet<string> | UnreadObject) => {
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, found);
  };
  try {
    const found = history.everything(references);
    if (!history.isPartial) keep(found);
    return found;
  } catch (error) {
    if (error instanceof UnreadObject) keep(error);
    throw error;
  }
}
