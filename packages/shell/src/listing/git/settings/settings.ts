import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { type Changes, mayDiffer } from '../../../world.js';
import type { Repository } from '../store/repository.js';
import { type Aspect, aspectsOf } from './known-settings.js';
import { readSettings, type Setting } from './setting-text.js';

export interface Settings {
  readonly all: readonly Setting[];
  /** Why commands of a kind have unknown effects. */
  readonly why: ReadonlyMap<Aspect, string>;
}

interface Reader {
  readonly home: string;
  readonly changes: Changes;
  readonly all: Setting[];
  readonly why: Map<Aspect, string>;
  readonly seen: Set<string>;
}

const ofSystem = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

/** Reads the settings that git reads. `repository` is null outside one. */
export function readAllSettings(repository: Repository | null, home: string, changes: Changes): Settings {
  const reader: Reader = { home, changes, all: [], why: new Map(), seen: new Set() };
  for (const file of [...ofSystem, `${home}/.config/git/config`, `${home}/.gitconfig`])
    addFile(reader, file, true);
  if (repository !== null) {
    addFile(reader, `${repository.common}/config`, false);
    addFile(reader, `${repository.own}/config.worktree`, false);
  }
  return reader;
}

/** The last value of a setting; null if it is not set. */
export function settingOf(settings: Settings, key: string): string | null {
  return settings.all.findLast((each) => each.key === key)?.value ?? null;
}

/** The user's own settings may name a pager: git starts one on a terminal only, and commands have none. */
function addFile(reader: Reader, file: string, isUsers: boolean): void {
  if (reader.seen.has(file)) return;
  reader.seen.add(file);
  if (mayDiffer(file, reader.changes)) note(reader, ['any'], `\`${file}\` was changed before`);
  const text = textAt(file);
  if (text === null) return;
  const settings = text === 'unreadable' ? null : readSettings(text.slice(1));
  if (settings === null) note(reader, ['any'], `\`${file}\` cannot be read`);
  for (const setting of settings ?? []) {
    const { key, value } = setting;
    if (key === 'include.path' || /^includeif\..*\.path$/is.test(key)) {
      // Each condition counts as met: known harmless settings are harmless in either case.
      const home = value.startsWith('~/') ? reader.home + value.slice(1) : value;
      if (home.startsWith('~') || home.startsWith('%')) note(reader, ['any'], `\`${key}\` in \`${file}\``);
      else addFile(reader, resolve(dirname(file), home), isUsers);
      continue;
    }
    reader.all.push(setting);
    if (isUsers && (key === 'core.pager' || key.startsWith('pager.'))) continue;
    note(reader, aspectsOf(setting), `the setting \`${key}\` in \`${file}\``);
  }
}

function note(reader: Reader, aspects: readonly Aspect[], why: string): void {
  for (const aspect of aspects) if (!reader.why.has(aspect)) reader.why.set(aspect, why);
}

/** Null without a file; otherwise the text after one space. */
function textAt(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isFile() || found.size > 1_000_000) return 'unreadable';
    return ` ${readPlain(file).toString()}`;
  } catch (error) {
    return errorCode(error) === 'ENOTDIR' ? null : 'unreadable';
  }
}
