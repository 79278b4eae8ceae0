import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isUnder } from '@ambit/toolsets';

/** The files of agents, commands, skills and plug-ins in a folder of Claude Code. They may name hooks. */
export function notesIn(folder: string): readonly string[] {
  const notes = ['agents', 'commands'].flatMap((name) => filesBelow(join(folder, name), isNote));
  return [...notes, ...skillsIn(folder)];
}

/** Skills are the direct subfolders. One with a manifest is a plug-in. */
function skillsIn(folder: string): readonly string[] {
  const skills = join(folder, 'skills');
  return entriesIn(skills).flatMap((entry) => {
    const skill = join(skills, entry.name);
    if (!isFolder(entry, skill)) return [];
    const manifest = join(skill, pluginManifest);
    const isPlugin = existsSync(manifest);
    return isPlugin
      ? [manifest, join(skill, 'hooks/hooks.json'), ...filesBelow(skill, isNote)]
      : [join(skill, 'SKILL.md')];
  });
}

/** The file that makes a folder a plug-in of Claude Code. */
export const pluginManifest = '.claude-plugin/plugin.json';

/** The most folders that are looked through for skills. */
const mostFolders = 200_000;

/**
 * The skills in the folders below those, also behind links. Claude Code loads those in a folder once it reads or writes a file there.
 * Null if there are too many folders to look through.
 */
export function skillsBelow(folders: readonly string[]): readonly string[] | null {
  const found: string[] = [];
  let left = mostFolders;
  for (const top of folders)
    for (const { folder } of foldersFrom(top)) {
      left -= 1;
      if (left < 0) return null;
      if (basename(folder).toLowerCase() === '.claude' && dirname(folder) !== top)
        found.push(...skillsIn(folder));
    }
  return found;
}

/** The files of a name in a folder and below, also behind links. */
export function filesBelow(top: string, name: RegExp): readonly string[] {
  return [...foldersFrom(top)].flatMap(({ folder, entries }) =>
    entries
      .map((entry) => ({ entry, path: join(folder, entry.name) }))
      .filter(({ entry, path }) => name.test(path) && !isFolder(entry, path))
      .map(({ path }) => path),
  );
}

/** A folder and all folders below. A linked folder is visited once, at its own place if that is inside. */
function* foldersFrom(
  top: string,
): Generator<{ readonly folder: string; readonly entries: readonly Dirent[] }> {
  const waiting = [top];
  const linked = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = entriesIn(at);
    yield { folder: at, entries };
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (!isFolder(entry, path)) continue;
      const real = entry.isSymbolicLink() ? realpathSync(path) : null;
      if (real !== null && (linked.has(real) || isUnder(real, top))) continue;
      if (real !== null) linked.add(real);
      waiting.push(path);
    }
  }
}

const isNote = /\.md$/i;

/** The entries of a folder, in order; none if it cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch {
    return [];
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Whether the head of a Markdown file may name hooks, which Claude Code runs with the agent, command or skill in the file. In doubt
 * yes: YAML can also write the key `hooks` with escapes or as an alias.
 */
export function mayHaveHooks(text: string): boolean {
  const [, head = ''] = /^\s*---[^\n]*\n(.*?)(?:\n---|$)/s.exec(text) ?? [];
  return /hooks["']?\s*:|\\(?:[xuU]|\r?$)|\*\S+\s*:/m.test(head);
}
