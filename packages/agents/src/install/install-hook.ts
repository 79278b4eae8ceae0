import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { lstat, mkdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '@ambit/audit';
import { orNull } from '@ambit/core';
import { type Environment, makePrivate, stateFolder } from '@ambit/runtime';
import { textOf } from '../clients/settings-text.js';
import { InstallError, takenOut } from './merged-settings.js';
import { rulesFile, withDenials } from './rules-file.js';
import { type Installing, isOwnFile, settingsFile, withHook } from './settings.js';

/** The changes of an installation: they are shown first, and then written. */
export interface PlannedInstall {
  readonly file: string;
  /** Null if the file is missing. */
  readonly before: string | null;
  readonly after: string;
}

/** The file of the hook first, then the file of the client's own rules. Throws `InstallError`. */
export async function planInstall(
  installing: Installing,
): Promise<readonly [PlannedInstall, ...PlannedInstall[]]> {
  const hook = await readAt(settingsFile(installing));
  const planned = { ...hook, after: naming(hook.file, () => withHook(hook.before, installing)) };
  const beside = rulesFile(installing);
  if (beside === null) return [planned];
  const rules = await readAt(beside);
  const after = naming(rules.file, () => withDenials(rules.before, installing));
  return after === null ? [planned] : [planned, { ...rules, after }];
}

/** An error about the text of a file begins with its name. */
function naming<Text>(file: string, work: () => Text): Text {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InstallError) || error.message.includes(file)) throw error;
    throw new InstallError(`${file}: ${error.message}`);
  }
}

async function readAt(name: string): Promise<Pick<PlannedInstall, 'file' | 'before'>> {
  const file = await placeOf(name);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new InstallError(`${file} cannot be read: ${error.message}`);
  });
  const before = bytes?.toString('utf8') ?? null;
  // An uninstall restores this text.
  if (bytes !== null && !Buffer.from(before ?? '').equals(bytes))
    throw new InstallError(`${file} is not UTF-8`);
  return { file, before };
}

/** Writes the files after storing their previous content, so that they can be restored byte for byte. */
export async function install(planned: readonly PlannedInstall[], environment: Environment): Promise<void> {
  for (const { file, before, after } of planned) {
    const record = recordOf(file, environment);
    await makePrivate(stateFolder(environment), dirname(record));
    const made = await mkdir(dirname(file), { recursive: true });
    const text = textOf(record);
    const last = text === null ? null : (JSON.parse(text) as Kept);
    const isOwn = before !== null && orNull(() => isOwnFile(before)) === true;
    // An uninstall restores the text before the first of several installations.
    const first =
      isOwn || last?.after === before
        ? { before: last?.before ?? null, made: last?.made ?? null }
        : { before, made };
    await writeWhole(record, JSON.stringify({ version: 1, file, after, ...first }));
    await writeWhole(file, after, { mode: modeOf(file) });
  }
}

type Kept = PlannedInstall & { readonly made?: string | null };

/**
 * Restores the previous files and returns their names. Of settings that were changed since, it takes out what the
 * installation wrote. Throws without any change where that is not possible.
 */
export async function uninstall(
  installing: Installing,
  environment: Environment,
): Promise<readonly string[]> {
  const kept: Kept[] = [];
  for (const name of [settingsFile(installing), rulesFile(installing)]) {
    const file = name === null ? null : await placeOf(name);
    const text = file === null ? null : textOf(recordOf(file, environment));
    if (file === null || text === null) continue;
    const each = { ...(JSON.parse(text) as Kept), file };
    const now = textOf(file);
    const isChanged = now !== null && now !== each.after;
    kept.push(isChanged ? { ...each, before: withoutHook(now, each, environment) } : each);
  }
  for (const { file, before, made } of kept) {
    if (before === null) {
      await rm(file, { force: true });
      await removeEmpty(dirname(file), made ?? null);
    } else await writeWhole(file, before, { mode: modeOf(file) });
    await rm(recordOf(file, environment));
  }
  return kept.map(({ file }) => file);
}

function withoutHook(now: string, { file, before, after }: Kept, environment: Environment): string | null {
  try {
    return takenOut(now, { before, after });
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    throw new InstallError(
      `${file} was changed since the hook was installed: take the hook out by hand, and remove ${recordOf(file, environment)}`,
    );
  }
}

/** The file itself, if its name is a link: the link is kept. */
async function placeOf(file: string): Promise<string> {
  const isLink = (await lstat(file).catch(() => null))?.isSymbolicLink() === true;
  return isLink
    ? realpath(file).catch(() => {
        throw new InstallError(`${file} is a link to nothing`);
      })
    : file;
}

/** Removes the folders that the installation created, if they are empty. */
async function removeEmpty(folder: string, made: string | null): Promise<void> {
  try {
    for (let at = folder; made !== null && (at === made || at.startsWith(`${made}/`)); at = dirname(at))
      await rmdir(at);
  } catch {
    // It holds other files, and stays with the folders above it.
  }
}

function recordOf(file: string, environment: Environment): string {
  const digest = hash('sha256', file).slice(0, 32);
  return join(stateFolder(environment), 'installed', `${digest}.json`);
}

/**
 * The permissions of the file. A new file is readable for everybody, as the settings of the machine must be.
 */
function modeOf(file: string): number {
  return (orNull(() => statSync(file).mode) ?? 0o644) & 0o777;
}
