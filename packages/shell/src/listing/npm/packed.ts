import { posix } from 'node:path';
import { foldersUp, orNull, remembered } from '@ambit/core';
import { isUnder, readPlain } from '@ambit/toolsets';
import { type Context, mayExist, mayHaveChanged } from '../../world.js';
import { type IgnoreFile, verdictOf } from '../ignore-rules.js';
import { type Member, membersOf } from '../members.js';
import { type Start, startAt } from '../start.js';
import { type Manifest, manifestIn } from './manifest.js';
import { anything, foldersRules, type PackRule, rulesOf } from './pack-rules.js';

/**
 * The files of a package that npm may pack, as npm-packlist 10 says: at least those that it packs. `isUnsure`: other
 * folders or rules may count, so that every file does. `reads`: the ignore files that are read.
 */
export function packed(start: Start, context: Context, isUnsure: boolean) {
  const { real } = start;
  const manifest = real === null || isUnsure ? null : manifestIn(real, context.world);
  const archive = manifest === null ? null : manifest.archive;
  if (real === null || manifest === null || !manifest.isPlain)
    return { found: membersOf(start, context), reads: [], archive };
  const rules = new Rules(real, manifest, context);
  const isLeft = (member: Member) => member.depth > 0 && rules.leaves(member);
  const found = membersOf(start, context, { skip: isLeft });
  const list = found.list.filter((member) => !isLeft(member));
  return { found: { ...found, list }, reads: [...rules.reads], archive };
}

/** What npm never packs, in any folder. Rules of ignore files may bring it back, except for the first. */
const defaults = rulesOf(
  `.npmignore .gitignore **/.git **/.svn **/.hg **/CVS **/.git/** **/.svn/** **/.hg/** **/CVS/** /.lock-wscript
  /.wafpickle-* /build/config.gypi npm-debug.log **/.npmrc .*.swp .DS_Store **/.DS_Store/** ._* **/._*/** *.orig
  /archived-packages/**`.replace(/\s+/g, '\n'),
);

/** What counts above the rules of the package. Lock files are not packed, but read. */
const before = rulesOf(
  `/.git !/package.json !/readme !/readme.* !/copying !/copying.* !/license !/license.* !/licence !/licence.* /.git
  /node_modules .npmrc`.replace(/\s+/g, '\n'),
);

const noRepository = rulesOf('/.git');

/** The rules for files and for folders, innermost first. */
type Folder = Readonly<Record<'files' | 'folders', readonly IgnoreFile[]>>;

class Rules {
  readonly reads = new Set<string>();
  readonly #known = new Map<string, Folder>();
  readonly #hasAbove: boolean;

  constructor(
    readonly root: string,
    readonly manifest: Manifest,
    readonly context: Context,
  ) {
    // In a folder of workspaces, the ignore files above count among the defaults.
    this.#hasAbove = foldersUp(root)
      .slice(1)
      .some((folder) => mayExist(posix.join(folder, 'package.json'), context.world));
  }

  /** Whether it is certainly not packed. */
  leaves({ path, kind }: Member): boolean {
    const { files, folders } = this.#in(posix.dirname(path));
    if (kind !== 'folder' && verdictOf(path, false, files) !== 'ignored') return false;
    return (kind !== 'folder' && kind !== null) || verdictOf(path, true, folders) === 'ignored';
  }

  #in(folder: string): Folder {
    return remembered(this.#known, folder, () => {
      const isTop = folder === this.root || !isUnder(folder, this.root);
      const above = isTop ? { files: [], folders: [] } : this.#in(posix.dirname(folder));
      const rules = this.#rulesOf(folder).toReversed();
      return {
        files: [{ folder, rules }, ...above.files],
        folders: [{ folder, rules: foldersRules(rules) }, ...above.folders],
      };
    });
  }

  /** The last counts. */
  #rulesOf(folder: string): readonly PackRule[] {
    const own = this.#ownRules(folder);
    const { manifest } = this;
    const first = this.#hasAbove ? [...defaults, anything] : defaults;
    if (folder !== this.root) {
      const required = manifest.required.filter(
        (path) => posix.join(this.root, posix.dirname(path)) === folder,
      );
      return [
        ...first,
        ...own,
        ...noRepository,
        ...required.flatMap((path) => rulesOf(`!/${posix.basename(path)}`)),
      ];
    }
    return [...first, ...(manifest.files ?? own), ...manifest.first, ...before, ...manifest.last];
  }

  /** Where there is a `.npmignore`, a `.gitignore` does not count. */
  #ownRules(folder: string): readonly PackRule[] {
    const [npm, git] = [this.#read(folder, '.npmignore'), this.#read(folder, '.gitignore')];
    return npm ?? git ?? [];
  }

  /** Null if it is missing. */
  #read(folder: string, name: string): readonly PackRule[] | null {
    const path = posix.join(folder, name);
    if (!mayExist(path, this.context.world)) return null;
    const { real } = startAt(path, this.context, true);
    for (const each of [path, real ?? path]) this.reads.add(each);
    const { changes } = this.context.world;
    if (real === null || mayHaveChanged(path, changes) || mayHaveChanged(real, changes)) return [anything];
    return orNull(() => rulesOf(readPlain(real, mostBytes).toString('utf8'))) ?? [anything];
  }
}

/** Very many rules would take too long. */
const mostBytes = 65_536;
