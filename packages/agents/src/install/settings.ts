import { join } from 'node:path';
import { equalJson, type JsonObject, jsonOr, shellWord } from '@ambit/core';
import { parse } from 'smol-toml';
import type { ClientName } from '../clients/client-call.js';
import { claudeDenials } from '../rules/claude-written.js';
import { oddMember } from '../rules/odd-member.js';
import type { StaticRule } from '../rules/static-rule.js';
import { hasOwnHook, InstallError, merged } from './merged-settings.js';
import { pluginText } from './opencode-plugin.js';
import { hasSkillHook } from './versions.js';

export type InstallScope = 'user' | 'project' | 'managed';

/** Where the hook is written, and the command that starts it. */
export interface Installing {
  readonly client: ClientName;
  readonly scope: InstallScope;
  /** An absolute path, like all paths below. */
  readonly home: string;
  readonly project: string;
  /** The program and its arguments that answer a hook call, without the stage. It is started with an empty environment. */
  readonly command: readonly [string, ...string[]];
  /** The words before the program that kill it if it hangs; empty if the machine has no such program. */
  readonly limiter?: readonly string[];
  /** Seconds after which the client gives up; the hook itself answers earlier. */
  readonly timeout: number;
  /** The machine's bash, which clients are told to run commands in: they are described as bash reads them. */
  readonly shell?: string | null;
  /** A random part of the hook's name, for clients in which a name can be switched off. */
  readonly random: string;
  /** The client's version; null if it is unknown. */
  readonly version?: string | null;
  /** The client's own denials, which also hold if its hook is bypassed. */
  readonly denials?: readonly StaticRule[];
}

/** The file that contains the hook. */
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

/** The file with the hook added. `before` is its text; null if it is missing. Throws `InstallError`. */
export function withHook(before: string | null, installing: Installing): string {
  const { client, scope, denials = [], shell = null } = installing;
  const denied = client === 'claude-code' ? claudeDenials(denials) : [];
  switch (client) {
    case 'claude-code': {
      const after = merged(before, claudeHooks(installing), [
        { path: ['disableAllHooks'], value: false },
        ...(shell === null ? [] : [{ path: ['env', 'CLAUDE_CODE_SHELL'], value: shell } as const]),
        ...(scope === 'managed' ? [{ path: ['allowManagedHooksOnly'], value: true } as const] : []),
        ...(denied.length > 0 ? [{ path: ['permissions', 'deny'], more: denied } as const] : []),
      ]);
      requirePlain(after.replace(/^\uFEFF/, ''), installing);
      return after;
    }
    case 'codex': {
      if (scope === 'managed') return withToml(before, installing);
      const after = merged(before, codexHooks(installing));
      requirePlain(after, installing);
      return after;
    }
    case 'gemini':
      return merged(before, geminiHooks(installing), [{ path: ['hooksConfig', 'enabled'], value: true }]);
    case 'copilot':
      requireOwnFile(before, settingsFile(installing));
      return `${JSON.stringify({ version: 1, hooks: copilotHooks(installing) }, null, 2)}\n`;
    case 'opencode':
      requireOwnFile(before, settingsFile(installing));
      return pluginText({ ...installing, command: [...clean, ...installing.command] });
  }
}

/**
 * Other settings than plain JSON, with comments for example, the client ignores as a whole, and says nothing. So it does if any
 * hook or other setting has another form.
 */
function requirePlain(text: string, installing: Installing): void {
  const { client } = installing;
  const settings = jsonOr(text, null) as JsonObject | null;
  const odd = settings === null ? null : oddMember(settings, client);
  if (settings !== null && odd === null) return;
  const [only, what] =
    settings === null
      ? ['plain JSON', 'a comment or the like']
      : ['settings of its form', `another \`${odd}\``];
  const why = `${client} reads ${only} only, and its hooks would not run`;
  throw new InstallError(`${why}: correct ${settingsFile(installing)}, which has ${what}`);
}

/** A file that only Ambit writes. */
function requireOwnFile(before: string | null, file: string): void {
  if (before !== null && !isOwnFile(before))
    throw new InstallError(`${file} already exists, and Ambit did not write it`);
}

/** A plug-in or a file of hooks that `install` wrote. */
export function isOwnFile(text: string): boolean {
  if (text.startsWith('// Written by `ambit hook install')) return true;
  return text.trim() !== '' && hasOwnHook(text, true);
}

/** Clears the client's environment for the program, because a repository's settings may fill it. */
const clean = ['/usr/bin/env', '-i'] as const;

function claudeHooks({ command, timeout, version = null }: Installing): JsonObject {
  const [program, ...args] = [...clean, ...command];
  const handler = (...more: readonly string[]) => [
    {
      matcher: '*',
      hooks: [{ type: 'command', command: program, args: [...args, ...more], timeout, onFailure: 'block' }],
    },
  ];
  const [before, after] = [handler(), handler('--after')];
  return {
    PreToolUse: before,
    // A version that lacks this event warns about it at each start.
    ...(hasSkillHook(version) && { PreSkillShellCommand: before }),
    PostToolUse: after,
    PostToolUseFailure: after,
  };
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
      // A shell of the client would first run the file in this variable, which could choose the exit code of the
      // answer.
      env: { BASH_ENV: '' },
      timeoutSec: installing.timeout,
    },
  ];
  return { preToolUse: handler(), postToolUse: handler('--after') };
}

/**
 * A name in `hooksConfig.disabled` of any settings file switches a hook off, so the name must not be
 * predictable.
 */
function geminiHooks(installing: Installing): JsonObject {
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
  return { BeforeTool: handler(), AfterTool: handler('--after') };
}

const marks = ['# ambit: begin', '# ambit: end'] as const;

function withToml(before: string | null, installing: Installing): string {
  const { timeout } = installing;
  const handler = (event: string, ...more: readonly string[]) =>
    [
      `[[hooks.${event}]]`,
      'matcher = "*"',
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `command = ${JSON.stringify(shellText(installing, more))}`,
      `timeout = ${timeout}`,
    ].join('\n');
  const block = (...lines: readonly string[]) => [marks[0], ...lines, marks[1], ''].join('\n');
  const tables = [
    '[features]',
    'hooks = true',
    // A terminal accepts input without a call of the hook.
    'unified_exec_tty = false',
    '[hooks]',
    'managed_dir = "/etc/codex/hooks"',
    handler('PreToolUse'),
    handler('PostToolUse', '--after'),
  ];
  const present = before ?? '';
  const end = present === '' || present.endsWith('\n') ? '' : '\n';
  // A key of the root must be before all tables, because a table contains all keys after it.
  const only = 'allow_managed_hooks_only = true';
  const after = `${block(only)}${present}${end}${block(...tables)}`;
  const expected = { ...tomlIn(present), ...tomlIn(`${only}\n${tables.join('\n')}`) };
  const others = ['features', 'hooks', 'allow_managed_hooks_only'].filter((key) =>
    Object.hasOwn(tomlIn(present), key),
  );
  if (others.length > 0 || !equalJson(tomlIn(after), expected))
    throw new InstallError(
      `requirements.toml has ${others.join(', ') || 'settings'} of its own: merge them by hand`,
    );
  return after;
}

function tomlIn(text: string): JsonObject {
  try {
    return JSON.parse(JSON.stringify(parse(text))) as JsonObject;
  } catch {
    throw new InstallError('requirements.toml is not TOML');
  }
}

/**
 * These clients run the tool if the hook is killed, missing, or exits with a code other than 2. So a shell in front of
 * it refuses then. It prints a text on stderr, because a silent 2 runs the tool too.
 */
const guard = '"$@" || { [ $? = 2 ] || echo "ambit: the hook failed; the call is refused" >&2; exit 2; }';

function shellText({ command, limiter = [] }: Installing, more: readonly string[]): string {
  return [...clean, '/bin/sh', '-c', guard, 'ambit', ...limiter, ...command, ...more]
    .map(shellWord)
    .join(' ');
}
