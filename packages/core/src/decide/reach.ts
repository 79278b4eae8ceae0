import { type Capability, isWithin } from '../words/capability.js';
import { fileSetOf, isCanonicalPath, isUnder, membersOf } from '../words/files/file-set.js';
import { equalJson, type Json, ownMember } from '../words/json.js';

/** From the narrowest: this call, the same arguments, file, folder, program, or the whole capability. */
export const reaches = ['call', 'arguments', 'file', 'folder', 'program', 'capability'] as const;
export type Reach = (typeof reaches)[number];

/** Measures of a file, and whether it existed: they may differ from `file` on. */
const measures: readonly string[] = ['bytes', 'exists', 'links'];

export function isMeasure(fact: string): boolean {
  return measures.includes(fact);
}

/** The digest of a file's earlier content is a measure too. */
export function isMeasureOf({ name }: Capability, fact: string): boolean {
  return isMeasure(fact) || isContent(name, fact);
}

/** Whether a call itself changes the fact. */
export function isMadeOf({ name }: Capability, fact: string): boolean {
  return fact === 'exists' || isContent(name, fact);
}

/** The digest of loaded code, and of an attachment, identifies the call. */
function isContent(name: string, fact: string): boolean {
  return fact === 'sha256' && isWithin(name, 'fs');
}

/** Who calls, or which tool, where another has the same name in policies: no reach covers the other. */
export function isIdentity({ name }: Capability, fact: string): boolean {
  return fact === 'agent' || (fact === 'named' && name === 'tool.call');
}

/** One of them must cover each member of a file set. `call` covers only its own call. */
export function isWithinReach(shown: readonly Capability[], reach: Reach, capability: Capability): boolean {
  if (reach === 'call' || isUnbounded(ownMember(capability, 'path'))) return false;
  const covering = shown.map((one) => coverage(one, reach));
  const isCovered = (one: Capability) => covering.some((covers) => covers(one));
  if (isCovered(capability)) return true;
  const members = membersOf(capability);
  return members.length > 1 && members.every(isCovered);
}

function coverage(shown: Capability, reach: Exclude<Reach, 'call'>): (capability: Capability) => boolean {
  const path = ownMember(shown, 'path');
  const files = path === undefined ? null : pathReach(path, reach);
  return (capability) => {
    if (capability.name !== shown.name) return false;
    const facts = Object.keys({ ...capability, ...shown }).filter((fact) => fact !== 'name');
    return facts.every(
      (fact) =>
        (reach === 'capability' && !isIdentity(shown, fact)) ||
        isFactWithin(fact, { capability, shown, reach, files }),
    );
  };
}

function isFactWithin(
  fact: string,
  of: { capability: Capability; shown: Capability; reach: Reach; files: PathReach | null },
): boolean {
  const { capability } = of;
  const [value, shown] = [ownMember(capability, fact), ownMember(of.shown, fact)];
  // A repeated call finds the file that it wrote itself.
  if (of.reach === 'arguments') {
    if (isMadeOf(capability, fact) && (shown !== undefined || fact === 'sha256')) return true;
  } else if (isMeasureOf(capability, fact)) return true;
  if (value === undefined || shown === undefined) return false;
  if (fact === 'path' && of.files !== null) return isPathReached(value, of.files);
  if (equalJson(value, shown)) return true;
  // `program` lets the arguments of a program differ, never the program.
  return of.reach === 'program' && ['argv', 'cwd'].includes(fact);
}

export interface PathReach {
  readonly paths: ReadonlySet<string>;
  /** Everything below one of these folders, which have no trailing slash. */
  readonly folders: ReadonlySet<string>;
  /** The folder of unknown members; null if they reach no file. */
  readonly under: string | null;
  /** Whether files in `under` are reached, or only unknown members of the same `under`. */
  readonly isWide: boolean;
}

/** Null unless the fact is a path or a file set. */
export function pathReach(shown: Json, reach: Exclude<Reach, 'call'>): PathReach | null {
  const files = filesOf(shown);
  if (files === null) return null;
  const { paths, under } = files;
  const isWide = reach !== 'arguments' && reach !== 'file';
  const folders = isWide ? paths.flatMap((path) => folderAbove(path) ?? []) : [];
  return { paths: new Set(paths), folders: new Set(folders), under, isWide };
}

/** Whether a path, or each member of a file set, is within reach. */
function isPathReached(value: Json, reach: PathReach): boolean {
  const files = filesOf(value);
  if (files === null) return false;
  return (
    files.paths.every((path) => isFileReached(path, reach)) && (!files.isOpen || isOpenReached(files, reach))
  );
}

/** Whether a fact is an open set with unknown members at unknown places. */
export function isUnbounded(fact: Json | undefined): boolean {
  const files = fact === undefined ? null : filesOf(fact);
  return files?.isOpen === true && files.under === null;
}

/** Null if there is none. */
export function folderAbove(path: Json | undefined): string | null {
  if (path === undefined || !isCanonicalPath(path)) return null;
  const text = path as string;
  return text.lastIndexOf('/') > 0 ? text.slice(0, text.lastIndexOf('/')) : null;
}

/** Sorted, without nested ones. */
export function foldersOfFact(fact: Json | undefined): readonly string[] {
  const files = fact === undefined ? null : filesOf(fact);
  if (files === null) return [];
  const folders = new Set(files.paths.flatMap((path) => folderAbove(path) ?? []));
  if (files.under !== null) folders.add(files.under);
  return [...folders].filter((folder) => !isBelowAny(folder, folders)).sort();
}

export function exampleFile(fact: Json): string | null {
  const files = filesOf(fact);
  if (files === null) return null;
  const known = files.paths.find(isCanonicalPath);
  if (known !== undefined) return known;
  return files.under === null ? null : `${files.under === '/' ? '' : files.under}/file`;
}

interface Files {
  readonly paths: readonly string[];
  readonly isOpen: boolean;
  readonly under: string | null;
}

function filesOf(fact: Json): Files | null {
  if (typeof fact === 'string') return { paths: [fact], isOpen: false, under: null };
  const set = fileSetOf(fact);
  if (set === null) return null;
  const { paths, open = false, under } = set;
  return { paths, isOpen: open, under: under !== undefined && isCanonicalPath(under) ? under : null };
}

function isFileReached(path: string, reach: PathReach): boolean {
  if (reach.paths.has(path)) return true;
  // A path that is not canonical counts as missing: `/w/../etc` lies in no folder.
  if (!isCanonicalPath(path)) return false;
  return isBelowAny(path, reach.folders) || (reach.isWide && isInside(path, reach.under));
}

/** Unknown members are within reach if everything that they may be is. */
function isOpenReached({ under }: Files, reach: PathReach): boolean {
  if (under === null) return false;
  if (under === reach.under) return true;
  return isBelowAny(under, reach.folders) || (reach.isWide && isInside(under, reach.under));
}

function isInside(path: string, folder: string | null): boolean {
  return folder !== null && isUnder(path, folder);
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}
