import { existsSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { inflateSync } from 'node:zlib';
import { remembered } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { mostBytes, type ObjectKind, Pack, type StoredObject } from './pack.js';
import { namesAt, textAt } from './read-files.js';

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds, as the committer says. */
  readonly time: number;
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'link' | 'folder' | 'submodule';
  readonly id: string;
  readonly isExecutable: boolean;
}

/** Most entries are asked for their names only. */
class Entry implements TreeEntry {
  constructor(
    private readonly bytes: Buffer,
    private readonly mode: string,
    readonly name: string,
    private readonly at: number,
  ) {}

  get id(): string {
    return this.bytes.toString('hex', this.at, this.at + 20);
  }

  get kind(): TreeEntry['kind'] {
    // Some programs write zeros before a mode.
    return entryKinds[this.mode.replace(/^0+/, '')] ?? 'file';
  }

  get isExecutable(): boolean {
    return this.kind === 'file' && (Number.parseInt(this.mode, 8) & 0o100) !== 0;
  }
}

const entryKinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '40000': 'folder',
  '120000': 'link',
  '160000': 'submodule',
};

/** Places that name other objects in ways that are not read here. */
const elsewhere = 'objects/info/http-alternates info/grafts'.split(' ');

/** How many objects are read for one command: a few seconds of work in a pack of `git gc`, and more in others. */
export const mostObjects = 120_000;

/** Thrown if objects are unknown: damaged, missing, of another kind. */
export class UnknownObject extends Error {}

/** Thrown if objects are not read: there are too many, or git may fetch them. The message says so. */
export class UnreadObject extends UnknownObject {}

/** What `look` finds in the objects of a git folder. Throws `UnknownObject`. */
export function withObjects<Found>(common: string, look: (objects: Objects) => Found): Found {
  const objects = new Objects(common);
  try {
    return look(objects);
  } finally {
    objects.close();
  }
}

/** Reads git's objects, loose and packed, without running git. */
export class Objects {
  private readonly folders: readonly string[];
  private readonly packs: readonly Pack[];
  /** The indexes of packs. */
  readonly indexes: readonly string[];
  /** Commits whose parents are left out. */
  readonly shallow: ReadonlySet<string>;
  private left = mostObjects;
  private readonly commits = new Map<string, Commit>();

  /** Throws `UnknownObject` if objects may come from an unknown place. */
  constructor(common: string) {
    for (const name of elsewhere) if (existsSync(`${common}/${name}`)) throw new UnknownObject(name);
    this.shallow = new Set(orUnknown(() => textAt(`${common}/shallow`)).split('\n'));
    this.folders = orUnknown(() => withLenders(`${common}/objects`));
    const packs = this.folders.map((folder) => `${folder}/pack`);
    const files = packs.flatMap((pack) => orUnknown(() => namesAt(pack)).map((name) => `${pack}/${name}`));
    if (files.some((path) => path.endsWith('.promisor')))
      throw new UnreadObject('git may fetch a part of it');
    this.indexes = files.filter((path) => path.endsWith('.idx'));
    this.packs = this.indexes.map((path) => orUnknown(() => new Pack(path)));
  }

  close(): void {
    for (const pack of this.packs) pack.close();
  }

  /** Null if the object does not exist. */
  find(id: string): StoredObject | null {
    this.left -= 1;
    if (this.left < 0) throw new UnreadObject(`it has more than ${mostObjects} commits and folders`);
    return orUnknown(() => {
      const bytes = Buffer.from(id, 'hex');
      for (const pack of this.packs) {
        const found = pack.read(bytes);
        if (found !== null) return found;
      }
      return this.loose(id);
    });
  }

  commit(id: string): Commit {
    return remembered(this.commits, id, () => this.readCommit(id));
  }

  private readCommit(id: string): Commit {
    const { bytes } = this.need(id, 'commit');
    const text = bytes.toString('latin1');
    const head = text.slice(0, Math.max(0, text.indexOf('\n\n')) || text.length);
    const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
    const time = /^committer .*> (\d+) [+-]\d+$/m.exec(head)?.[1];
    if (tree === undefined || time === undefined) throw new UnknownObject(id);
    const parents = [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => parent);
    return { tree, parents: this.shallow.has(id) ? [] : parents, time: Number(time) };
  }

  tree(id: string): readonly TreeEntry[] {
    const { bytes } = this.need(id, 'tree');
    const entries: TreeEntry[] = [];
    for (let at = 0; at < bytes.length; ) {
      const [space, end] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
      if (space === -1 || end < space || end + 21 > bytes.length) throw new UnknownObject(id);
      const mode = bytes.toString('latin1', at, space);
      entries.push(new Entry(bytes, mode, bytes.toString('utf8', space + 1, end), end + 1));
      at = end + 21;
    }
    return entries;
  }

  /** The target of an annotated tag; any other object itself. */
  peel(id: string): { readonly id: string; readonly kind: ObjectKind } {
    let current = id;
    for (let depth = 0; depth < 20; depth += 1) {
      if (this.commits.has(current)) return { id: current, kind: 'commit' };
      const found = this.find(current);
      if (found === null) throw new UnknownObject(current);
      if (found.kind !== 'tag') return { id: current, kind: found.kind };
      const target = /^object ([0-9a-f]{40})\n/.exec(found.bytes.toString('latin1', 0, 64))?.[1];
      if (target === undefined) throw new UnknownObject(current);
      current = target;
    }
    throw new UnknownObject(id);
  }

  /** The ids with this prefix: two of each pack at most. */
  startingWith(prefix: string): readonly string[] {
    const loose = this.folders
      .flatMap((folder) => orUnknown(() => namesAt(`${folder}/${prefix.slice(0, 2)}`)))
      .map((name) => prefix.slice(0, 2) + name)
      .filter((id) => id.startsWith(prefix));
    return [...new Set([...loose, ...this.packs.flatMap((pack) => pack.startingWith(prefix))])];
  }

  private need(id: string, kind: ObjectKind): StoredObject {
    const found = this.find(id);
    if (found === null || found.kind !== kind) throw new UnknownObject(id);
    return found;
  }

  private loose(id: string): StoredObject | null {
    const paths = this.folders.map((folder) => `${folder}/${id.slice(0, 2)}/${id.slice(2)}`);
    const path = paths.find((each) => existsSync(each));
    if (path === undefined) return null;
    const bytes = inflateSync(readPlain(path), { maxOutputLength: mostBytes });
    const end = bytes.indexOf(0);
    const kind = /^(commit|tree|blob|tag) \d+$/.exec(bytes.toString('latin1', 0, end))?.[1];
    if (kind === undefined) throw new UnknownObject(id);
    return { kind: kind as ObjectKind, bytes: bytes.subarray(end + 1) };
  }
}

/** A folder of objects, and those from which it borrows. Throws if one is missing; a quoted name counts as missing. */
function withLenders(folder: string, depth = 0): readonly string[] {
  if (depth > 5 || (depth > 0 && !existsSync(folder))) throw new UnknownObject(folder);
  const lines = textAt(`${folder}/info/alternates`).split('\n');
  const named = lines.filter((line) => line !== '').map((line) => posix.resolve(realpathSync(folder), line));
  return [folder, ...named.flatMap((lender) => withLenders(lender, depth + 1))];
}

function orUnknown<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof UnknownObject ? error : new UnknownObject(String(error));
  }
}
