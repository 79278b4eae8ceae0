import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '@ambit/audit';
import { makePrivate, stateFolder } from '@ambit/runtime';
import { textOf } from '../clients/text-of.js';
import { InstallError } from './merged-settings.js';
import { type Installing, settingsFile, withHook } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What installing changes: shown first, and then written. */
export interface PlannedInstall {
  readonly file: string;
  /** Null where the file is missing. */
  readonly before: string | null;
  readonly after: string;
}

/** Throws `InstallError`. */
export async function planInstall(installing: Installing): Promise<PlannedInstall> {
  const file = await placeOf(installing);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new InstallError(`${file} cannot be read: ${error.message}`);
  });
  const before = bytes?.toString('utf8') ?? null;
  // What is put back is this text.
  if (bytes !== null && !Buffer.from(before ?? '').equals(bytes))
    throw new InstallError(`${file} is not UTF-8`);
  return { file, before, after: withHook(before, installing) };
}

/** Writes the file, after what it was is kept, so that it can be put back byte for byte. */
export async function install(
  { file, before, after }: PlannedInstall,
  environment: Environment,
): Promise<void> {
  const record = recordOf(file, environment);
  await makePrivate(stateFolder(environment), dirname(record));
  const made = await mkdir(dirname(file), { recursive: true });
  await writeWhole(record, JSON.stringify({ version: 1, file, before, after, made: made ?? null }));
  await writeWhole(file, after, { mode: await modeOf(file) });
}

export type Uninstalled = 'restored' | 'not_installed';

/** Puts back what was there. Throws where the file was changed since: nobody else's changes are lost. */
export async function uninstall(installing: Installing, environment: Environment): Promise<Uninstalled> {
  const file = await placeOf(installing);
  const record = recordOf(file, environment);
  const kept = await textOf(record);
  if (kept === null) return 'not_installed';
  const { before, after, made } = JSON.parse(kept) as PlannedInstall & { readonly made?: string | null };
  const now = await textOf(file);
  if (now !== null && now !== after)
    throw new InstallError(
      `${file} was changed since the hook was installed: take the hook out by hand, and remove ${record}`,
    );
  if (before === null) {
    await rm(file, { force: true });
    await removeEmpty(dirname(file), made ?? null);
  } else await writeWhole(file, before, { mode: await modeOf(file) });
  await rm(record);
  return 'restored';
}

/** The file itself, where its name is a link: the link stays one. */
async function placeOf(installing: Installing): Promise<string> {
  const file = settingsFile(installing);
  const isLink = (await lstat(file).catch(() => null))?.isSymbolicLink() === true;
  return isLink
    ? realpath(file).catch(() => {
        throw new InstallError(`${file} is a link to nothing`);
      })
    : file;
}

/** Takes away the folders that installing made, as long as they are empty. */
async function removeEmpty(folder: string, made: string | null): Promise<void> {
  for (let at = folder; made !== null && (at === made || at.startsWith(`${made}/`)); at = dirname(at)) {
    const isGone = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function recordOf(file: string, environment: Environment): string {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 32);
  return join(stateFolder(environment), 'installed', `${digest}.json`);
}

/** The permissions that the file has; a new one is for everybody to read, as the settings of the machine have to be. */
async function modeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mode }) => mode & 0o777,
    () => 0o644,
  );
}
