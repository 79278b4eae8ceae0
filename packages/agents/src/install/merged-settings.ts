import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  objectOf,
  orNull,
  ownMember,
} from '@ambit/core';
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
  if (hasOwnHook(withoutMark(before)))
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
  const { put, done } = editing(before);
  let expected = jsonSettings(withoutMark(before));
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
  return done(expected);
}

/**
 * The settings without what an installation changed. What others changed since stays. Null where nothing is left of a
 * file that was made then. Throws `InstallError`.
 */
export function takenOut(
  now: string,
  { before, after }: { readonly before: string | null; readonly after: string },
): string | null {
  const present = jsonSettings(withoutMark(now));
  const was = before === null ? undefined : jsonSettings(withoutMark(before));
  const left = reverted(present, { was, ours: jsonSettings(withoutMark(after)) });
  if (left === undefined) return null;
  const { put, done } = editing(now);
  const isCommented = orNull(() => JSON.parse(withoutMark(now)) as Json) === null;
  const rewrite = (path: readonly (string | number)[], from: Json, to: Json | undefined): void => {
    if (to !== undefined && equalJson(from, to)) return;
    const isEmptied = to !== undefined && !isCommented && [{}, []].some((empty) => equalJson(to, empty));
    if (isEmptied) put(path, to);
    else if (isJsonObject(from) && isJsonObject(to))
      for (const [name, value] of Object.entries(from)) rewrite([...path, name], value, ownMember(to, name));
    else if (Array.isArray(from) && Array.isArray(to)) {
      const kept = [...to];
      for (const [at, value] of [...from.entries()].reverse())
        if (kept.length > 0 && equalJson(value, kept.at(-1) ?? null)) kept.pop();
        else put([...path, at], undefined);
    } else put(path, to);
  };
  rewrite([], present, left);
  const text = done(left as JsonObject);
  if (hasOwnHook(withoutMark(text))) throw new InstallError('the hook was changed');
  return text;
}

/** `present` with the change from `was` to `ours` undone; undefined where nothing is left. */
function reverted(
  present: Json,
  { was, ours }: { readonly was: Json | undefined; readonly ours: Json | undefined },
): Json | undefined {
  if (ours === undefined || (was !== undefined && equalJson(was, ours))) return present;
  if (equalJson(present, ours)) return was;
  if (Array.isArray(present) && Array.isArray(ours)) {
    const added = withoutOnce(ours, Array.isArray(was) ? was : []);
    const left = withoutOnce(present, added);
    return left.length === 0 && was === undefined ? undefined : left;
  }
  if (!isJsonObject(present) || !isJsonObject(ours)) return present;
  const before = objectOf(was);
  const left = Object.entries(present).flatMap(([name, value]) => {
    const to = reverted(value, { was: ownMember(before, name), ours: ownMember(ours, name) });
    return to === undefined ? [] : [[name, to] as const];
  });
  return left.length === 0 && was === undefined ? undefined : Object.fromEntries(left);
}

/** Removes one equal entry from the list for each of the others. */
function withoutOnce(list: readonly Json[], others: readonly Json[]): Json[] {
  const left = [...list];
  for (const other of others) {
    const at = left.findIndex((each) => equalJson(each, other));
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}

/** Edits that keep all other text, including comments. `done` gives the text, which must have this meaning. */
function editing(before: string | null) {
  const mark = before?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  let text = withoutMark(before);
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return {
    put: (path: readonly (string | number)[], value: Json | undefined, isArrayInsertion = false) => {
      text = applyEdits(text, modify(text, [...path], value, { formattingOptions, isArrayInsertion }));
    },
    done: (expected: JsonObject) => {
      // A duplicate member would be changed in one place and read in the other.
      if (!equalJson(jsonSettings(text), expected))
        throw new InstallError('the settings have a duplicate member: remove one of them by hand');
      return mark + text;
    },
  };
}

/** Whether the settings have a hook of Ambit. `only`: and no other one. Throws `InstallError`. */
export function hasOwnHook(text: string, only = false): boolean {
  const { hooks } = jsonSettings(text);
  const handlers = isJsonObject(hooks) ? Object.values(hooks).flat().flatMap(handlersIn) : [];
  const own = handlers.filter((handler) => ownCommand(handler) !== null);
  return own.length > 0 && (!only || own.length === handlers.length);
}

function withoutMark(before: string | null): string {
  return before === null || before.trim() === '' ? '{}\n' : before.replace(/^\uFEFF/, '');
}

function memberAt(settings: JsonObject, [name, ...rest]: Path): Json | undefined {
  const value = ownMember(settings, name);
  const [next, ...more] = rest;
  if (next === undefined || value === undefined) return value;
  if (!isJsonObject(value)) throw new InstallError(`\`${name}\` in the settings is not an object`);
  return memberAt(value, [next, ...more]);
}

function withMember(settings: JsonObject, [name, ...rest]: Path, value: Json): JsonObject {
  const [next, ...more] = rest;
  const inner = settings[name];
  const to = next === undefined ? value : withMember(objectOf(inner), [next, ...more], value);
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
