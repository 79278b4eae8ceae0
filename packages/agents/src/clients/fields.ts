import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import {
  fromHome,
  hasDuplicateKey,
  isObject,
  type JsonObject,
  jsonCopy,
  jsonOr,
  orNull,
  ownMember,
} from '@ambit/core';
import { type ClientCall, type ClientName, HookInputError } from './client-call.js';

/** The largest input of a hook: an edit of a file with its context. */
export const mostInput = 32_000_000;

/** The input of a hook. */
export function inputIn(text: string): JsonObject {
  if (text.length > mostInput) throw new HookInputError('the input is too long');
  const value = jsonOr(text, undefined);
  if (value === undefined) throw new HookInputError('the input is not JSON');
  if (!isObject(value)) throw new HookInputError('the input is not a JSON object');
  // The client may run the first of them.
  if (hasDuplicateKey(text, value)) throw new HookInputError('an object in the input has a key twice');
  return value;
}

/** Required text. */
export function requireText(of: JsonObject, key: string): string {
  const value = ownMember(of, key);
  if (typeof value !== 'string' || value === '')
    throw new HookInputError(`\`${key}\` is missing in the hook's input`);
  return value;
}

/** The event in the input, which must be one that the hook was installed for: another may have no opinion. */
export function requireEvent(of: JsonObject, known: readonly string[]): string {
  const event = requireText(of, 'hook_event_name');
  if (known.includes(event)) return event;
  throw new HookInputError(`the event \`${event}\` is unknown: this hook is for ${known.join(' and ')}`);
}

export function requireFolder(of: JsonObject, key: string): string {
  const folder = requireText(of, key);
  if (!isAbsolute(folder)) throw new HookInputError(`\`${key}\` in the hook's input is not an absolute path`);
  if (pathsFrom('/', folder).length > 1)
    throw new HookInputError(`\`${key}\` in the hook's input has \`..\` behind a link`);
  return folder;
}

export function requireObject(of: JsonObject, key: string): JsonObject {
  const value = jsonCopy(ownMember(of, key));
  if (!isObject(value)) throw new HookInputError(`\`${key}\` in the hook's input is not an object`);
  return value;
}

/** Text, or null if it is missing. Any other value is an error. */
export function optionalText(of: JsonObject, key: string): string | null {
  const value = ownMember(of, key) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new HookInputError(`\`${key}\` in the hook's input is not text`);
}

/** Where a client's paths begin. */
export interface PathOrigin {
  readonly home: string;
  /** The folder of the call. */
  readonly folder: string;
}

export function pathFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** The path by its text, and as the system takes it, if `..` behind a link leads elsewhere. */
export function pathsFrom(folder: string, path: string): readonly string[] {
  const named = pathFrom(folder, path);
  const [, head = '', rest = ''] =
    /^(.*\/\.\.)(?=\/|$)(.*)$/s.exec(isAbsolute(path) ? path : `${folder}/${path}`) ?? [];
  const real = head === '' ? null : orNull(() => realpathSync.native(head));
  if (real === null || real === orNull(() => realpathSync.native(resolve(head)))) return [named];
  return [named, `${real}${rest}`];
}

/** For clients that take `~` as a name, in the versions that were run. */
export function plainPaths(path: string, { home, folder }: PathOrigin): readonly string[] {
  return [...pathsFrom(folder, path), ...(/^~(?:\/|$)/.test(path) ? [fromHome(path, home)] : [])];
}

/** The MCP server and its tool in a joined name, if it can be split in exactly one way. */
export function serverJoined(tool: string, separator: '-' | '_'): { name: string; tool: string } | null {
  const [server = '', name = '', ...more] = tool.split(separator);
  return server === '' || name === '' || more.length > 0 ? null : { name: server, tool: name };
}

/** The name of a sub-agent as the name of a worker: `General Purpose` is `general-purpose`. */
export function workerNameOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 64);
  return plain === '' ? 'agent' : plain;
}

/** Who acts in the call of a sub-agent. An answer about it does not count for another that has the same name in the chain. */
export function actingAs(client: ClientName, name: string | null): Pick<ClientCall, 'chain' | 'agent'> {
  const worker = workerNameOf(name ?? '');
  return { chain: [client, worker], ...(worker === name ? {} : { agent: name ?? '' }) };
}
