import { existsSync } from 'node:fs';
import type { Capability, JsonObject } from '@ambit/core';
import { showsPackedSecret } from '../../places/archives.js';
import { guardedMembers } from '../../places/guarded.js';
import { secretsAt, wellKnownAt } from '../../places/well-known.js';
import { isContained, isRootPlace, type Place, pathsOf, rootsInWords } from './place.js';
import { countsAsInside, isInside, type OpenRoot, type Roots, rootsAt, usualFileBytes } from './root.js';

/** How a place is touched. */
export type Access = 'read' | 'list' | 'write' | 'delete';

/** The most folders that one call creates on the way to a file. */
export const mostNewFolders = 32;

/** How a tool uses a place. */
export interface Want {
  readonly access: Access;
  /** Facts besides the path: `bytes`, `exists`, `links`. */
  readonly facts?: JsonObject;
  /** Whether it is a missing folder that is created: nothing guarded lies below it yet. */
  readonly isNewFolder?: boolean;
}

/** The capabilities of touching a place: one for each of its paths, with well-known and guarded places. */
export function capabilitiesOf(
  place: Pick<Place, 'named' | 'real'>,
  want: Want,
  roots: Roots,
): readonly Capability[] {
  const { access, facts = {} } = want;
  const paths = pathsOf(place);
  return [
    ...paths.map((path) => ({ name: accessName(access, countsAsInside(path, roots)), path, ...facts })),
    ...unknownPath(place, { access, facts }, roots),
    ...paths.flatMap((path) => besides(path, want, roots)),
  ];
}

/** Why a root forbids this, or the file does not allow it, as a text for the model; null if neither. */
export function cannotTouch(place: Place, access: Access, roots: Roots): string | null {
  const { shown } = place;
  if (place.problem !== null) return place.problem;
  // Before any check of existence: nothing is revealed about files outside.
  if (place.named !== null && !isInside(place.named, roots))
    return `\`${shown}\` lies outside the sandbox: ${rootsInWords(roots)}`;
  if (!isContained(place, roots))
    return `\`${shown}\` leads out of the sandbox through a link: ${rootsInWords(roots)}`;
  return cannotHold(roots) ?? forbiddenByRoot(place, access, roots) ?? cannotAsItIs(place, access);
}

/** The most bytes that a file may hold in the roots of a place. */
export function mostBytes(place: Pick<Place, 'named' | 'real'>, roots: Roots): number {
  const limits = pathsOf(place).flatMap((path) =>
    rootsAt(path, roots).map((root) => root.max_file_bytes ?? usualFileBytes),
  );
  return Math.min(usualFileBytes * 64, ...limits);
}

/** Whether a file of this path may be read and written in its roots, by its last name. */
export function hasAllowedSuffix(path: string, roots: Roots): boolean {
  return rootsAt(path, roots).every((root) => isSuffixAllowed(path, root));
}

function accessName(access: Access, inside: boolean): string {
  return inside ? `fs.${access}` : `fs.${access}.outside`;
}

/** An unknown path is left out: a rule about paths is then undecided. */
function unknownPath(
  { named, real }: Pick<Place, 'named' | 'real'>,
  { access, facts }: Want,
  roots: Roots,
): readonly Capability[] {
  if (real !== null) return [];
  return [{ name: accessName(access, named !== null && countsAsInside(named, roots)), ...facts }];
}

function besides(path: string, { access, isNewFolder }: Want, roots: Roots): readonly Capability[] {
  const { homes, guarded } = roots;
  if (access === 'list') return [];
  if (access !== 'read') {
    const guards = guardedMembers([path], guarded, { isAboveTouched: isNewFolder !== true });
    return access === 'delete' ? guards : [...wellKnownAt(path, 'sys.persist', homes), ...guards];
  }
  const untrusted = rootsAt(path, roots).some((root) => root.untrusted === true);
  const secrets = secretsAt(path, homes);
  // Nobody can be asked about what is unknown alone.
  const isPacked = secrets.length === 0 && showsPackedSecret(path, homes) !== false;
  return [
    ...secrets,
    ...(isPacked ? [{ name: 'secret.read', path }] : []),
    ...(untrusted ? [{ name: 'content.untrusted', source: path }] : []),
  ];
}

function cannotHold({ descriptors }: Roots): string | null {
  if (process.platform === 'linux' && existsSync(descriptors)) return null;
  return 'this system shows no open folders as paths (/proc/self/fd), so nothing can be opened without following links';
}

function forbiddenByRoot(place: Place, access: Access, roots: Roots): string | null {
  const { shown } = place;
  const own = pathsOf(place).flatMap((path) => rootsAt(path, roots).map((root) => ({ path, root })));
  const readOnly = own.find(({ root }) => root.mode === 'ro');
  if (readOnly !== undefined && (access === 'write' || access === 'delete')) {
    return `\`${shown}\` lies in ${titleOf(readOnly.root, roots)}, which is read only: ${rootsInWords(roots)}`;
  }
  if (access === 'list') return null;
  if (isRootPlace(place, roots)) return `\`${shown}\` is a root itself, not a file in it`;
  const suffix = own.find(({ path, root }) => !isSuffixAllowed(path, root));
  if (suffix === undefined) return null;
  return `\`${shown}\` is not one of the files of ${titleOf(suffix.root, roots)}: their names end in ${suffix.root.suffixes?.join(' ')}`;
}

function titleOf(root: OpenRoot, { naming, list }: Roots): string {
  const { name } = root;
  // The parent roots have other names, which do not apply here.
  if (!list.includes(root)) return 'a part of the sandbox';
  return naming === 'by_path' ? 'the working folder' : `the root \`${name}\``;
}

function isSuffixAllowed(path: string, { suffixes }: OpenRoot): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isOne = (suffix: string) => name.endsWith(suffix.toLowerCase()) && name !== suffix.toLowerCase();
  return suffixes === undefined || suffixes.some(isOne);
}

function cannotAsItIs(
  { shown, lost, stat, ends_in_link, missing, real, names_folder }: Place,
  access: Access,
): string | null {
  // The system refuses at execution: that is a failure of the tool, and not our refusal.
  if (lost !== null)
    return lost === 'permission denied' || lost === 'an error of the system'
      ? null
      : `\`${shown}\` cannot be followed: ${lost}`;
  if (real === null) return `\`${shown}\` is not a path`;
  // The system reads `a.txt/` as a folder, and never as the file.
  if (names_folder && stat?.isDirectory() !== true)
    return `\`${shown}\` ${stat === null ? 'does not exist' : 'is not a folder'}, and the path names a folder: leave out what follows the name`;
  if (access === 'write') {
    if (stat === null) return missing.length > mostNewFolders ? `\`${shown}\` is too deep` : null;
  } else if (stat === null) return `\`${shown}\` does not exist`;
  if (access === 'list') return stat.isDirectory() ? null : `\`${shown}\` is not a folder`;
  if (stat.isDirectory()) return `\`${shown}\` is a folder, not a file`;
  if (!stat.isFile()) return `\`${shown}\` is neither a file nor a folder`;
  return access === 'delete' && ends_in_link
    ? `\`${shown}\` is a link: name the file that it leads to`
    : null;
}
