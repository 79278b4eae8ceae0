import { remembered } from '@ambit/core';
import { type Objects, type TreeEntry, UnknownObject } from './objects.js';
import type { References } from './references.js';
import { isSecret, mayNameSecret } from './secret-names.js';
import { mayBeSimilar } from './similarity.js';

/** Well-known secrets by their paths below the work tree, with the ids of their contents. */
export type Secrets = ReadonlyMap<string, string>;

/** The files of a tree by their paths below it. */
export type Snapshot = ReadonlyMap<string, TreeEntry>;

const noSecrets: Secrets = new Map();

/** How a file differs: only the commit before has it, only the commit after, or both. */
export type Change = 'gone' | 'made' | 'kept';

/** Says which well-known secrets commits hold. Trees and commits are read once. Throws `UnknownObject`. */
export class History {
  private readonly trees = new Map<string, Secrets>();
  private readonly start: string;
  /** Becomes true when an id is skipped because its object is missing. */
  isPartial = false;

  constructor(
    readonly objects: Objects,
    /** The folder that the paths in commits are put below. */
    tree: string,
    private readonly homes: readonly string[],
  ) {
    this.start = tree === '/' ? '' : tree;
  }

  /** Secrets in a commit, or in a commit that a tag names. A tree or a file by itself may belong anywhere. */
  inRevision(id: string): Secrets {
    const { id: peeled, kind } = this.objects.peel(id);
    if (kind !== 'commit') throw new UnknownObject('a tree or a file without a path');
    return this.inRoot(this.objects.commit(peeled).tree);
  }

  /** All files of a commit or tree by their paths. */
  filesIn(id: string): Snapshot {
    const files = new Map<string, TreeEntry>();
    const waiting: [string, string][] = [['', this.rootOf(id)]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [prefix, tree] = next;
      for (const entry of this.objects.tree(tree)) {
        // The replacement character may stand for bytes that are not UTF-8.
        if (entry.name.includes('\uFFFD')) throw new UnknownObject(entry.name);
        if (entry.kind === 'folder') waiting.push([`${prefix}${entry.name}/`, entry.id]);
        else files.set(prefix + entry.name, entry);
      }
    }
    return files;
  }

  /** The id of the content of a file or a link; null where a commit lacks it. */
  fileIn(commit: string, path: string): string | null {
    const found = this.entryIn(commit, path);
    return found !== null && hasContent(found) ? found.id : null;
  }

  /** What a commit has at a path. */
  entryIn(commit: string, path: string): TreeEntry | null {
    let found: TreeEntry | null = null;
    let tree: string | null = this.rootOf(commit);
    for (const name of path.split('/')) {
      found = (tree === null ? null : this.objects.tree(tree).find((entry) => entry.name === name)) ?? null;
      tree = found?.kind === 'folder' ? found.id : null;
    }
    return found;
  }

  /**
   * These files and their possible former names. Where a commit adds a file, these are the similar files that it deletes; if
   * copies count, all similar files of its parent.
   */
  withFormer(
    ids: readonly string[],
    files: readonly string[],
    sources: 'renames' | 'copies',
  ): ReadonlySet<string> {
    const names = new Set(files);
    const steps = ids.flatMap((id) => this.objects.commit(id).parents.map((parent) => [parent, id] as const));
    for (const name of names) {
      const known = new Map<string, string | null>();
      const contentAt = (id: string) => remembered(known, id, () => this.fileIn(id, name));
      for (const [parent, id] of steps) {
        const made = contentAt(id);
        if (made === null || contentAt(parent) !== null) continue;
        const after = this.contentOf(made);
        for (const [path, before] of sources === 'copies' ? this.filesIn(parent) : this.deleted(parent, id))
          if (hasContent(before) && !names.has(path) && mayBeSimilar(this.contentOf(before.id), after))
            names.add(path);
      }
    }
    return names;
  }

  private deleted(parent: string, id: string): Snapshot {
    const changes = this.changed(parent, id);
    return new Map([...this.filesIn(parent)].filter(([path]) => changes.get(path) === 'gone'));
  }

  private contentOf(id: string): Buffer {
    const found = this.objects.find(id);
    if (found === null) throw new UnknownObject(id);
    return found.bytes;
  }

  /** The files that differ between two commits or trees, or that only one has; null stands for an empty tree. */
  changed(before: string | null, after: string | null): ReadonlyMap<string, Change> {
    const paths = new Map<string, Change>();
    const compare = (trees: readonly (string | null)[], prefix: string) => {
      const [left, right] = trees.map((id) => this.namesIn(id));
      for (const name of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
        const [one, other] = [left?.get(name), right?.get(name)];
        if (isSameEntry(one, other)) continue;
        const folders = [one, other].map((entry) => (entry?.kind === 'folder' ? entry.id : null));
        const [had, has] = [one, other].map((entry) => entry !== undefined && entry.kind !== 'folder');
        if (had || has) paths.set(prefix + name, had && has ? 'kept' : had ? 'gone' : 'made');
        if (folders[0] !== folders[1]) compare(folders, `${prefix}${name}/`);
      }
    };
    compare(
      [before, after].map((id) => (id === null ? null : this.rootOf(id))),
      '',
    );
    return paths;
  }

  private rootOf(id: string): string {
    const { id: peeled, kind } = this.objects.peel(id);
    return kind === 'tree' ? peeled : this.objects.commit(peeled).tree;
  }

  private namesIn(tree: string | null): ReadonlyMap<string, TreeEntry> {
    const entries = tree === null ? [] : this.objects.tree(tree);
    const names = new Map(entries.map((entry) => [entry.name, entry]));
    if (tree !== null && names.size < entries.length) throw new UnknownObject(tree);
    return names;
  }

  /** Secrets that a commit adds, changes or removes, compared with any parent. */
  inChange(id: string): ReadonlySet<string> {
    const { id: peeled, kind } = this.objects.peel(id);
    if (kind !== 'commit') return new Set(this.inRoot(peeled).keys());
    const { parents } = this.objects.commit(peeled);
    const after = this.inRevision(peeled);
    if (parents.length === 0) return new Set(after.keys());
    return new Set(parents.flatMap((parent) => [...difference(this.inRevision(parent), after)]));
  }

  /** Secrets in all that the repository names. */
  everything(references: References): ReadonlySet<string> {
    // A tag may name a file that was never committed.
    for (const named of new Set(references.byName.values())) {
      const { id, kind } = this.objects.peel(named);
      if (kind === 'blob' && !this.arePlain(references, new Set([id])))
        throw new UnknownObject('a file without a path');
    }
    const paths = new Set<string>();
    for (const id of this.commitsNamed(references))
      for (const path of this.inRoot(this.rootOf(id)).keys()) paths.add(path);
    return paths;
  }

  /** Whether each of these contents also belongs to a file that is not a well-known secret. */
  arePlain(references: References, blobs: ReadonlySet<string>): boolean {
    const left = new Set(blobs);
    const seen = new Set<string>();
    const areIn = (tree: string, prefix: string): boolean => {
      if (seen.has(tree + prefix)) return false;
      seen.add(tree + prefix);
      return this.objects.tree(tree).some(({ name, kind, id }) => {
        if (kind === 'folder') return areIn(id, `${prefix}${name}/`);
        if (!left.has(id) || isSecret(`${this.start}/${prefix}${name}`, this.homes)) return false;
        return left.delete(id) && left.size === 0;
      });
    };
    if (left.size === 0) return true;
    return [...this.commitsNamed(references)].some(
      (id) => this.objects.peel(id).kind === 'commit' && areIn(this.objects.commit(id).tree, ''),
    );
  }

  /** Every commit (and tree) to which the repository's names lead. Ids that only logs name may be gone. */
  commitsNamed({ byName, logged }: References): ReadonlySet<string> {
    const named = new Set(byName.values());
    return this.commitsFrom(logged, new Set([...logged].filter((id) => !named.has(id))));
  }

  private inRoot(tree: string): Secrets {
    return this.inTree(tree, '', this.start.split('/').some(mayNameSecret));
  }

  /** Every commit (and tree) that is reachable from these. With `mayLack`, missing ids are skipped. */
  commitsFrom(ids: Iterable<string>, mayLack: ReadonlySet<string> = new Set()): ReadonlySet<string> {
    const seen = new Set<string>();
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue;
      if (mayLack.has(id) && this.objects.find(id) === null) {
        this.isPartial = true;
        continue;
      }
      const { id: peeled, kind } = this.objects.peel(id);
      if (seen.has(peeled) || kind === 'blob') continue;
      seen.add(peeled);
      if (kind === 'commit') waiting.push(...this.objects.commit(peeled).parents);
    }
    return seen;
  }

  private inTree(id: string, prefix: string, isInside: boolean): Secrets {
    return remembered(this.trees, `${id}${prefix}`, () => {
      const found = new Map<string, string>();
      for (const { name, kind, id: child } of this.objects.tree(id)) {
        const path = prefix + name;
        const mayBe = isInside || mayNameSecret(name);
        if (kind === 'folder')
          for (const [below, blob] of this.inTree(child, `${path}/`, mayBe)) found.set(below, blob);
        else if (kind !== 'submodule' && mayBe && isSecret(`${this.start}/${path}`, this.homes))
          found.set(path, child);
      }
      return found.size === 0 ? noSecrets : found;
    });
  }
}

/** Whether two trees have the same at a place: content, kind and mode. */
export function isSameEntry(one: TreeEntry | null | undefined, other: TreeEntry | null | undefined): boolean {
  return one?.id === other?.id && one?.kind === other?.kind && one?.isExecutable === other?.isExecutable;
}

/** Paths that differ, or that only one of two trees has. */
export function difference<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean = Object.is,
): ReadonlySet<string> {
  const paths = [...before.keys(), ...after.keys()];
  return new Set(paths.filter((path) => !isSame(before.get(path), after.get(path))));
}

function hasContent({ kind }: TreeEntry): boolean {
  return kind === 'file' || kind === 'link';
}
