import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, shellWord } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
import { handlersIn, ownCommand } from './hooks-found.js';
import { pluginText } from './opencode-plugin.js';

export type InstallScope = 'user' | 'project' | 'managed';

/** Where the hook is written, and how it is started. */
export interface Installing {
  readonly client: ClientName;
  readonly scope: InstallScope;
  /** Absolute, as everything below. */
  readonly home: string;
  readonly project: string;
  /** The program and its arguments that answer a hook call, without the stage. It is started with an empty environment. */
  readonly command: readonly [string, ...string[]];
  /** The words before the program that kill it where it hangs; none where the machine has no such program. */
  readonly limiter?: readonly string[];
  /** Seconds after which the client gives up; the hook itself answers earlier. */
  readonly timeout: number;
  /** Part of a name that nobody can guess, for clients in which a name can be switched off. */
  readonly random: string;
}

/** Why the hook cannot be installed so. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

/** The file that holds the hook. */
export function settingsFile({ client, scope, home, project }: Installing): string {
  const folder = scope === 'user' ? home : project;
  switch (client) {
    case 'claude-code':
      return scope === 'managed'
        ? '/etc/claude-code/managed-settings.json'
        : join(folder, '.claude/settings.json');
    case 'codex':
      return scope === 'managed' ? '/etc/codex/requirements.toml' : join(folder, '.codex/hooks.json');
    case 'gemini':
      return scope === 'managed' ? '/etc/gemini-cli/settings.json' : join(folder, '.gemini/settings.json');
    case 'copilot':
      if (scope === 'managed')
        throw new InstallError('copilot has no settings of the machine that Ambit knows');
      return scope === 'user'
        ? join(home, '.copilot/hooks/ambit.json')
        : join(project, '.github/hooks/ambit.json');
    case 'opencode':
      if (scope === 'managed')
        throw new InstallError('opencode has no settings of the machine that Ambit knows');
      return scope === 'user'
        ? join(home, '.config/opencode/plugin/ambit.js')
        : join(project, '.opencode/plugin/ambit.js');
  }
}

/** The file with the hook in it. `before` is its text; null where it is missing. Throws `InstallError`. */
export function withHook(before: string | null, installing: Installing): string {
  const { client, scope } = installing;
  switch (client) {
    case 'claude-code':
      return written(
        mergedHooks(
          parsed(before),
          claudeHooks(installing),
          scope === 'managed' ? { allowManagedHooksOnly: true } : {},
        ),
        before,
      );
    case 'codex':
      return scope === 'managed'
        ? withToml(before, installing)
        : written(mergedHooks(parsed(before), codexHooks(installing), {}), before);
    case 'gemini':
      return written(withGemini(parsed(before), installing), before);
    case 'copilot':
      requireOwnFile(before, settingsFile(installing));
      return `${JSON.stringify({ version: 1, hooks: copilotHooks(installing) }, null, 2)}\n`;
    case 'opencode':
      requireOwnFile(before, settingsFile(installing));
      return pluginText({ ...installing, command: [...clean, ...installing.command] });
  }
}

/** A file that only Ambit writes. */
function requireOwnFile(before: string | null, file: string): void {
  if (before !== null && !isOwnFile(before))
    throw new InstallError(`${file} is there, and Ambit did not write it`);
}

/** A plug-in, or a file of hooks, that `install` wrote. */
function isOwnFile(text: string): boolean {
  if (text.startsWith('// Written by `ambit hook install')) return true;
  const { hooks } = parsed(text);
  const lists = isJsonObject(hooks) ? Object.values(hooks) : [];
  const handlers = lists.flatMap((list) => (Array.isArray(list) ? list.flatMap(handlersIn) : []));
  return handlers.length > 0 && handlers.every((handler) => ownCommand(handler) !== null);
}

/** The client's environment, which a repository's settings may fill, does not reach the program. */
const clean = ['/usr/bin/env', '-i'] as const;

function claudeHooks({ command, timeout }: Installing): JsonObject {
  const [program, ...args] = [...clean, ...command];
  const handler = (...more: readonly string[]) => [
    {
      matcher: '*',
      hooks: [{ type: 'command', command: program, args: [...args, ...more], timeout, onFailure: 'block' }],
    },
  ];
  return { PreToolUse: handler(), PostToolUse: handler('--after'), PostToolUseFailure: handler('--after') };
}

function codexHooks(installing: Installing): JsonObject {
  const { timeout } = installing;
  const handler = (...more: readonly string[]) => [
    { matcher: '*', hooks: [{ type: 'command', command: shellText(installing, more), timeout }] },
  ];
  return { PreToolUse: handler(), PostToolUse: handler('--after') };
}

function copilotHooks(installing: Installing): JsonObject {
  const handler = (...more: readonly string[]) => [
    {
      type: 'command',
      bash: shellText(installing, more),
      // Its shell would run a file of this name first, which could end it with the code of an answer.
      env: { BASH_ENV: '' },
      timeoutSec: installing.timeout,
    },
  ];
  return { preToolUse: handler(), postToolUse: handler('--after') };
}

/** A name in `hooksConfig.disabled` of any settings file switches a hook off, so nobody may know it before. */
function withGemini(settings: JsonObject, installing: Installing): JsonObject {
  const { timeout, random } = installing;
  const handler = (...more: readonly string[]) => [
    {
      matcher: '*',
      hooks: [
        {
          type: 'command',
          name: `ambit-${random}${more.length === 0 ? '' : '-after'}`,
          command: shellText(installing, more),
          timeout: timeout * 1000,
        },
      ],
    },
  ];
  const { hooksConfig } = settings;
  const config = isJsonObject(hooksConfig) ? hooksConfig : {};
  return {
    ...mergedHooks(settings, { BeforeTool: handler(), AfterTool: handler('--after') }, {}),
    hooksConfig: { ...config, enabled: true },
  };
}

/** The settings with these hooks behind those that are there, and with hooks switched on. */
function mergedHooks(settings: JsonObject, hooks: JsonObject, more: JsonObject): JsonObject {
  const present = settings.hooks ?? {};
  if (!isJsonObject(present)) throw new InstallError('`hooks` in the settings is not an object');
  const all: Record<string, Json> = { ...present };
  for (const [event, list] of Object.entries(hooks)) {
    const before = all[event] ?? [];
    if (!Array.isArray(before)) throw new InstallError(`\`hooks.${event}\` in the settings is not a list`);
    if (before.flatMap(handlersIn).some((handler) => ownCommand(handler) !== null))
      throw new InstallError(
        'a hook of Ambit is installed there: take it out with `ambit hook uninstall` first',
      );
    all[event] = [...(before as Json[]), ...(list as Json[])];
  }
  const isClaude = Object.hasOwn(hooks, 'PostToolUseFailure');
  return { ...settings, ...(isClaude ? { disableAllHooks: false } : {}), ...more, hooks: all };
}

const marks = ['# ambit: begin', '# ambit: end'] as const;

function withToml(before: string | null, installing: Installing): string {
  const { timeout } = installing;
  if (/^\s*\[\[?\s*(?:features|hooks)\b/m.test(before ?? ''))
    throw new InstallError('requirements.toml has [features] or [hooks] of its own: merge them by hand');
  const handler = (event: string, ...more: readonly string[]) =>
    [
      `[[hooks.${event}]]`,
      'matcher = "*"',
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `command = ${JSON.stringify(shellText(installing, more))}`,
      `timeout = ${timeout}`,
    ].join('\n');
  const block = [
    marks[0],
    'allow_managed_hooks_only = true',
    '[features]',
    'hooks = true',
    // A terminal takes text that no hook is told of.
    'unified_exec_tty = false',
    '[hooks]',
    'managed_dir = "/etc/codex/hooks"',
    handler('PreToolUse'),
    handler('PostToolUse', '--after'),
    marks[1],
    '',
  ].join('\n');
  // A key of the root stands before all tables.
  return `${block}${before ?? ''}`;
}

/**
 * These clients run the tool where the hook is killed, missing, or ends with another code than 2: so a shell stands before it that
 * refuses then. It gets a text on stderr, because a silent 2 runs the tool as well.
 */
const guard = '"$@" || { [ $? = 2 ] || echo "ambit: the hook failed; the call is refused" >&2; exit 2; }';

function shellText({ command, limiter = [] }: Installing, more: readonly string[]): string {
  return [...clean, '/bin/sh', '-c', guard, 'ambit', ...limiter, ...command, ...more]
    .map(shellWord)
    .join(' ');
}

function parsed(text: string | null): JsonObject {
  if (text === null || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InstallError(
      `the settings are not JSON: ${error instanceof Error ? error.message : 'they cannot be read'}`,
    );
  }
  if (!isJsonObject(value)) throw new InstallError('the settings are not a JSON object');
  return value;
}

function written(settings: JsonObject, before: string | null): string {
  const indent = /^([ \t]+)"/m.exec(before ?? '')?.[1] ?? '  ';
  return `${JSON.stringify(settings, null, indent)}\n`;
}
