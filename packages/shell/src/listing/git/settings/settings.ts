import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fromHome } from '@ambit/core';
import { mayHoldPassword } from '@ambit/toolsets';
import { type Changes, mayDiffer } from '../../../world.js';
import { smallText } from '../store/read-files.js';
import type { Repository } from '../store/repository.js';
import { type Aspect, aspectsOf } from './known-settings.js';
import { readSettings, type Setting } from './setting-text.js';

/** The settings that git reads. `repository` is null outside one. */
export class Settings {
  readonly all: Setting[] = [];
  /** Whether the settings of branches are those that are read: the line may have changed them. */
  readonly areOfBranchesKnown: boolean;
  /** Why commands of a kind have unknown effects. */
  readonly why = new Map<Aspect, string>();
  /** Settings that name another file for git to read. Those of the user count if that file depends on the folder. */
  readonly named: Setting[] = [];
  /** Settings that may hold a password, by the file. */
  readonly secret: (readonly [file: string, key: string])[] = [];
  /** Files that are being read. Git gives up where one includes itself. */
  readonly #open = new Set<string>();
  #left = 100;

  constructor(
    repository: Repository | null,
    private readonly home: string,
    private readonly changes: Changes,
  ) {
    this.areOfBranchesKnown = changes.branches.size === 0;
    for (const file of [...ofSystem, `${home}/.config/git/config`, `${home}/.gitconfig`])
      this.#addFile(file, { isUsers: true, isRead: true });
    if (repository === null) return;
    const file = `${repository.common}/config`;
    this.#addFile(file, { isUsers: false, isRead: true });
    const ofTree = `${repository.own}/config.worktree`;
    this.#addFile(ofTree, { isUsers: false, isRead: existsSync(ofTree) && hasOwnOfTrees(file) });
  }

  /** The last value of a setting; null if it is not set. */
  get(key: string): string | null {
    return this.all.findLast((each) => each.key === key)?.value ?? null;
  }

  /** Whether one of these settings is set. */
  hasAny(keys: string): boolean {
    return keys.split(' ').some((key) => this.get(key) !== null);
  }

  /** Whether one of these settings may colour what is printed, although nobody sees it in a terminal. */
  mayColor(keys: string): boolean {
    const plain = [null, 'auto', 'true', 'false', 'never'];
    return keys.split(' ').some((key) => !plain.includes(this.get(key)));
  }

  #addFile(file: string, origin: Origin): void {
    if (this.#open.has(file)) return;
    this.#left -= 1;
    if (this.#left < 0) {
      this.#note(['any'], `\`${file}\` is one of too many files`);
      return;
    }
    if (mayDiffer(file, this.changes)) this.#note(['any'], `\`${file}\` was changed before`);
    const text = smallText(file, mostBytes);
    if (text === null) return;
    const settings = text === undefined ? null : readSettings(text);
    if (settings === null) this.#note(['any'], `\`${file}\` cannot be read`);
    this.#open.add(file);
    for (const setting of settings ?? []) {
      const { key, value } = setting;
      if (key === 'include.path' || /^includeif\..*\.path$/is.test(key)) {
        // Each condition counts as met: known harmless settings are harmless in either case.
        if (unclearPath.test(value)) this.#note(['any'], `\`${key}\` in \`${file}\``);
        else
          this.#addFile(resolve(dirname(file), fromHome(value, this.home)), {
            ...origin,
            isRead: origin.isRead && key === 'include.path',
          });
        continue;
      }
      this.all.push(setting);
      if (mayHoldPassword(`${key}=${value}`)) this.secret.push([file, key]);
      if (origin.isUsers && (key === 'core.pager' || key.startsWith('pager.'))) continue;
      if (namesFile.test(key) && value !== '' && !(origin.isUsers && /^[~/]/.test(value)))
        this.named.push(setting);
      const isUnclear =
        (lastCounts.test(key) && !origin.isRead) ||
        ((lastCounts.test(key) || namesFile.test(key)) && unclearPath.test(value));
      this.#note(isUnclear ? ['any'] : aspectsOf(setting), `the setting \`${key}\` in \`${file}\``);
    }
    this.#open.delete(file);
  }

  #note(aspects: readonly Aspect[], why: string): void {
    for (const aspect of aspects) if (!this.why.has(aspect)) this.why.set(aspect, why);
  }
}

/** The most bytes that are read of one file. */
const mostBytes = 1_000_000;
const ofSystem = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

/** Whether git reads the settings of one work tree. The files that this one includes do not count. */
function hasOwnOfTrees(file: string): boolean {
  const all = readSettings(smallText(file, mostBytes) ?? '') ?? [];
  const last = all.findLast(({ key }) => key === 'extensions.worktreeconfig')?.value;
  return /^(?:true|yes|on|1)$/i.test(last ?? '');
}

/** Only the last value counts. One in a file that git may not read would hide it, and only git knows `~user/`. */
const lastCounts =
  /^(?:core\.(?:hookspath|worktree|attributesfile|excludesfile|sparsecheckout|ignorecase)|branch\..*\.remote|commit\.verbose|stash\.showpatch|log\.date|(?:diff|status)\.renames|i18n\..*)$/s;

const namesFile =
  /^(?:core\.(?:attributesfile|excludesfile)|mailmap\.file|blame\.ignorerevsfile|diff\.orderfile|commit\.template)$/;

/** A path that only git knows: `~user/`, `%(prefix)`, and by its version `:(optional)` and blanks that become spaces. */
const unclearPath = /^(?:~(?!\/)|%\(|:\()|[\t\r]/;

interface Origin {
  /** The user's own settings may name a pager: git starts one on a terminal only, and commands have none. */
  readonly isUsers: boolean;
  /** False if a condition decides whether git reads the file. */
  readonly isRead: boolean;
}
