import {
  type Capability,
  fileSetProblem,
  hasDuplicateKey,
  isCapabilityName,
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
  messageOf,
  nearest,
  orNull,
  ownMember,
  shortened,
  whyUnkept,
} from '@ambit/core';

export type LineErrorCode =
  | 'too_long'
  | 'bad_encoding'
  | 'bad_json'
  | 'not_an_object'
  /** Nested too deeply, or a number that cannot be kept exactly. */
  | 'not_plain'
  | 'duplicate_key'
  | 'unknown_key'
  | 'missing_key'
  | 'bad_value'
  | 'bad_args'
  | 'undescribed'
  /** Judging failed: a bug, and no decision. */
  | 'unjudged';

export interface LineFailure {
  readonly id: Json;
  readonly error: { readonly code: LineErrorCode; readonly message: string };
}

export class LineError extends Error {
  override readonly name = 'LineError';
  constructor(
    readonly code: LineErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function lineFailure(code: LineErrorCode, message: string, id: Json = null): LineFailure {
  return { id, error: { code, message } };
}

/** Reads a line and answers it, also if it is unusable. */
export async function answerLine<Answer>(
  line: string,
  keys: readonly string[],
  answer: (call: JsonObject, id: Json) => Answer | Promise<Answer>,
): Promise<Answer | LineFailure> {
  let id: Json = null;
  try {
    const value = parsed(line);
    id = idOf(value);
    if (!isJsonObject(value))
      throw new LineError('not_plain', 'nested too deeply, or a number that is too large');
    // Of a repeated key, the judge would read the last value, and the tool perhaps the first.
    if (hasDuplicateKey(line, value))
      throw new LineError('duplicate_key', 'a key is given twice in one object');
    const why = whyUnkept(line);
    if (why !== null) throw new LineError('not_plain', why);
    requireKnownKeys(value, keys, '');
    return await answer(value, id);
  } catch (error) {
    if (error instanceof LineError) return lineFailure(error.code, error.message, id);
    // A bug must not decide, and must not end the filter for the lines that follow.
    return lineFailure('unjudged', `judging failed: ${messageOf(error)}`, id);
  }
}

export function requireKnownKeys(of: JsonObject, keys: readonly string[], where: string): void {
  const odd = Object.keys(of).find((key) => !keys.includes(key));
  if (odd === undefined) return;
  const near = nearest(odd, keys);
  const help = near === null ? `the keys are ${keys.join(', ')}` : `did you mean \`${near}\`?`;
  throw new LineError('unknown_key', `unknown key \`${shortText(odd)}\`${where}: ${help}`);
}

/** A name, or an object of name and facts. */
export function readCapability(value: Json, where: string): Capability {
  const capability = typeof value === 'string' ? { name: value } : value;
  const name = isJsonObject(capability) ? ownMember(capability, 'name') : undefined;
  if (typeof name !== 'string')
    throw new LineError('bad_value', `${where} is neither a name nor an object with a \`name\``);
  if (!isCapabilityName(name)) {
    const grammar = 'lower-case words with dots between';
    throw new LineError('bad_value', `${where}: \`${shortText(name)}\` is not a capability name: ${grammar}`);
  }
  const problem = fileSetProblem(ownMember(capability as JsonObject, 'path'));
  if (problem !== null)
    throw new LineError('bad_value', `${where}: \`path\` is not a file set: ${shortText(problem)}`);
  return capability as Capability;
}

export function readList(value: Json | undefined, key: string): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new LineError('bad_value', `\`${key}\` is not a list`);
  return value as readonly Json[];
}

export function shortText(text: string): string {
  return shortened(text, 80, `… (${text.length} characters)`);
}

function parsed(line: string): object {
  const value = parsedJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LineError('not_an_object', 'a call is a JSON object');
  return value;
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new LineError('bad_json', orNull(() => notJson(line)) ?? messageOf(error));
  }
}

const jsonToken =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|((?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])))/y;

/** Where a text stops being JSON, and what is expected there. */
function notJson(text: string): string {
  const open: string[] = [];
  for (let at = 0, wanted = 'a value'; ; at = jsonToken.lastIndex) {
    jsonToken.lastIndex = at;
    const [, sign = '', string, plain] = jsonToken.exec(text) ?? [];
    const isClosing = sign !== '' && wanted.endsWith(`\`${sign}\``) && '}]'.includes(sign);
    const isOpening = (sign === '{' || sign === '[') && wanted.startsWith('a value');
    const isValue = wanted.startsWith('a value') && (string ?? plain) !== undefined;
    if (isClosing) open.pop();
    if (isOpening) open.push(sign === '{' ? '}' : ']');
    if (isOpening) wanted = sign === '{' ? 'a key in double quotes, or `}`' : 'a value, or `]`';
    else if (isClosing || isValue) wanted = open.length === 0 ? 'the end' : `\`,\`, or \`${open.at(-1)}\``;
    else if (wanted.startsWith('a key') && string !== undefined) wanted = '`:`';
    else if (wanted === '`:`' && sign === ':') wanted = 'a value';
    else if (wanted.startsWith('`,`') && sign === ',')
      wanted = open.at(-1) === '}' ? 'a key in double quotes' : 'a value';
    else {
      const rest = text.slice(at).replace(/^[ \t\n\r]+/, '');
      const found = rest === '' ? 'nothing' : `\`${rest.slice(0, 20)}\``;
      return `not JSON at character ${text.length - rest.length + 1}: expected ${wanted}, found ${found}`;
    }
  }
}

function idOf(value: object): Json {
  const id: unknown = Object.hasOwn(value, 'id') ? (value as { id: unknown }).id : null;
  return isJson(id) ? id : null;
}
