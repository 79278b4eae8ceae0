import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenPolicy } from '@ambit/policy';
import type { ClientName } from '../clients/client-call.js';
import {
  clientFolder,
  inScope,
  type Named,
  type SettingsPlaces,
  settingsFolders,
} from '../clients/settings-files.js';
import { textOf } from '../clients/settings-text.js';
import { claudeRules } from './claude-rules.js';
import { codexRules } from './codex-rules.js';
import { copilotRules } from './copilot-rules.js';
import { rulesFrom } from './from-policy.js';
import { geminiRules } from './gemini-rules.js';
import { opencodeRules } from './opencode-rules.js';
import {
  everything,
  type RuleDialect,
  type RuleNote,
  type SettingsText,
  type StaticRule,
  type WrittenRules,
} from './static-rule.js';
import { policyFrom } from './to-policy.js';

const dialects: Readonly<Record<ClientName, RuleDialect>> = {
  'claude-code': claudeRules,
  codex: codexRules,
  gemini: geminiRules,
  copilot: copilotRules,
  opencode: opencodeRules,
};

/** A policy from the settings of a client, as YAML, with notes where it is not exact. Throws `RulesError`. */
export function importRules(
  client: ClientName,
  files: readonly SettingsText[],
): { readonly text: string; readonly notes: readonly RuleNote[] } {
  return policyFrom(dialects[client].read(files), client);
}

/** Settings of a client from policies, with notes where they are not exact. */
export function compileRules(
  client: ClientName,
  { policies, root }: { readonly policies: readonly WrittenPolicy[]; readonly root: string },
): WrittenRules {
  const { notes, ...rules } = rulesFrom(policies, root);
  const written = dialects[client].write(rules);
  return { ...written, notes: [...notes, ...written.notes] };
}

/** Kinds of calls whose tools carry the capability of the kind in every call. */
const exactKinds = ['write', 'web', 'server', 'agent'] as const;

/** The calls that policies block in every case, as far as a client's rules can express them. */
export function denialsOf(policies: readonly WrittenPolicy[], root: string): readonly StaticRule[] {
  const { rest, rules } = rulesFrom(policies, root);
  return [
    ...exactKinds.flatMap((kind): readonly StaticRule[] =>
      rest[kind] === 'deny' ? [{ decision: 'deny', subject: everything(kind), from: kind }] : [],
    ),
    ...rules.filter(({ decision, isStricter }) => decision === 'deny' && !isStricter),
  ];
}

/** The existing settings files of a client that contain rules. */
export async function settingsWithRules(
  client: ClientName,
  places: SettingsPlaces,
): Promise<readonly SettingsText[]> {
  const files = await filesWithRules(client, places);
  return files.flatMap(([scope, file]) => {
    const text = textOf(file);
    return text === null ? [] : [{ file, text, isProject: scope === 'project' }];
  });
}

/** In the order in which they are read: in opencode, a later file overrides those before it. */
async function filesWithRules(client: ClientName, places: SettingsPlaces): Promise<Named> {
  const own = clientFolder(client, places);
  const { project, home, environment } = places;
  // The nearest counts most.
  const above = settingsFolders(places).toReversed();
  switch (client) {
    case 'claude-code':
      return [
        ['managed', '/etc/claude-code/managed-settings.json'],
        ...inScope('managed', await filesIn('/etc/claude-code/managed-settings.d', '.json')),
        ['user', join(own, 'settings.json')],
        ['project', join(project, '.claude/settings.json')],
        ['project', join(project, '.claude/settings.local.json')],
      ];
    case 'codex': {
      const rules = await Promise.all(above.map((folder) => filesIn(join(folder, '.codex/rules'), '.rules')));
      const settings = above.map((folder) => join(folder, '.codex/config.toml'));
      return [
        ['managed', '/etc/codex/config.toml'],
        ['managed', '/etc/codex/managed_config.toml'],
        ['managed', '/etc/codex/requirements.toml'],
        ...inScope('managed', await filesIn('/etc/codex/rules', '.rules')),
        ['user', join(own, 'config.toml')],
        ...inScope('user', await filesIn(join(own, 'rules'), '.rules')),
        ...inScope('project', [...settings, ...rules.flat()]),
      ];
    }
    case 'gemini':
      return [
        ...inScope('managed', await filesIn('/etc/gemini-cli/policies', '.toml')),
        ...inScope('user', await filesIn(join(own, 'policies'), '.toml')),
        ['managed', environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH || '/etc/gemini-cli/settings.json'],
        ['user', join(own, 'settings.json')],
        // Gemini does not load policies of a project.
        ['project', join(project, '.gemini/settings.json')],
      ];
    case 'copilot':
      return [
        ['user', join(own, 'settings.json')],
        ['user', join(own, 'config.json')],
        ['user', join(own, 'permissions-config.json')],
      ];
    case 'opencode':
      return [
        ['user', join(own, 'config.json')],
        ...inScope('user', opencodeIn(own)),
        ...inScope('project', above.flatMap(opencodeIn)),
        ...inScope('project', above.map((folder) => join(folder, '.opencode')).flatMap(opencodeIn)),
        ...inScope('user', opencodeIn(join(home, '.opencode'))),
        ...inScope('managed', opencodeIn('/etc/opencode')),
      ];
  }
}

function opencodeIn(folder: string): readonly string[] {
  return ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name));
}

async function filesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}
