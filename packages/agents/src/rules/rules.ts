import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenPolicy } from '@ambit/policy';
import type { ClientName } from '../clients/client-call.js';
import { clientFolder, foldersAbove, type SettingsPlaces } from '../clients/settings-files.js';
import { textOf } from '../clients/settings-text.js';
import { claudeRules } from './claude-rules.js';
import { codexRules } from './codex-rules.js';
import { copilotRules } from './copilot-rules.js';
import { rulesFrom } from './from-policy.js';
import { geminiRules } from './gemini-rules.js';
import { opencodeRules } from './opencode-rules.js';
import type { RuleDialect, RuleNote, SettingsText, StaticRule, WrittenRules } from './static-rule.js';
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

/** The calls that policies block in every case, as far as a client's rules can express them. */
export function denialsOf(policies: readonly WrittenPolicy[], root: string): readonly StaticRule[] {
  return rulesFrom(policies, root).rules.filter(({ decision }) => decision === 'deny');
}

/** The existing settings files of a client that contain rules. */
export async function settingsWithRules(
  client: ClientName,
  places: SettingsPlaces,
): Promise<readonly SettingsText[]> {
  const own = clientFolder(client, places);
  const { project, home, environment } = places;
  const below = async (folder: string, ending: string) =>
    (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => join(folder, name));
  // The nearest counts most.
  const above = foldersAbove(places).toReversed();
  const opencodeIn = (folder: string, ...more: readonly string[]) =>
    [...more, 'opencode.json', 'opencode.jsonc'].map((name) => join(folder, name));
  // The files of the third list override the others.
  type Lists = readonly [user: readonly string[], project: readonly string[], over?: readonly string[]];
  const named: Readonly<Record<ClientName, Lists>> = {
    'claude-code': [
      [
        '/etc/claude-code/managed-settings.json',
        ...(await below('/etc/claude-code/managed-settings.d', '.json')),
        join(own, 'settings.json'),
      ],
      [join(project, '.claude/settings.json'), join(project, '.claude/settings.local.json')],
    ],
    codex: [
      [
        '/etc/codex/config.toml',
        '/etc/codex/managed_config.toml',
        '/etc/codex/requirements.toml',
        join(own, 'config.toml'),
        ...(await below(join(own, 'rules'), '.rules')),
      ],
      [
        ...above.map((folder) => join(folder, '.codex/config.toml')),
        ...(await Promise.all(above.map((folder) => below(join(folder, '.codex/rules'), '.rules')))).flat(),
      ],
    ],
    gemini: [
      [
        ...(await below('/etc/gemini-cli/policies', '.toml')),
        ...(await below(join(own, 'policies'), '.toml')),
        environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH || '/etc/gemini-cli/settings.json',
        join(own, 'settings.json'),
      ],
      // Gemini does not load policies of a project.
      [join(project, '.gemini/settings.json')],
    ],
    copilot: [
      [join(own, 'settings.json'), join(own, 'config.json'), join(own, 'permissions-config.json')],
      [],
    ],
    opencode: [
      opencodeIn(own, 'config.json'),
      [
        ...above.flatMap((folder) => opencodeIn(folder)),
        ...above.flatMap((folder) => opencodeIn(join(folder, '.opencode'))),
      ],
      [...opencodeIn(join(home, '.opencode')), ...opencodeIn('/etc/opencode')],
    ],
  };
  const [user, ofProject, over = []] = named[client];
  const all = [
    ...user.map((file) => ({ file, isProject: false })),
    ...ofProject.map((file) => ({ file, isProject: true })),
    ...over.map((file) => ({ file, isProject: false })),
  ];
  const read = await Promise.all(
    all.map(async ({ file, isProject }) => {
      const text = textOf(file);
      return text === null ? [] : [{ file, text, isProject }];
    }),
  );
  return read.flat();
}
