import { isCanonicalPort, isNonEmpty, type Json, type NonEmpty, ownMember } from '@ambit/core';
import { knownFacts } from '../grammar/names.js';
import { expectKind, type Folders, isNothing, type Reading, readKeys } from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import { type Entry, type MapNode, type Node, type TextNode, toJson } from '../text/tree.js';
import { compileGlob, type GlobKind } from './glob.js';
import { impossibleHost } from './host-pattern.js';
import { expandFolder, impossiblePath, putInFolder } from './path-pattern.js';
import type { Impossible, Pattern } from './pattern.js';

export interface Subject {
  readonly fact: string;
  /** The capability's name, as the rule has it. */
  readonly capability: string;
  readonly reading: Reading;
}

const patternSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    {
      type: 'object',
      properties: { from: { type: 'number' }, to: { type: 'number' } },
      additionalProperties: false,
    },
  ],
};

export const patternsSchema = {
  anyOf: [...patternSchema.anyOf, { type: 'array', minItems: 1, items: patternSchema }],
};

/** A value, or a list that any value of may match. */
export function readPatterns(node: Node, subject: Subject): NonEmpty<Pattern> | undefined {
  if (node.kind !== 'list') {
    const pattern = readPattern(node, subject);
    return pattern === undefined ? undefined : [pattern];
  }
  const items = expectKind(node, ['list'], subject.reading)?.items ?? [];
  const patterns = items.map((item) => readPattern(item, subject)).filter((pattern) => pattern !== undefined);
  return isNonEmpty(patterns) && patterns.length === items.length ? patterns : undefined;
}

function readPattern(node: Node, subject: Subject): Pattern | undefined {
  const { problems } = subject.reading;
  if (node.kind === 'broken') return undefined;
  if (isNothing(node))
    return problems.add('EMPTY_SECTION', node.span, {
      message: 'the value is missing',
      help: 'a pattern, or remove the key',
    });
  if (node.kind === 'list' || node.kind === 'null')
    return problems.add('WRONG_TYPE', node.span, {
      message: `${node.kind === 'null' ? 'null' : 'a list in a list'} is not a pattern`,
      help: 'text, a number, a boolean, `{from, to}`, or a list of these',
    });
  const kindProblem = impossibleKind(node, subject);
  if (kindProblem !== null) return problems.add('IMPOSSIBLE_PATTERN', node.span, kindProblem);
  switch (node.kind) {
    case 'text':
      return readGlob(node, subject);
    case 'number':
      return readNumber(node, subject);
    case 'boolean':
      return { kind: 'boolean', value: node.value };
    case 'map':
      return readRange(node, subject);
  }
}

/** Facts with these names have these kinds, in every capability. */
const kindByName: Readonly<Record<string, 'text' | 'number'>> = {
  path: 'text',
  cwd: 'text',
  host: 'text',
  program: 'text',
  port: 'number',
};

function impossibleKind(node: Node, { fact, capability }: Subject): Impossible | null {
  const known = knownFacts(capability)?.get(fact);
  const byName = ownMember(kindByName, fact);
  const kinds: readonly string[] = byName !== undefined ? [byName] : known === undefined ? [] : [...known];
  const given = node.kind === 'map' ? 'number' : node.kind;
  if (kinds.length === 0 || kinds.includes(given)) return null;
  if (kinds.includes('list'))
    return {
      message: `\`${fact}\` is a list, and no pattern matches a list`,
      help: `use \`when\`: {"in": ["TEXT", {"var": "capability.${fact}"}]}`,
    };
  const [kind = ''] = kinds;
  const isNumeral = node.kind === 'text' && /^-?\d+(\.\d+)?$/.test(node.value);
  const help =
    kind === 'number' && isNumeral
      ? `write ${node.value} without quotes`
      : kind === 'boolean'
        ? 'true or false, without quotes'
        : `write ${kind === 'text' ? 'text' : 'a number'}`;
  return { message: `\`${fact}\` is ${kind === 'text' ? 'text' : `a ${kind}`}, so this never matches`, help };
}

function readNumber(node: Node & { kind: 'number' }, { fact, reading }: Subject): Pattern | undefined {
  if (fact !== 'port' || isCanonicalPort(node.value)) return { kind: 'number', value: node.value };
  return reading.problems.add('IMPOSSIBLE_PATTERN', node.span, {
    message: `${node.value} is not a port`,
    help: 'a whole number from 0 to 65535',
  });
}

const rangeKeys = ['to', 'from'] as const;

function readRange(node: MapNode, { fact, reading }: Subject): Pattern | undefined {
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return undefined;
  const { from, to } = readKeys(map, rangeKeys, reading);
  const [lower, upper] = [from, to].map((entry) =>
    entry === undefined ? null : expectKind(entry.value, ['number'], reading)?.value,
  );
  if (lower === undefined || upper === undefined || (lower === null && upper === null)) return undefined;
  const [least, most] =
    fact === 'port' ? [Math.ceil(Math.max(lower ?? 0, 0)), Math.min(upper ?? 65535, 65535)] : [lower, upper];
  if (least === null || most === null || least <= most) return { kind: 'range', from: lower, to: upper };
  return reading.problems.add('IMPOSSIBLE_PATTERN', node.span, {
    message: 'this range is empty',
    help: 'write the smaller number under `from`; both numbers are included',
  });
}

function readGlob(node: TextNode, subject: Subject): Pattern | undefined {
  const { reading, fact } = subject;
  const kind = globKindOf(fact);
  const objectionTo = (text: string) => starsOutOfPlace(kind, text) ?? impossibleText(kind, text, subject);
  const objection = objectionTo(node.value);
  const trimmed = node.value.trim();
  if (objection !== null)
    return reading.problems.add(
      'IMPOSSIBLE_PATTERN',
      node.span,
      trimmed === node.value || objectionTo(trimmed) !== null
        ? objection
        : { ...objection, help: `write ${quote(trimmed)}` },
    );
  const expanded = kind === 'path' ? expandFolder(node.value, reading.folders) : null;
  const glob = compileGlob(kind, { written: node.value, ...(expanded ?? { rest: node.value }) });
  return { kind: 'glob', glob };
}

/** The value of a written fact; `~/` and `./` are replaced in a path. */
export function factIn({ key, value }: Entry, folders: Folders): Json {
  return globKindOf(key) === 'path' && value.kind === 'text'
    ? putInFolder(value.value, folders)
    : toJson(value);
}

function globKindOf(fact: string): GlobKind {
  return fact === 'path' || fact === 'cwd' ? 'path' : fact === 'host' ? 'host' : 'text';
}

function starsOutOfPlace(kind: GlobKind, text: string): Impossible | null {
  if (!text.includes('**')) return null;
  if (kind === 'text')
    return {
      message: `\`**\` has no meaning in ${quote(text)}: this fact has no segments`,
      help: '`*` matches any text, of any length',
    };
  const separator = kind === 'path' ? '/' : '.';
  const segments = text.split(separator).map((segment) => {
    const parts = segment.split(/\*{2,}/);
    const [whole, end] = [parts.join(`*${separator}**${separator}*`), parts.at(-1) === '' ? -2 : undefined];
    return parts.length === 1 ? segment : whole.slice(parts[0] === '' ? 2 : 0, end);
  });
  const separated = segments.join(separator);
  if (separated === text) return null;
  const isSeveral = /\*\*[,;|\s]|[,;|\s]\*\*/.test(text.trim());
  return {
    message: `\`**\` must be a whole segment in ${quote(text)}`,
    help: isSeveral
      ? 'several patterns are a list: `[./a/**, ./b/**]`'
      : `write ${quote(separated)}; within a segment, \`*\` matches any text`,
  };
}

function impossibleText(kind: GlobKind, text: string, { fact, reading }: Subject): Impossible | null {
  if (kind === 'path') return impossiblePath(text, reading.folders);
  if (kind === 'host') return impossibleHost(text);
  return fact === 'program' ? impossibleProgram(text, reading) : null;
}

/** A program is a bare name or an absolute path. */
function impossibleProgram(text: string, { folders }: Reading): Impossible | null {
  if (text === '' || text === '.' || text === '..' || text.includes('\0'))
    return { message: `${quote(text)} is not the name of a program`, help: 'a name, or an absolute path' };
  if (!text.includes('/') || text.startsWith('*')) return null;
  const expanded = expandFolder(text, folders);
  if (expanded !== null)
    return {
      message: `a program is a bare name or an absolute path, not ${quote(text)}`,
      help: `write ${quote(compileGlob('path', { written: text, ...expanded }).text)}`,
    };
  if (!text.startsWith('/'))
    return {
      message: `a program is a bare name or an absolute path, not ${quote(text)}`,
      help: `write ${quote(text.slice(text.lastIndexOf('/') + 1))}, or the absolute path`,
    };
  return impossiblePath(text, folders);
}
