import { join } from 'node:path';
import { type Environment, stateFolder } from '@ambit/runtime';
import type { GuardedPlace } from '@ambit/toolsets';
import { settingsFolders } from '../clients/settings-files.js';

/**
 * Files that a client's own calls may not change: those that judge and record the calls, and the settings
 * that contain the hooks.
 */
export function clientGuardedPlaces(of: {
  readonly home: string;
  readonly root: string;
  /** The folder of the session's first call. */
  readonly started: string;
  readonly environment: Environment;
  readonly policies: readonly string[];
}): readonly GuardedPlace[] {
  const { home, root, started, environment, policies } = of;
  const place = (what: string) => (path: string) => ({ path, what });
  const settings = (
    '.claude/settings.json .claude/settings.local.json .claude/hooks .claude/plugins .claude.json .mcp.json ' +
    '.codex/config.toml .codex/hooks.json .codex/hooks .codex/rules .codex/plugins ' +
    '.gemini/settings.json .gemini/policies .gemini/extensions .gemini/.env ' +
    '.github/hooks .github/copilot .copilot ' +
    '.opencode opencode.json opencode.jsonc .config/opencode'
  ).split(' ');
  return [
    ...[...policies, '/etc/ambit', join(root, 'policy.yaml')].map(place('policy file')),
    ...[stateFolder(environment), join(root, '.ambit')].map(place('state folder')),
    ...[...new Set([home, root, ...settingsFolders({ home, project: started })])]
      .flatMap((folder) => settings.map((name) => join(folder, name)))
      .map(place('agent settings')),
    ...['/etc/claude-code', '/etc/codex', '/etc/gemini-cli', '/etc/copilot', '/etc/opencode'].map(
      place('agent settings'),
    ),
  ];
}
