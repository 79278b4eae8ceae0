import { type Capability, type JsonObject, pathFact } from '@ambit/core';
import {
  asFileSets,
  countsAsInside,
  gitObject,
  gitSettings,
  guardedMembers,
  rootsAt,
  secretsAt,
  showsPackedSecret,
  wellKnownAt,
} from '@ambit/toolsets';
import type { Access, Files, FilesEffect } from '../effect.js';
import { secretsInObjects } from '../listing/git/object-files.js';
import { mayExist, mayHaveChanged, type World } from '../world.js';

/** How files are touched, without the files. */
export interface Touch {
  readonly access: Access;
  /** The program, `shell`, or `argument`. */
  readonly by: string;
  readonly what?: string;
  /** For `list`: the folders at which a listing begins. */
  readonly folders?: readonly string[];
  readonly facts?: JsonObject;
  readonly runsNothing?: boolean;
  readonly isKept?: boolean;
  readonly leavesBinary?: FilesEffect['leavesBinary'];
  readonly isPacked?: boolean;
  /** The facts of the run that touches them. */
  readonly run: () => JsonObject;
  /** Whether commands of the line may have put unknown files there. */
  readonly isUnsure: boolean;
}

/** The capabilities of touching files: inside and outside the roots, secrets, `sys.persist`, `sys.guard`. */
export function capabilitiesOfFiles(files: Files, touch: Touch, world: World): readonly Capability[] {
  const { access, by, what, facts = {}, run, isUnsure } = touch;
  const { roots } = world;
  const all = { ...facts, ...(what !== undefined && { what }), by };
  const [inside, outside]: [string[], string[]] = [[], []];
  for (const path of files.paths) (countsAsInside(path, roots) ? inside : outside).push(path);
  const isOpenInside = files.open && files.under !== null && countsAsInside(files.under, roots);
  const found: Capability[] = [];
  const add = (name: string, paths: readonly string[], isOpen: boolean) => {
    if (paths.length === 0 && !isOpen) return;
    found.push({ name, path: pathFact(paths, { open: isOpen, under: isOpen ? files.under : null }), ...all });
  };
  add(`fs.${access}`, inside, isOpenInside);
  add(`fs.${access}.outside`, outside, files.open && !isOpenInside);
  if (access === 'list') return [...found, ...foldersRead(touch.folders ?? [], by, world)];
  // Unknown files may be secrets.
  if (access === 'read' && touch.isKept !== true && files.open) {
    const isSource = sourceEnd.test(files.end ?? '');
    if (isUnsure || isSource)
      found.push({ name: 'proc.exec.opaque', ...run(), why: isUnsure ? unsure : linked });
    else add('secret.read', [], true);
  }
  return [
    ...found,
    ...besides(files.paths, touch, world),
    ...inObjects(files.paths, touch, world),
    ...inArchives(files.paths, touch, world),
  ];
}

/** Programs that print no content. */
const measuring = /^(?:wc|file|(?:md5|sha\d+|b2|ck)?sum)$/;

/** Secrets in files of git's objects; not of those among other files that a search only says to match. */
function inObjects(paths: readonly string[], touch: Touch, world: World): readonly Capability[] {
  const { access, by, run, isKept, leavesBinary } = touch;
  const objects = access === 'read' && isKept !== true ? paths.filter((path) => gitObject.test(path)) : [];
  if (measuring.test(by) || (leavesBinary === true && objects.length < paths.length)) return [];
  return secretsInObjects(objects, world).map((found) =>
    found.name === 'secret.read' ? { ...found, by } : { ...run(), ...found },
  );
}

/** Programs of archives. They print names, or their listers say which members they print. */
const listing = /^(?:tar|unzip|zipinfo|zipnote|jar)$/;

/** The most files of one reading that are looked at without the name of an archive. */
const mostLookedAt = 1_000;

/** Secrets packed in files, by the same rule. */
function inArchives(paths: readonly string[], touch: Touch, world: World): readonly Capability[] {
  const { access, by, run, isKept, leavesBinary, isPacked } = touch;
  if (access !== 'read' || isKept === true || measuring.test(by)) return [];
  if (isPacked !== true && listing.test(by)) return [];
  const shows = (path: string) => showsPackedSecret(path, world.roots.homes, paths.length > mostLookedAt);
  if (leavesBinary === true && paths.some((path) => shows(path) === false)) return [];
  const told = paths.map((path) => ({ path, isSecret: shows(path) }));
  const secrets = told.filter(({ isSecret }) => isSecret === true).map(({ path }) => path);
  const isUnknown = told.some(({ isSecret }) => isSecret === null);
  return [
    ...(secrets.length > 0 ? [{ name: 'secret.read', path: pathFact(secrets), by }] : []),
    ...(isUnknown ? [{ name: 'proc.exec.opaque', ...run(), why: 'what the archive holds is unknown' }] : []),
  ];
}

/** The end of a path at which nobody keeps a secret: only a link leads to one from there. */
const sourceEnd = new RegExp(
  String.raw`\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|vue|css|html|md|rst)$` +
    String.raw`|/(?:package|tsconfig|composer)\.json$|/(?:Cargo|pyproject)\.toml$|/go\.mod$`,
);
const linked = 'which files it reads is unknown, and one may be a link to a secret';
const unsure = 'what the line writes may change which files it reads, and these may be secrets';

/**
 * Listing a folder reads names, but no file content. Outside the roots, the folder at which a listing begins counts
 * like content: its names reveal as much about a user.
 */
function foldersRead(folders: readonly string[], by: string, { roots }: World): readonly Capability[] {
  const outside = folders.filter((path) => !countsAsInside(path, roots));
  return outside.length === 0 ? [] : [{ name: 'fs.read.outside', path: pathFact(outside), by }];
}

function besides(
  paths: readonly string[],
  { access, by, runsNothing, isKept }: Touch,
  world: World,
): readonly Capability[] {
  const { roots, changes } = world;
  const { homes, guarded } = roots;
  if (access === 'read') {
    const untrusted = paths.filter((path) => rootsAt(path, roots).some((root) => root.untrusted === true));
    const isThere = (path: string) => mayExist(path, world);
    // The line may have put another file in its place. Each work tree has settings of git, mostly without a password.
    const secrets = (isKept === true ? [] : paths).flatMap((path) =>
      (mayHaveChanged(path, changes) && !gitSettings.test(path)) || gitObject.test(path)
        ? wellKnownAt(path, 'secret.read', homes, isThere)
        : secretsAt(path, homes, isThere),
    );
    return [
      ...asFileSets(secrets.map((secret) => ({ ...secret, by }))),
      ...untrusted.map((source) => ({ name: 'content.untrusted', source })),
    ];
  }
  const persisting =
    access === 'write' && runsNothing !== true
      ? paths.flatMap((path) => wellKnownAt(path, 'sys.persist', homes))
      : [];
  const isAboveTouched = access === 'delete';
  return asFileSets([...persisting, ...guardedMembers(paths, guarded, { isAboveTouched })]);
}
