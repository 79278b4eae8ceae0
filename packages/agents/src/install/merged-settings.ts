import { equalJson, isJsonObject, type Json, type JsonObject } from '@ambit/core';
import { applyEdits, modify } from 'jsonc-parser';
import { handlersIn, ownCommand } from '../clients/hooks-found.js';
import { jsonWithComments } from '../clients/settings-text.js';

/** Why the hook cannot be installed. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

type Path = readonly [string, ...string[]];

/** A change of the settings: a member's value, or entries appended to a list. */
export type Change =
  | { readonly path: Path; readonly value: Json }
  | { readonly path: Path; readonly more: readonly Json[] };

/** The settings with these hooks appended to existing ones, and with these changes. Throws `InstallError`. */
export function merged(before: string | null, hooks: JsonObject, changes: readonly Change[] = []): string {
  const { hooks: present = {} } = jsonSettings(plain(before));
  const handlers = isJsonObject(present) ? Object.values(present).flat().flatMap(handlersIn) : [];
  if (handlers.some((handler) => ownCommand(handler) !== null))
    throw new InstallError(
      'a hook of Ambit is installed there: take it out with `ambit hook uninstall` first',
    );
  const lists = Object.entries(hooks).map(([event, list]) => ({
    path: ['hooks', event] as const,
    more: list as readonly Json[],
  }));
  return edited(before, [...lists, ...changes]);
}

/** The settings with these changes. All other text is kept, including comments. Throws `InstallError`. */
export function edited(before: string | null, changes: readonly Change[]): string {
  const mark = before?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  let text = plain(before);
  let expected = jsonSettings(text);
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const put = (path: readonly (string | number)[], value: Json, isArrayInsertion = false) => {
    const options = { formattingOptions, isArrayInsertion };
    text = applyEdits(text, modify(text, [...path], value, options));
  };
  for (const change of changes) {
    const { path } = change;
    const there = memberAt(expected, path);
    if ('value' in change) {
      put(path, change.value);
      expected = withMember(expected, path, change.value);
      continue;
    }
    if (there !== undefined && !Array.isArray(there))
      throw new InstallError(`\`${path.join('.')}\` in the settings is not a list`);
    if (there === undefined) put(path, [...change.more]);
    else for (const [at, each] of change.more.entries()) put([...path, there.length + at], each, true);
    expected = withMember(expected, path, [...(there ?? []), ...change.more]);
  }
  // A duplicate member would be changed in one place and read in the other.
  if (!equalJson(jsonSettings(text), expected))
    throw new InstallError('the settings have a duplicate member: remove one of them by hand');
  return mark + text;
}

function plain(before: string | null): string {
  return before === null || before.trim() === '' ? '{}\n' : before.replace(/^\uFEFF/, '');
}

function memberAt(settings: JsonObject, [name, ...rest]: Path): Json | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  const [next, ...more] = rest;
  if (next === undefined || value === undefined) return value;
  if (!isJsonObject(value)) throw new InstallError(`\`${name}\` in the settings is not an object`);
  return memberAt(value, [next, ...more]);
}

function withMember(settings: JsonObject, [name, ...rest]: Path, value: Json): JsonObject {
  const [next, ...more] = rest;
  const inner = settings[name];
  const to =
    next === undefined ? value : withMember(isJsonObject(inner) ? inner : {}, [next, ...more], value);
  return { ...settings, [name]: to };
}

/** Throws `InstallError`. */
export function jsonSettings(text: string): JsonObject {
  let value: unknown;
  try {
    value = jsonWithComments(text);
  } catch (error) {
    throw new InstallError(
      `the settings are not JSON: ${error instanceof Error ? error.message : 'they cannot be read'}`,
    );
  }
  if (!isJsonObject(value)) throw new InstallError('the settings are not a JSON object');
  return value;
}
