import { isJsonObject, type JsonObject, objectOf } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
import type { FoundHook, ReadSettings } from '../clients/hooks-found.js';
import { folderVariables } from '../clients/settings-files.js';
import { filePrograms } from '../describe/repository-setting.js';
import { firstWithSkillHook, hasSkillHook } from '../install/versions.js';

/** The settings of a client that concern its hooks. */
export interface HookSettings {
  readonly client: ClientName;
  readonly read: readonly ReadSettings[];
  readonly hooks: readonly FoundHook[];
  /** Null if it is unknown. */
  readonly version: string | null;
}

/** The ways to switch off or bypass the installed hook, one sentence each. */
export function offSwitches(settings: HookSettings): readonly string[] {
  const scopes = new Set(settings.hooks.filter(({ own }) => own !== null).map(({ scope }) => scope));
  const isManaged = scopes.has('managed');
  const { client } = settings;
  const moved = `with the variable \`${folderVariables[client]}\`, ${client} reads other settings`;
  return [
    ...openOf[client](settings, isManaged),
    ...(scopes.has('user') && !isManaged ? [moved] : []),
    ...unreadable(settings),
  ];
}

/** Settings that switch the hooks off now. */
export function switchedOff({ client, read }: HookSettings): readonly string[] {
  return read.flatMap(({ file, settings }) => {
    if (settings === null) return [];
    const config = objectOf(settings.hooksConfig);
    const features = objectOf(settings.features);
    const disabled = Array.isArray(config.disabled) && config.disabled.length > 0;
    return [
      ...(client === 'claude-code' && settings.disableAllHooks === true
        ? [`${file}: \`disableAllHooks\` is true`]
        : []),
      ...(client === 'codex' && features.hooks === false ? [`${file}: \`[features] hooks\` is false`] : []),
      ...(client === 'gemini' && Object.hasOwn(config, 'enabled') && config.enabled !== true
        ? [`${file}: \`hooksConfig.enabled\` is ${JSON.stringify(config.enabled)}`]
        : []),
      ...(client === 'gemini' && disabled ? [`${file}: \`hooksConfig.disabled\` names hooks`] : []),
    ];
  });
}

type Open = (settings: HookSettings, isManaged: boolean) => readonly string[];

const openOf: Readonly<Record<ClientName, Open>> = {
  'claude-code': ({ read, version }, isManaged) => {
    const { disableAllHooks, allowManagedHooksOnly } = managedIn(read);
    const isSeen = read.some(
      ({ settings }) =>
        isJsonObject(settings?.hooks) && Object.hasOwn(settings.hooks, 'PreSkillShellCommand'),
    );
    const remedy = hasSkillHook(version)
      ? ': install the hook again'
      : ` before Claude Code ${firstWithSkillHook}`;
    const skills = isSeen ? [] : [`commands in the text of a skill reach no hook${remedy}`];
    if (isManaged)
      return [
        ...skills,
        ...(allowManagedHooksOnly === true ? [] : ['hooks of repositories and users also run']),
      ];
    return [
      ...skills,
      ...(disableAllHooks === false
        ? []
        : ['a repository’s .claude/settings.json can say `disableAllHooks: true`']),
      'the flags `--bare`, `--safe-mode` and `--setting-sources`, and the variables `CLAUDE_CODE_SIMPLE` and ' +
        '`CLAUDE_CODE_SAFE_MODE`, start Claude Code without hooks',
    ];
  },
  codex: ({ read, hooks }, isManaged) => {
    const { features: table, allow_managed_hooks_only: only } = managedIn(read);
    const features = objectOf(table);
    return [
      ...(isManaged
        ? []
        : [
            'a hook of the user runs only while it is trusted in `/hooks`; after each edit, it must be trusted again',
          ]),
      ...(features.hooks === true
        ? []
        : [
            '`--disable hooks`, or `[features] hooks = false` in a config.toml, also that of a trusted repository',
          ]),
      ...(features.unified_exec_tty === false || isOff(read, 'unified_exec_tty')
        ? []
        : [
            '`write_stdin` types into an open terminal without a hook: set `[features] unified_exec_tty = false`',
          ]),
      ...(isManaged && only !== true ? ['hooks of repositories and users also run'] : []),
      ...unlimited(hooks),
    ];
  },
  gemini: ({ read, hooks }, isManaged) => {
    const config = managedIn(read).hooksConfig;
    const isPinned = isJsonObject(config) && config.enabled === true;
    const names = hooks.flatMap(({ own, file }) => (own === null ? [] : namesIn(read, file)));
    return [
      ...(isManaged && isPinned
        ? []
        : ['a repository’s .gemini/settings.json can say `hooksConfig.enabled: false`']),
      ...(names.every((name) => /^ambit-[0-9a-f]{6,}/.test(name))
        ? []
        : ['the name of the hook can be guessed, and `hooksConfig.disabled` of a repository can list it']),
      ...unlimited(hooks),
    ];
  },
  copilot: ({ hooks }) => [
    'the user, and so a command of the agent that the policy lets write there, can remove the file of the hook',
    'with the flag `--config-dir`, copilot reads other settings',
    ...unlimited(hooks),
  ],
  opencode: ({ read }) => [
    '`--pure` and `OPENCODE_PURE=1` start opencode without plug-ins',
    ...read.flatMap(({ file, settings }) =>
      Object.keys(filePrograms(settings ?? {})).map(
        (name) => `\`${name}\` in ${file} runs programs without a hook when a file is read or written`,
      ),
    ),
  ],
};

/** These clients run the tool if the hook takes too long, so a program must end the hook earlier. */
function unlimited(hooks: readonly FoundHook[]): readonly string[] {
  const isLimited = hooks.every(({ own }) => own === null || own.includes('KILL'));
  return isLimited
    ? []
    : ['a tool runs where the hook hangs: install the program `timeout`, and the hook again'];
}

/** The managed settings of all files; later files override earlier ones. */
function managedIn(read: readonly ReadSettings[]): JsonObject {
  return Object.assign(
    {},
    ...read.filter(({ scope }) => scope === 'managed').map(({ settings }) => settings ?? {}),
  );
}

function isOff(read: readonly ReadSettings[], feature: string): boolean {
  return read.some(
    ({ scope, settings }) =>
      scope === 'user' && isJsonObject(settings?.features) && settings.features[feature] === false,
  );
}

function namesIn(read: readonly ReadSettings[], file: string): readonly string[] {
  const text = JSON.stringify(read.find((each) => each.file === file)?.settings ?? {});
  return [...text.matchAll(/"name":"([^"]*)","command":"[^"]* hook /g)].map(([, name]) => name ?? '');
}

/** A client may ignore a file that it cannot read, including all hooks in it. */
function unreadable({ read }: HookSettings): readonly string[] {
  return read.filter(({ settings }) => settings === null).map(({ file }) => `${file} cannot be read`);
}
