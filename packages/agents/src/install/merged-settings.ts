import { equalJson, isJsonObject, type Json, type JsonObject } from '@ambit/core';
import { applyEdits, modify } from 'jsonc-parser';
import { jsonWithComments } from '../clients/json-with-comments.js';
import { handlersIn, ownCommand } from './hooks-found.js';

/** Why the hook cannot be installed so. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

/** A member of the settings, and its value. */
type Change = readonly [readonly [string, ...string[]], Json];

/**
 * The settings with these hooks behind those that are there, and with these members. Everything else stays as it is written,
 * comments too.
 */
export function merged(before: string | null, hooks: JsonObject, members: readonly Change[] = []): string {
  const mark = before?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  let text = before === null || before.trim() === '' ? '{}\n' : before.slice(mark.length);
  const settings = jsonSettings(text);
  const present = settings.hooks ?? {};
  if (!isJsonObject(present)) throw new InstallError('`hooks` in the settings is not an object');
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
  for (const [event, list] of Object.entries(hooks)) {
    const there = present[event] ?? [];
    if (!Array.isArray(there)) throw new InstallError(`\`hooks.${event}\` in the settings is not a list`);
    if (there.flatMap(handlersIn).some((handler) => ownCommand(handler) !== null))
      throw new InstallError(
        'a hook of Ambit is installed there: take it out with `ambit hook uninstall` first',
      );
    if (present[event] === undefined) put(['hooks', event], list ?? []);
    else
      for (const [at, handler] of (list as Json[]).entries())
        put(['hooks', event, there.length + at], handler, true);
  }
  for (const [path, value] of members) {
    const [first, ...inner] = path;
    if (inner.length > 0 && !isJsonObject(settings[first] ?? {}))
      throw new InstallError(`\`${first}\` in the settings is not an object`);
    put(path, value);
  }
  requireIn(jsonSettings(text), { settings, present, hooks, members });
  return mark + text;
}

/** A member that stands twice would be changed in one place, and read in the other. */
function requireIn(
  after: JsonObject,
  {
    settings,
    present,
    hooks,
    members,
  }: Readonly<Record<'settings' | 'present' | 'hooks', JsonObject>> & {
    readonly members: readonly Change[];
  },
): void {
  const lists = Object.entries(hooks).map(([event, list]) => [
    event,
    [...((present[event] ?? []) as Json[]), ...(list as Json[])],
  ]);
  const expected: Record<string, Json> = { ...settings, hooks: { ...present, ...Object.fromEntries(lists) } };
  for (const [[first, inner], value] of members)
    expected[first] = inner === undefined ? value : { ...(settings[first] as JsonObject), [inner]: value };
  if (!equalJson(after, expected))
    throw new InstallError('a member of the settings stands there twice: take one of them out by hand');
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
