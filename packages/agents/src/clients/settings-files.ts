import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientName } from './client-call.js';

export type SettingsScope = 'managed' | 'user' | 'project';

/** The absolute folders of client settings. */
export interface SettingsPlaces {
  readonly home: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The client's own folder in the user's home. */
export function clientFolder(client: ClientName, { home, environment }: SettingsPlaces): string {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, XDG_CONFIG_HOME } = environment;
  switch (client) {
    case 'claude-code':
      return CLAUDE_CONFIG_DIR || join(home, '.claude');
    case 'codex':
      return CODEX_HOME || join(home, '.codex');
    case 'gemini':
      return join(home, '.gemini');
    case 'copilot':
      return COPILOT_HOME || join(home, '.copilot');
    case 'opencode':
      return join(XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
  }
}

type Named = readonly (readonly [SettingsScope, string])[];

/** The settings files that may contain hooks of a client, including missing ones. */
export async function settingsFiles(client: ClientName, places: SettingsPlaces): Promise<Named> {
  const own = clientFolder(client, places);
  const { project, environment } = places;
  const below = async (scope: SettingsScope, folder: string, ending: RegExp): Promise<Named> =>
    namesIn(folder)
      .filter((name) => ending.test(name))
      .map((name) => [scope, join(folder, name)] as const);
  // Their heads may name hooks.
  const notes = (scope: SettingsScope, folder: string): Named =>
    ['agents', 'commands', 'skills']
      .flatMap((name) => notesBelow(join(folder, name), 4))
      .map((file) => [scope, file] as const);
  switch (client) {
    case 'claude-code':
      return [
        ['managed', '/etc/claude-code/managed-settings.json'],
        ...(await below('managed', '/etc/claude-code/managed-settings.d', /\.json$/)),
        ['user', join(own, 'settings.json')],
        ...notes('user', own),
        ['project', join(project, '.claude/settings.json')],
        ['project', join(project, '.claude/settings.local.json')],
        ...notes('project', join(project, '.claude')),
      ];
    case 'codex':
      return [
        ['managed', '/etc/codex/requirements.toml'],
        ['managed', '/etc/codex/managed_config.toml'],
        ['user', join(own, 'hooks.json')],
        ['user', join(own, 'config.toml')],
        ['project', join(project, '.codex/hooks.json')],
        ['project', join(project, '.codex/config.toml')],
      ];
    case 'gemini': {
      const extensions = join(own, 'extensions');
      return [
        ['managed', environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH || '/etc/gemini-cli/settings.json'],
        ['user', join(own, 'settings.json')],
        ...namesIn(extensions).map((name) => ['user', join(extensions, name, 'hooks/hooks.json')] as const),
        ['project', join(project, '.gemini/settings.json')],
      ];
    }
    case 'copilot':
      return [
        ...(await below('user', join(own, 'hooks'), /\.json$/)),
        ['user', join(own, 'settings.json')],
        ['user', join(own, 'config.json')],
        ...(await below('project', join(project, '.github/hooks'), /\.json$/)),
      ];
    case 'opencode':
      return [
        ['managed', '/etc/opencode/opencode.json'],
        ['user', join(own, 'opencode.json')],
        ['user', join(own, 'opencode.jsonc')],
        ...(await below('user', join(own, 'plugin'), /\.[cm]?[jt]s$/)),
        ...(await below('user', join(own, 'plugins'), /\.[cm]?[jt]s$/)),
        ['project', join(project, 'opencode.json')],
        ['project', join(project, 'opencode.jsonc')],
        ['project', join(project, '.opencode/opencode.json')],
        ...(await below('project', join(project, '.opencode/plugin'), /\.[cm]?[jt]s$/)),
        ...(await below('project', join(project, '.opencode/plugins'), /\.[cm]?[jt]s$/)),
      ];
  }
}

/** The Markdown files in a folder, also behind links. */
function notesBelow(path: string, depth: number): readonly string[] {
  const names = namesIn(path);
  if (names.length === 0) return /\.md$/i.test(path) ? [path] : [];
  return depth === 0 ? [] : names.flatMap((name) => notesBelow(join(path, name), depth - 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
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
