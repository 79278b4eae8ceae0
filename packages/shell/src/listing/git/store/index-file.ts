import { statSync } from 'node:fs';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { difference, History, isSameEntry, type Snapshot } from './history.js';
import { withObjects } from './objects.js';
import { readOffset } from './pack.js';
import type { Repository } from './repository.js';

/** A tracked file as the index has it. */
export interface IndexEntry {
  /** Below the work tree. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule';
  readonly id: string;
  /** 0, except in a conflict. */
  readonly stage: number;
  readonly mode: number;
  readonly stat: Readonly<ReturnType<typeof statAt>>;
  /** Whether it has no content yet (`git add -N`). */
  readonly isIntended?: true;
  /** Whether git does not expect it in the work tree (`git sparse-checkout`). */
  readonly isSkipped?: true;
}

export interface GitIndex {
  readonly entries: readonly IndexEntry[];
  /** When the index was written, in seconds. Files that were modified then or later may have changed. */
  readonly time: number;
}

/** The files of an index without a conflict. */
export function snapshotOf({ entries }: GitIndex): Snapshot {
  return new Map(
    entries.map(({ path, kind, id, mode }) => [
      path,
      { name: path, kind, id, isExecutable: kind === 'file' && (mode & 0o100) !== 0 },
    ]),
  );
}

/** The paths at which a commit and the index differ, or the index has a conflict. */
export function pathsDiffering(files: Snapshot, index: GitIndex): readonly string[] {
  const unmerged = index.entries.flatMap(({ path, stage }) => (stage > 0 ? path : []));
  return [...new Set([...difference(files, snapshotOf(index), isSameEntry), ...unmerged])];
}

export function indexFile({ own }: Pick<Repository, 'own'>): string {
  return `${own}/index`;
}

const mostBytes = 200_000_000;
const headBytes = 62;

/** The index of a work tree: empty if it is missing, null if it cannot be read or has an unknown format. */
export function readIndex(repository: Pick<Repository, 'own' | 'common'>): GitIndex | null {
  const file = indexFile(repository);
  return orNull(() => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { entries: [], time: 0 };
    const isRead = found.isFile() && found.size <= mostBytes;
    const entries = isRead ? parseIndex(readPlain(file)) : null;
    const time = Math.floor(found.mtimeMs / 1000);
    return entries === null ? null : { entries: withoutFolders(entries, repository.common), time };
  });
}

/** A sparse index has folders in place of files outside its cone. */
function withoutFolders(
  entries: readonly (IndexEntry | IndexFolder)[],
  common: string,
): readonly IndexEntry[] {
  if (entries.every(isFile)) return entries;
  return withObjects(common, (objects) => {
    const history = new History(objects, '/', []);
    const filesIn = (folder: IndexFolder) =>
      [...history.filesIn(folder.id)].map(([path, { kind, id, isExecutable }]) => {
        const mode = isExecutable ? 0o100755 : modes[kind];
        return { ...folder, path: `${folder.path}/${path}`, kind, id, mode };
      });
    return entries.flatMap((entry) => (isFile(entry) ? entry : filesIn(entry).filter(isFile)));
  });
}

const modes = { file: 0o100644, link: 0o120000, submodule: 0o160000, folder: 0o40000 };

type IndexFolder = Omit<IndexEntry, 'kind'> & { readonly kind: 'folder' };

function isFile(entry: IndexEntry | IndexFolder): entry is IndexEntry {
  return entry.kind !== 'folder';
}

/** Null unless the bytes are an index of version 2, 3 or 4 that is not split. */
function parseIndex(bytes: Buffer): readonly (IndexEntry | IndexFolder)[] | null {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4 || count > bytes.length / headBytes + 1) return null;
  const entries: (IndexEntry | IndexFolder)[] = [];
  let at = 12;
  let before = '';
  for (let index = 0; index < count; index += 1) {
    const read = readEntry(bytes, at, version, before);
    if (read === null) return null;
    entries.push(read.entry);
    before = read.raw;
    at = read.end;
  }
  return areExtensionsKnown(bytes, at) ? entries : null;
}

/** `before`: the path of the previous entry, one character per byte. */
function readEntry(bytes: Buffer, at: number, version: number, before: string) {
  if (at + headBytes > bytes.length - 20) return null;
  const flags = bytes.readUInt16BE(at + 60);
  const isExtended = (flags & 0x4000) !== 0;
  if (isExtended && version < 3) return null;
  let start = at + headBytes + (isExtended ? 2 : 0);
  let prefix = '';
  if (version === 4) {
    const cut = readOffset(bytes, start);
    if (cut === null || cut.value > before.length) return null;
    prefix = before.slice(0, before.length - cut.value);
    start = cut.end;
  }
  const end = bytes.indexOf(0, start);
  if (end === -1) return null;
  const raw = prefix + bytes.toString('latin1', start, end);
  const mode = bytes.readUInt32BE(at + 24);
  const kind = kindOf(mode);
  const path = pathOf(kind === 'folder' ? raw.replace(/\/$/, '') : raw);
  if (kind === null || path === null) return null;
  const id = bytes.toString('hex', at + 40, at + 60);
  const more = isExtended ? bytes.readUInt16BE(at + 62) : 0;
  const [isIntended, isSkipped] = [(more & 0x2000) !== 0, (more & 0x4000) !== 0];
  const own = { ...(isIntended && { isIntended }), ...(isSkipped && { isSkipped }) };
  const stage = (flags >> 12) & 3;
  const entry = { path, kind, id, stage, mode, stat: statAt(bytes, at), ...own };
  const length = version === 4 ? end + 1 - at : ((end - at + 8) >> 3) << 3;
  return { entry, raw, end: at + length };
}

/** What git compares to see that a file is unchanged. Seconds, 32 bits each. */
function statAt(bytes: Buffer, at: number) {
  const word = (index: number) => bytes.readUInt32BE(at + index * 4);
  return {
    changed: word(0),
    modified: word(2),
    /** 0 if unknown. */
    nanoseconds: word(3),
    inode: word(5),
    user: word(7),
    group: word(8),
    size: word(9),
  };
}

function kindOf(mode: number): (IndexEntry | IndexFolder)['kind'] | null {
  const kind = mode >>> 12;
  if (kind === 0o4) return 'folder';
  if (kind === 0o10) return 'file';
  if (kind === 0o12) return 'link';
  return kind === 0o16 ? 'submodule' : null;
}

/** Null for invalid UTF-8, and for paths that git never writes. */
function pathOf(raw: string): string | null {
  const bytes = Buffer.from(raw, 'latin1');
  const path = bytes.toString('utf8');
  if (/[\u0080-\u00ff]/.test(raw) && !Buffer.from(path, 'utf8').equals(bytes)) return null;
  const isPlain =
    path !== '' && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  return isPlain ? path : null;
}

/** Extensions in capitals may be skipped, and `sdir` only says that there are folders; a split index (`link`) may not. */
function areExtensionsKnown(bytes: Buffer, start: number): boolean {
  let at = start;
  while (at + 8 <= bytes.length - 20) {
    if (!/^(?:[A-Z]|sdir)/.test(bytes.toString('latin1', at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - 20;
}
