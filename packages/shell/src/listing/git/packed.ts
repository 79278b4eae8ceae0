import { archiveName, packedSecretIn } from '@ambit/toolsets';
import { joinPath } from '../../files/listing.js';
import type { World } from '../../world.js';
import { type Past, withPast } from './content.js';
import { secretsNamed } from './ranges.js';
import type { Request } from './request.js';
import type { History } from './store/history.js';

/** The secrets in a revision, and the archives there that may show one; null if they are unknown. */
export function secretsPacked(request: Request, past: Past, named: string | null): Iterable<string> | null {
  const { repository, world } = request;
  const id = past.resolve(named);
  const secrets = named === null ? null : secretsNamed(request, past, [named]);
  if (secrets === null || id === null) return secrets;
  const { history } = past;
  const base = repository?.tree ?? repository?.own ?? '/';
  const shows = (path: string, file: string) =>
    archiveName.test(path) && packedIn(history, file, { path: joinPath(base, path), world }) !== false;
  return [
    ...secrets,
    ...[...history.filesIn(id)].flatMap(([path, file]) => (shows(path, file.id) ? path : [])),
  ];
}

/** Whether `REVISION:path` is an archive that shows a secret; null if that is unknown. `full`: its path in the work tree. */
export function packsSecret(
  request: Request,
  { revision, path }: { readonly revision: string; readonly path: string },
  full: string,
): boolean | null {
  const found = withPast(request, ({ history, ...past }) => {
    const commit = /^(?::|$)/.test(revision) ? null : past.resolve(revision);
    const id = commit && history.fileIn(commit, path);
    return id && { isSecret: packedIn(history, id, { path: full, world: request.world }) };
  });
  return found ? found.isSecret : archiveName.test(full) ? null : false;
}

function packedIn(
  { objects }: History,
  id: string,
  { path, world }: { readonly path: string; readonly world: World },
): boolean | null {
  const start = objects.find(id)?.bytes ?? Buffer.alloc(0);
  return packedSecretIn(path, world.roots.homes, { start });
}
