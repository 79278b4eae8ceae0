import { join } from 'node:path';
import { foldersUp, type JsonObject, objectOf } from '@ambit/core';
import { mayChangePrograms } from '@ambit/shell';
import type { ClientName } from '../clients/client-call.js';
import { settingsFolders } from '../clients/settings-files.js';
import { jsonWithComments, readableTextOf } from '../clients/settings-text.js';

/** The folder in which a client was started, and its user's home. */
interface Started {
  readonly home: string;
  readonly project: string;
}

/** A setting of the repository that changes what calls do. */
export interface RepositorySetting {
  /** Why a call may do something else than described. */
  readonly why: string;
  /** Whether something else may run before the command, even before a confined one. */
  readonly mayRunFirst: boolean;
}

/** What a setting changes: what a command does, or what else runs when a file is read or written. */
type Changed = 'commands' | 'files';

/**
 * Looks for a variable or another shell that a file of the repository gives to the commands of a client, or for a program that the
 * client runs with files. The result is null if it finds none. Files in the home folder itself are the user's own. A second call
 * with the same `of` gets the result of the first.
 */
export function repositorySettingOf(
  client: ClientName,
  started: Started,
): (of: Changed) => Promise<RepositorySetting | null> {
  const found = new Map<Changed, Promise<RepositorySetting | null>>();
  return (of) => {
    // Only opencode runs programs with files.
    if (of === 'files' && client !== 'opencode') return Promise.resolve(null);
    const looking = found.get(of) ?? lookFor(client, of, started);
    found.set(of, looking);
    return looking;
  };
}

async function lookFor(client: ClientName, of: Changed, started: Started): Promise<RepositorySetting | null> {
  let found: RepositorySetting | null = null;
  for (const file of filesOf(client, started)) {
    const text = readableTextOf(file);
    if (text === null) continue;
    const given = await variablesIn(text, client, of).catch(() => null);
    if (given === null)
      return { why: `${file} cannot be read, and may give it variables`, mayRunFirst: true };
    for (const [name, value] of Object.entries(given)) {
      const isBash = name === 'CLAUDE_CODE_SHELL' && typeof value === 'string' && bash.test(value);
      if (
        isBash ||
        ofClients.test(name) ||
        !(await mayChangePrograms(name, typeof value === 'string' ? value : null))
      )
        continue;
      const why = `${file} sets \`${name}\` for it, with which it may do something else${wayOut(file)}`;
      if (ofShells.test(name)) return { why, mayRunFirst: true };
      found ??= { why, mayRunFirst: false };
    }
  }
  return found;
}

/** What clients, shells and the loader of programs obey when they start. A confined command gets no other variable. */
const ofShells =
  /^(?:(?:BASH|CLAUDE|CODEX|DYLD_|GEMINI|GLIBC_|LD_|MALLOC_|TEXTDOMAIN).*|shell|SHELL|SHELLOPTS|ENV|PATH|HOME|IFS|PS4|CDPATH|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|GCONV_PATH|LOCPATH|NLSPATH|LANG(?:UAGE)?|LC_.*)$/;

const bash = /^\/(?:usr\/)?bin\/bash$/;

/** How to keep a `.env` out: Gemini reads only the first file. */
function wayOut(file: string): string {
  return /(?<!\.gemini)\/\.env$/.test(file) ? '; an empty .gemini/.env beside it keeps it out' : '';
}

/** Variables that only the clients themselves read. */
const ofClients =
  /^(?:(?:ANTHROPIC|OTEL|GOOGLE_CLOUD)_\w+|(?:GEMINI|GOOGLE)_API_KEY|(?:BASH|MCP|MAX)_\w*(?:TIMEOUT(?:_MS)?|LENGTH|TOKENS)|DISABLE_\w+|CLAUDE_CODE_(?:DISABLE|ENABLE|MAX)_\w+)$/;

function filesOf(client: ClientName, started: Started): readonly string[] {
  const inEach = (...names: readonly string[]) =>
    settingsFolders(started)
      .filter((folder) => folder !== started.home)
      .flatMap((folder) => names.map((name) => join(folder, name)));
  switch (client) {
    case 'claude-code':
      return inEach('.claude/settings.json', '.claude/settings.local.json');
    case 'codex':
      return inEach('.codex/config.toml');
    case 'gemini':
      return environmentFile(started);
    case 'opencode':
      return inEach(...['', '.opencode/'].flatMap((at) => [`${at}opencode.json`, `${at}opencode.jsonc`]));
    case 'copilot':
      return [];
  }
}

/** The first file of variables that Gemini finds upwards; it reads no other one. */
function environmentFile({ home, project }: Started): readonly string[] {
  for (const at of foldersUp(project)) {
    if (at === home) break;
    const found = [join(at, '.gemini/.env'), join(at, '.env')].find((file) => readableTextOf(file) !== null);
    if (found !== undefined) return [found];
  }
  return [];
}

async function variablesIn(text: string, client: ClientName, of: Changed): Promise<JsonObject> {
  if (client === 'gemini') return assignmentsIn(text);
  const parsed = client === 'codex' ? (await import('smol-toml')).parse(text) : jsonWithComments(text);
  const settings = objectOf(parsed);
  if (of === 'files') return filePrograms(settings);
  if (client === 'opencode') {
    const { shell = 'bash' } = settings;
    return shell === 'bash' || (typeof shell === 'string' && bash.test(shell)) ? {} : { shell };
  }
  const { env, shell_environment_policy: policy } = settings;
  return objectOf(client === 'codex' ? objectOf(policy).set : env);
}

/**
 * The settings with which opencode runs a program after a file was read or written. `true` stands for programs that it finds, such
 * as one in the project's `node_modules`.
 */
export function filePrograms({ formatter, lsp }: JsonObject): JsonObject {
  return { ...(formatter && { formatter }), ...(lsp && { lsp }) };
}

/** The variables that lines of a `.env` may set. */
function assignmentsIn(text: string): JsonObject {
  if (text.includes('\0')) throw new Error('it cannot be read');
  const found = text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)\s*(.*)$/gm);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.trim().replace(/^(["'`])(.*)\1$/, '$2')]),
  );
}
