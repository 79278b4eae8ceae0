import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createWhole } from '@ambit/audit';
import { makePrivate, stateFolder } from '@ambit/runtime';
import type { ClientCall } from '../clients/client-call.js';
import { textOf } from '../clients/text-of.js';

/**
 * The project of a session: the work tree, or else the folder, in which its first call was made. The folder of a later call may be
 * another, and is no root.
 */
export async function projectOf(
  { client, session, parent, folder }: ClientCall,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const state = stateFolder(environment);
  const name = createHash('sha256')
    .update(`${client}\0${parent ?? session}`)
    .digest('hex')
    .slice(0, 32);
  const file = join(state, 'sessions', name);
  const known = await textOf(file);
  if (known !== null) return known;
  const project = await workTreeOf(await realpath(folder));
  await makePrivate(state, join(state, 'sessions'));
  // The first of several calls at once says which it is.
  await createWhole(file, project).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await textOf(file)) ?? project;
}

/** The nearest folder above that holds `.git`, itself included; the folder where there is none. */
async function workTreeOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const isTree = await lstat(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isTree) return at;
    if (dirname(at) === at) return folder;
  }
}
