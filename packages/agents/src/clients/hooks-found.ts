import { basename, join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';
import { parse } from 'smol-toml';
import type { ClientName } from './client-call.js';
import { isClientName } from './clients.js';
import { mayHaveHooks, pluginManifest, skillsBelow } from './notes.js';
import {
  addedFolders,
  inScope,
  type SettingsPlaces,
  type SettingsScope,
  settingsFiles,
} from './settings-files.js';
import { jsonWithComments, readableTextOf } from './settings-text.js';

/** One settings file of a client that exists. */
export interface ReadSettings {
  readonly file: string;
  readonly scope: SettingsScope;
  /** Null if the file is malformed. */
  readonly settings: JsonObject | null;
}

/** One hook in a client's settings that runs before a call. */
export interface FoundHook {
  readonly file: string;
  readonly scope: SettingsScope;
  readonly event: string;
  /** The started command, for people. */
  readonly text: string;
  /** The words of Ambit's own command; null for the hook of another program. */
  readonly own: readonly string[] | null;
}

/**
 * All existing settings files of a client: of the machine, the user and the project, and what it loads from folders below once it
 * works there.
 */
export function readSettings(client: ClientName, places: SettingsPlaces): readonly ReadSettings[] {
  const files = settingsFiles(client, places);
  const folders = client === 'claude-code' ? [places.project, ...addedFolders(places, files)] : [];
  const below = skillsBelow(folders);
  const unseen = join(places.project, '**/.claude/skills');
  return [
    ...[...files, ...inScope('project', below ?? [])].flatMap(([scope, file]): readonly ReadSettings[] => {
      const text = readableTextOf(file);
      return text === null ? [] : [{ file, scope, settings: parsedAs(file, text) }];
    }),
    ...(below === null ? [{ file: unseen, scope: 'project', settings: null } as const] : []),
  ];
}

function parsedAs(file: string, text: string): JsonObject | null {
  try {
    if (/\.[cm]?[jt]s$/.test(file)) return { plugin_text: text };
    if (/\.md$/i.test(file))
      return mayHaveHooks(text) ? { hooks: { PermissionRequest: [{ command: 'in its head' }] } } : {};
    if (file.endsWith(pluginManifest)) return { enabledPlugins: { 'in this folder': true } };
    const value: unknown = file.endsWith('.toml') ? parse(text) : jsonWithComments(text.trim() || '{}');
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The event at which a hook answers a question of Claude Code in its user's place; the first answer counts. */
const answering = 'PermissionRequest';
/** A plug-in may have hooks at each event. */
const plugIn = 'plug-in';

/** The events of each client that occur before a tool runs. */
const before: ReadonlySet<string> = new Set(['PreToolUse', 'preToolUse', 'BeforeTool', answering]);

/** Hooks of others that may change a call after Ambit has judged it, or answer the question about it. */
export function othersHooks(client: ClientName, read: readonly ReadSettings[]): readonly FoundHook[] {
  const isManagedOnly = read.some(
    ({ scope, settings }) =>
      scope === 'managed' &&
      (settings?.allowManagedHooksOnly === true || settings?.allow_managed_hooks_only === true),
  );
  return read
    .flatMap(hooksIn)
    .filter(
      ({ own, scope, event }) =>
        own === null &&
        (scope === 'managed' || !isManagedOnly) &&
        (event !== answering || client === 'claude-code'),
    );
}

/**
 * Whether something other than a person may answer the client's question: a third-party hook, a plug-in, or an
 * unreadable file. Copilot asks its user if a hook asks, regardless of other hooks.
 */
export function mayOthersAnswer(client: ClientName, places: SettingsPlaces): boolean {
  if (client !== 'claude-code') return false;
  // The start of the client is unknown, or may add hooks.
  if (places.given?.mayHaveHooks !== false) return true;
  const read = readSettings(client, places);
  const isUnread = read.some(({ settings }) => settings === null);
  return isUnread || othersHooks(client, read).some(({ event }) => event === answering || event === plugIn);
}

/** The hooks that run before a call, in the order of the files. */
export function hooksIn({ file, scope, settings }: ReadSettings): readonly FoundHook[] {
  const plugin = settings?.plugin_text;
  const found = (event: string, text: string, own: readonly string[] | null) => ({
    file,
    scope,
    event,
    text,
    own,
  });
  if (typeof plugin === 'string') return [found('tool.execute.before', file, ownPlugin(plugin))];
  const named = Array.isArray(settings?.plugin) ? settings.plugin : [];
  const others = named.map((each) => found('tool.execute.before', JSON.stringify(each), null));
  const hooks = objectOf(settings?.hooks);
  return [
    ...others,
    ...plugInsOf(settings ?? {}).map((name) => found(plugIn, `plug-in ${name}`, null)),
    ...Object.entries(hooks).flatMap(([event, list]) =>
      before.has(event) && Array.isArray(list)
        ? list
            .flatMap(handlersIn)
            .map((handler) =>
              found(event, hookText(handler), event === answering ? null : ownCommand(handler)),
            )
        : [],
    ),
  ];
}

/** Each plug-in that is not switched off: `plugins` is Codex's table, and `installedPlugins` Copilot's list of what it copied. */
function plugInsOf({ enabledPlugins, plugins, installedPlugins }: JsonObject): readonly string[] {
  const isOn = (each: Json | undefined) => each !== false && !(isJsonObject(each) && each.enabled === false);
  const listed = Array.isArray(installedPlugins) ? installedPlugins.filter(isOn) : [];
  const named = [enabledPlugins, plugins]
    .filter(isJsonObject)
    .flatMap((table) => Object.keys(table).filter((name) => isOn(table[name])));
  const nameOf = (each: Json) =>
    isJsonObject(each) && typeof each.name === 'string' ? each.name : 'of the user';
  return [...named, ...listed.map(nameOf)];
}

/** An entry of an event is a handler, or contains several. */
export function handlersIn(entry: Json): readonly JsonObject[] {
  if (!isJsonObject(entry)) return [];
  return Array.isArray(entry.hooks) ? entry.hooks.filter(isJsonObject) : [entry];
}

function hookText({ command, bash, url, type }: JsonObject): string {
  return [command, bash, url, type].find((each) => typeof each === 'string') ?? 'a hook';
}

/** The words of the command if it is `ambit hook CLIENT`; null for any other command. */
export function ownCommand({ command, bash, args }: JsonObject): readonly string[] | null {
  const line = typeof command === 'string' ? command : bash;
  if (typeof line !== 'string') return null;
  const words = Array.isArray(args)
    ? [line, ...args.filter((each) => typeof each === 'string')]
    : wordsOf(line);
  const at = words?.indexOf('hook') ?? -1;
  const isOwn =
    at > 0 && programs.has(basename(words?.[at - 1] ?? '')) && isClientName(words?.[at + 1] ?? '');
  return isOwn ? words : null;
}

/** Whether a hook is Ambit's for this client: Copilot also runs the hooks of Claude Code in a repository. */
export function isFor(client: ClientName, { own }: FoundHook): boolean {
  return own !== null && own[own.indexOf('hook') + 1] === client;
}

const programs: ReadonlySet<string> = new Set(['launch.cjs', 'ambit']);

function ownPlugin(text: string): readonly string[] | null {
  const [, program, args] = /spawn\((".*?"), \[\.\.\.(\[.*?\]), /.exec(text) ?? [];
  if (program === undefined || args === undefined) return null;
  try {
    return ownCommand({ command: JSON.parse(program) as string, args: JSON.parse(args) as string[] });
  } catch {
    return null;
  }
}

/** Splits text into the words that `shellWord` joined; null for text that it never writes. */
function wordsOf(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at);
    const [piece] = /^(?: +|'[^']*'|\\'|[^\s'"\\$`;&|<>()]+)/.exec(rest) ?? [];
    if (piece === undefined) return null;
    at += piece.length;
    if (piece.startsWith(' ')) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + (piece === "\\'" ? "'" : piece.startsWith("'") ? piece.slice(1, -1) : piece);
  }
  return word === null ? words : [...words, word];
}

/** The value of an option of Ambit's own command. */
export function optionOf(words: readonly string[], name: string): string | null {
  const at = words.indexOf(name);
  return at < 0 ? null : (words[at + 1] ?? null);
}
