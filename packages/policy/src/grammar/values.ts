import type { Json, JsonObject } from '@ambit/core';
import type { DiagnosticCode } from '../text/codes.js';
import { quote } from '../text/escape.js';
import type { Span } from '../text/place.js';
import { helpFor } from '../text/suggest.js';
import { type Entry, type TextNode, toJson } from '../text/tree.js';
import type { Grammar } from './grammar.js';
import { expectKind, expectKindOrEmpty, type Kind, type Reporting } from './reading.js';

export const boolean: Grammar<boolean> = {
  read: (node, at) => expectKind(node, ['boolean'], at)?.value,
  schema: { type: 'boolean' },
};

export const number: Grammar<number> = {
  read: (node, at) => expectKind(node, ['number'], at)?.value,
  schema: { type: 'number' },
};

export const anyText: Grammar<string> = {
  read: (node, at) => expectKind(node, ['text'], at)?.value,
  schema: { type: 'string' },
};

export interface Wording<T> {
  readonly code?: DiagnosticCode;
  readonly message: (value: T) => string;
  readonly help: string | ((value: T) => string);
  /** By default that of the grammar. */
  readonly schema?: JsonObject;
}

/** A value that passes a test; another one is reported. */
export function that<T, At extends Reporting>(
  { read, schema: own }: Grammar<T, At>,
  isRight: (value: T) => boolean,
  { code = 'BAD_VALUE', message, help, schema = own }: Wording<T>,
): Grammar<T, At> {
  return {
    schema,
    read: (node, at) => {
      const value = read(node, at);
      if (value === undefined || isRight(value)) return value;
      const words = typeof help === 'string' ? help : help(value);
      return at.problems.add(code, node.span, { message: message(value), help: words });
    },
  };
}

export const text = that(anyText, (value) => value.trim() !== '', {
  code: 'BAD_TEXT',
  message: () => 'this text is empty',
  help: 'write a text, or remove the key',
  schema: { type: 'string', minLength: 1 },
});

export interface NamedFile {
  readonly path: string;
  readonly span: Span;
}

/** The path of a file or folder, with its place. */
export const namedFile: Grammar<NamedFile> = {
  schema: text.schema,
  read: (node, at) => {
    const path = text.read(node, at);
    return path === undefined ? undefined : { path, span: node.span };
  },
};

export function word<const Word extends string>(
  words: readonly Word[],
  what: string,
  code: 'UNKNOWN_DECISION' | 'UNKNOWN_VALUE' = 'UNKNOWN_VALUE',
): Grammar<Word> {
  return {
    schema: { type: 'string', enum: words },
    read: (node, at) => {
      const found = expectKind(node, ['text'], at);
      const value = words.find((candidate) => candidate === found?.value);
      if (found !== undefined && value === undefined)
        at.problems.add(code, found.span, {
          message: `${quote(found.value)} is not ${what}`,
          help: helpFor(found.value, words),
        });
      return value;
    },
  };
}

/** The number of the only supported version. */
export const version = that(number, (value) => value === 1, {
  code: 'UNKNOWN_VERSION',
  message: (value) => `unknown version ${value}`,
  help: '`version: 1`',
  schema: { type: 'number', const: 1 },
});

/** Any text, in the form that its reader accepts. */
export function textAs<T, At extends Reporting>(
  read: (node: TextNode, at: At) => T | undefined,
  schema: JsonObject,
): Grammar<T, At> {
  return {
    schema: { type: 'string', ...schema },
    read: (node, at) => {
      const found = expectKind(node, ['text'], at);
      return found === undefined ? undefined : read(found, at);
    },
  };
}

export function list<T, At extends Reporting>(
  item: Grammar<T, At>,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Grammar<readonly T[], At> {
  return {
    schema: { type: 'array', ...(mayBeEmpty ? {} : { minItems: 1 }), items: item.schema },
    read: (node, at) => {
      const found = mayBeEmpty ? expectKindOrEmpty(node, ['list'], at) : expectKind(node, ['list'], at);
      return found?.items.map((each) => item.read(each, at)).filter((each) => each !== undefined);
    },
  };
}

export function oneOrList<T, At extends Reporting>(one: Grammar<T, At>): Grammar<readonly T[], At> {
  const several = list(one);
  return {
    schema: { anyOf: [one.schema, several.schema] },
    read: (node, at) => {
      const found = expectKind(node, ['text', 'list'], at);
      if (found === undefined || found.kind === 'list') return found && several.read(found, at);
      const value = one.read(found, at);
      return value === undefined ? [] : [value];
    },
  };
}

/** Whether a key is right; another one is reported. */
export function isKey<At extends Reporting>({ read }: Grammar<string, At>, entry: Entry, at: At): boolean {
  return read({ kind: 'text', span: entry.keySpan, value: entry.key }, at) !== undefined;
}

/** Names are chosen by the author; `pattern` is their form. */
export function record<T, At extends Reporting>(
  pattern: string | null,
  value: { readonly read: (entry: Entry, at: At) => readonly T[]; readonly schema: JsonObject },
): Grammar<readonly T[], At> {
  return {
    schema: {
      type: 'object',
      ...(pattern === null ? {} : { propertyNames: { pattern } }),
      additionalProperties: value.schema,
    },
    read: (node, at) => expectKind(node, ['map'], at)?.entries.flatMap((entry) => value.read(entry, at)),
  };
}

export const object: Grammar<JsonObject> = {
  schema: { type: 'object' },
  read: (node, at) => {
    const found = expectKindOrEmpty(node, ['map'], at);
    return found === undefined ? undefined : (toJson(found) as JsonObject);
  },
};

export function either<T, U, At extends Reporting>(
  [oneKind, one]: readonly [Kind, Grammar<T, At>],
  [otherKind, other]: readonly [Kind, Grammar<U, At>],
): Grammar<T | U, At> {
  return {
    schema: { anyOf: [one.schema, other.schema] },
    read: (node, at) => {
      const found = expectKind(node, [oneKind, otherKind], at);
      if (found === undefined) return undefined;
      return found.kind === oneKind ? one.read(found, at) : other.read(found, at);
    },
  };
}

export const anything: Grammar<Json> = { schema: {}, read: toJson };
