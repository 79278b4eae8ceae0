import type { Json, JsonObject } from '@ambit/core';
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

export const text: Grammar<string> = {
  schema: { type: 'string', minLength: 1 },
  read: (node, at) => {
    const found = expectKind(node, ['text'], at);
    if (found === undefined || found.value.trim() !== '') return found?.value;
    return at.problems.add('BAD_TEXT', found.span, {
      message: 'this text is empty',
      help: 'write a text, or remove the key',
    });
  },
};

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

export const anyText: Grammar<string> = {
  schema: { type: 'string' },
  read: (node, at) => expectKind(node, ['text'], at)?.value,
};

export function word<const Word extends string>(
  words: readonly Word[],
  {
    code = 'UNKNOWN_VALUE',
    what,
  }: { readonly code?: 'UNKNOWN_DECISION' | 'UNKNOWN_VALUE'; readonly what: string },
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
export const version: Grammar<1> = {
  schema: { type: 'number', const: 1 },
  read: (node, at) => {
    const found = expectKind(node, ['number'], at);
    if (found === undefined || found.value === 1) return found && 1;
    return at.problems.add('UNKNOWN_VERSION', found.span, {
      message: `unknown version ${found.value}`,
      help: '`version: 1`',
    });
  },
};

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
