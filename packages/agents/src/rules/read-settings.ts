import { isJsonObject, type JsonObject, objectOf, orNull } from '@ambit/core';
import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { jsonWithComments } from '../clients/settings-text.js';
import { oddMember } from './odd-member.js';
import type { SettingsText } from './static-rule.js';

/** Thrown for settings that cannot be read. The message begins with `file:line:column`. */
export class RulesError extends Error {
  override readonly name = 'RulesError';
  /** `at`: the offset in the text. */
  constructor(
    { file, text }: SettingsText,
    at: number,
    what: string,
    readonly hint: string,
  ) {
    const lines = text.slice(0, at).split('\n');
    super(`${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: ${what}`);
  }
}

/** The settings of a file as an object. Throws `RulesError`. */
export function settingsOf(file: SettingsText): JsonObject {
  return objectIn(
    file,
    orNull(() => jsonWithComments(file.text)),
  );
}

/** The settings of a file of Claude Code, which ignores all of them if it cannot read one. Throws `RulesError`. */
export function claudeSettingsOf(file: SettingsText): JsonObject {
  const settings = objectIn(
    file,
    orNull((): unknown => JSON.parse(file.text)),
    { disallowComments: true },
  );
  const odd = oddMember({ hooks: {}, ...settings }, 'claude-code');
  if (odd === null) return settings;
  const what = `Claude Code ignores these settings as a whole, because of the form of \`${odd}\``;
  throw errorAt(file, odd.split('.'), what, `correct \`${odd}\`, or take it out`);
}

function objectIn(file: SettingsText, value: unknown, options = {}): JsonObject {
  if (isJsonObject(value)) return value;
  const errors: ParseError[] = [];
  parse(file.text, errors, options);
  const [first] = errors;
  if (first === undefined) throw new RulesError(file, 0, 'not a JSON object', 'write the settings as {…}');
  const words = printParseErrorCode(first.error)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
  throw new RulesError(file, first.offset, `not JSON: ${words}`, correct);
}

const correct = 'correct the file there, or name other files';

/** The error about the member at this path, or the last one on the way to it. */
export function errorAt(
  file: SettingsText,
  path: readonly (string | number)[],
  what: string,
  hint: string,
): RulesError {
  const tree = parseTree(file.text, [], { allowTrailingComma: true });
  const nodes = path.map((_, at) => tree && findNodeAtLocation(tree, path.slice(0, at + 1)));
  const node = nodes.findLast((each) => each !== undefined);
  return new RulesError(file, node?.offset ?? 0, what, hint);
}

/** The settings of a file in TOML. Throws `RulesError`. */
export function tomlSettingsOf(file: SettingsText): JsonObject {
  try {
    const value: unknown = parseToml(file.text);
    return objectOf(value);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const before = file.text.split('\n').slice(0, error.line - 1);
    const at = before.join('\n').length + Math.min(before.length, 1) + error.column - 1;
    const why = error.message.split('\n', 1)[0]?.replace(/^[^:]*: /, '') ?? '';
    throw new RulesError(file, at, `not TOML: ${why}`, correct);
  }
}

/** The error about the table or value that begins with this text, the first or a later one. */
export function tomlErrorAt(
  file: SettingsText,
  start: RegExp,
  nth: number,
  what: string,
  hint: string,
): RulesError {
  return new RulesError(file, [...file.text.matchAll(start)][nth]?.index ?? 0, what, hint);
}
