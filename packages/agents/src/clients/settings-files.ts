import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foldersUp, fromHome, isJsonObject, jsonOr, objectOf } from '@ambit/core';
import type { Environment } from '@ambit/runtime';
import type { ClientName } from './client-call.js';
import { entriesIn, filesBelow, notesIn } from './notes.js';
import { jsonWithComments, readableTextOf, textOf } from './settings-text.js';

export type SettingsScope = 'managed' | 'user' | 'project';

/** The absolute folders of client settings. */
export interface SettingsPlaces {
  readonly home: string;
  readonly project: string;
  readonly environment: Environment;
  /** How Claude Code was started. Null if unknown. */
  readonly given?: Given | null;
}

/** Places that the start of Claude Code names besides the usual ones. */
export interface Given {
  /** The folders after `--add-dir`. */
  readonly folders: readonly string[];
  /** The files after `--settings`. */
  readonly settings: readonly string[];
  /** The client's folder in the home of the user. */
  readonly own: string;
  /** Whether anything else in the command line may add hooks. */
  readonly mayHaveHooks: boolean;
}

/** The client's own folder in the user's home. */
export function clientFolder(client: ClientName, { home, environment }: SettingsPlaces): string {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, GEMINI_CLI_HOME, XDG_CONFIG_HOME } = environment;
  switch (client) {
    case 'claude-code':
      return CLAUDE_CONFIG_DIR || join(home, '.claude');
    case 'codex':
      return CODEX_HOME || join(home, '.codex');
    case 'gemini':
      return join(GEMINI_CLI_HOME || home, '.gemini');
    case 'copilot':
      return COPILOT_HOME || join(home, '.copilot');
    case 'opencode':
      return join(XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
  }
}

/** The variables that name the folder, or the one around it. */
export const folderVariables: Readonly<Record<ClientName, string>> = {
  'claude-code': 'CLAUDE_CONFIG_DIR',
  codex: 'CODEX_HOME',
  gemini: 'GEMINI_CLI_HOME',
  copilot: 'COPILOT_HOME',
  opencode: 'XDG_CONFIG_HOME',
};

/** The variable that moves the client's folder out of its place in the home, where a hook guards it; null if none does. */
export function movingVariable(client: ClientName, places: SettingsPlaces): string | null {
  const usual = clientFolder(client, { ...places, environment: {} });
  return resolve(clientFolder(client, places)) === usual ? null : folderVariables[client];
}

export type Named = readonly (readonly [SettingsScope, string])[];

export function inScope(scope: SettingsScope, files: readonly string[]): Named {
  return files.map((file) => [scope, file] as const);
}

/** The settings files that may contain hooks of a client, including missing ones. */
export function settingsFiles(client: ClientName, places: SettingsPlaces): Named {
  return filesOf[client](places, clientFolder(client, places), settingsFolders(places));
}

/** `own`: the client's folder in the user's home. `above`: the folders of the repository. */
type FilesOf = (places: SettingsPlaces, own: string, above: readonly string[]) => Named;

const filesOf: Readonly<Record<ClientName, FilesOf>> = {
  'claude-code'(places, own, above) {
    const { given } = places;
    const owns = [...new Set([own, ...(given ? [given.own] : [])])];
    const inFolder = (folder: string) => [
      ...claudeSettings.map((name) => join(folder, name)),
      ...notesIn(join(folder, '.claude')),
    ];
    const settings: Named = [
      ['managed', '/etc/claude-code/managed-settings.json'],
      ...inScope('managed', namedIn('/etc/claude-code/managed-settings.d', /\.json$/)),
      ...inScope('user', [...owns.map((each) => join(each, 'settings.json')), ...(given?.settings ?? [])]),
      ...inProject(above, ...claudeSettings),
    ];
    const notes = above.flatMap((folder) => notesIn(join(folder, '.claude')));
    const added = addedFolders(places, settings).flatMap(inFolder);
    return [
      ...settings,
      ...inScope('user', owns.flatMap(notesIn)),
      ...inScope('project', [...notes, ...added]),
    ];
  },
  codex: (_, own, above) => [
    ['managed', '/etc/codex/requirements.toml'],
    ['managed', '/etc/codex/managed_config.toml'],
    ['user', join(own, 'hooks.json')],
    ['user', join(own, 'config.toml')],
    ...inProject(above, '.codex/hooks.json', '.codex/config.toml'),
  ],
  gemini({ environment }, own, above) {
    const folders = entriesIn(join(own, 'extensions')).map(({ name }) => join(own, 'extensions', name));
    const extensions = folders.flatMap((folder) => [folder, ...linkedFrom(folder)]);
    return [
      ['managed', environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH || '/etc/gemini-cli/settings.json'],
      ['user', join(own, 'settings.json')],
      ...inScope(
        'user',
        extensions.map((each) => join(each, 'hooks/hooks.json')),
      ),
      ...inProject(above, '.gemini/settings.json'),
    ];
  },
  copilot(_, own, above) {
    const inFolder = (folder: string) => [
      ...filesBelow(join(folder, '.github/hooks'), /\.json$/),
      ...filesBelow(join(folder, '.github/extensions'), extension),
    ];
    return [
      ...inScope('user', filesBelow(join(own, 'hooks'), /\.json$/)),
      ['user', join(own, 'settings.json')],
      ['user', join(own, 'config.json')],
      // Their hooks see a call after those of files.
      ...inScope('user', filesBelow(join(own, 'extensions'), extension)),
      ...inProject(above, '.github/copilot/settings.json', '.github/copilot/settings.local.json'),
      ...inProject(above, ...claudeSettings),
      ...inScope('project', above.flatMap(inFolder)),
    ];
  },
  opencode({ home }, own, above) {
    const inFolder = (folder: string) => [
      ...opencodeSettings.map((name) => join(folder, name)),
      // A tool's module is loaded like a plug-in's.
      ...['plugin', 'plugins', 'tool', 'tools'].flatMap((name) => namedIn(join(folder, name), scripts)),
    ];
    return [
      ['managed', '/etc/opencode/opencode.json'],
      ['user', join(own, 'config.json')],
      ...inScope('user', [own, join(home, '.opencode')].flatMap(inFolder)),
      ...inProject(above, ...opencodeSettings),
      ...inScope('project', above.map((folder) => join(folder, '.opencode')).flatMap(inFolder)),
    ];
  },
};

const claudeSettings = ['.claude/settings.json', '.claude/settings.local.json'];
const opencodeSettings = ['opencode.json', 'opencode.jsonc'];

function inProject(folders: readonly string[], ...names: readonly string[]): Named {
  return inScope(
    'project',
    folders.flatMap((folder) => names.map((name) => join(folder, name))),
  );
}

/**
 * The folders that Claude Code works in besides its project: those after `--add-dir`, and those that its settings name. It loads
 * skills, commands, agents and plug-ins there, too. A folder that its user types after `/add-dir` is not known here.
 */
export function addedFolders(places: SettingsPlaces, settings = settingsFiles('claude-code', places)) {
  const named = settings.flatMap(([, file]) => (file.endsWith('.json') ? foldersNamedIn(file) : []));
  return [
    ...new Set([
      ...(places.given?.folders ?? []),
      ...named.map((folder) => resolve(places.project, fromHome(folder, places.home))),
    ]),
  ];
}

function foldersNamedIn(file: string): readonly string[] {
  try {
    const settings = jsonWithComments(readableTextOf(file) ?? '{}');
    const named = objectOf(objectOf(settings).permissions).additionalDirectories;
    return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : [];
  } catch {
    // The reader of its hooks reports that it is unreadable.
    return [];
  }
}

/** The folder that Gemini reads in place of this one of an extension. */
function linkedFrom(folder: string): readonly string[] {
  const installed = jsonOr(readableTextOf(join(folder, '.gemini-extension-install.json')) ?? '', null);
  const source = isJsonObject(installed) && installed.type === 'link' ? installed.source : null;
  return typeof source === 'string' ? [source] : [];
}

function namedIn(folder: string, name: RegExp): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => name.test(entry.name))
    .map((entry) => join(folder, entry.name));
}

const extension = /\/extension\.[cm]?js$/;
const scripts = /\.[cm]?[jt]s$/;

/**
 * The folders in which clients look for settings of a repository: the given one, and those above it in its work tree, or up to the
 * user's home where there is none. A linked work tree has the settings of the main one, too.
 */
export function settingsFolders({
  project,
  home,
}: Pick<SettingsPlaces, 'project' | 'home'>): readonly string[] {
  const folders: string[] = [];
  for (const at of foldersUp(project)) {
    folders.push(at);
    const git = join(at, '.git');
    if (existsSync(git)) return [...folders, ...mainWorkTree(git)];
    if (at === home || dirname(at) === home) break;
  }
  return folders;
}

function mainWorkTree(git: string): readonly string[] {
  if (!statSync(git).isFile()) return [];
  const [, main] = /^gitdir: (.*)\/\.git\/worktrees\/[^/]+\s*$/.exec(textOf(git) ?? '') ?? [];
  return main === undefined ? [] : [resolve(dirname(git), main)];
}
