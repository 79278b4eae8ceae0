import { isJsonObject, type Json } from '@ambit/core';
import * as yaml from 'yaml';

/** Offsets of the text. */
export interface Insertion {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Rules, each with its keys in order, and the text into which they are inserted. */
interface Added {
  readonly text: string;
  readonly rules: readonly (readonly (readonly [string, Json])[])[];
}

/** Where the rules are inserted, and in which layout; null if this place is not supported. */
export function insertion(
  document: yaml.Document.Parsed<yaml.ParsedNode, true>,
  path: readonly string[],
  added: Added,
): Insertion | null {
  let node: unknown = document.contents;
  for (const [depth, key] of path.entries()) {
    if (!yaml.isMap(node) || hasAnchor(node)) return null;
    const pair = pairOf(node, key);
    if (pair === undefined) return intoMap(node, path.slice(depth), added);
    if (depth === path.length - 1) return afterRule(node, pair, added);
    node = pair.value;
  }
  return null;
}

function intoMap(map: yaml.YAMLMap, keys: readonly string[], added: Added): Insertion | null {
  const last = map.items.at(-1);
  const end = endOf(last);
  if (end === null) return null;
  if (map.flow === true) {
    const [first, ...others] = keys as [string, ...string[]];
    const value = others.reduceRight<Json>(
      (inner, key) => ({ [key]: inner }),
      added.rules.map((keys) => Object.fromEntries(keys)),
    );
    return { start: end, end, text: `, ${flowText({ [first]: value }).slice(2, -2)}` };
  }
  const indent = indentOf(map);
  if (indent === null) return null;
  const lines = [
    ...keys.map((key, depth) => `${' '.repeat(indent + depth * step)}${flowText({ [key]: 0 }).slice(2, -4)}`),
    ...itemLines(added, indent + keys.length * step),
  ];
  return linesAfter(added.text, end, lines);
}

/** Inserts after the existing rules of a name: a list is extended, and another value becomes a list. */
function afterRule(
  map: yaml.YAMLMap,
  { key, value }: { readonly key: yaml.ParsedNode; readonly value: yaml.ParsedNode | null },
  added: Added,
): Insertion | null {
  if (value === null || yaml.isAlias(value) || hasAnchor(value)) return null;
  const flow = added.rules.map((keys) => flowText(Object.fromEntries(keys))).join(', ');
  if (yaml.isSeq(value)) {
    const end = endOf(value.items.at(-1));
    if (end === null) return null;
    if (value.flow === true) return { start: end, end, text: `, ${flow}` };
    const indent = indentOf(value);
    return indent === null ? null : linesAfter(added.text, end, itemLines(added, indent));
  }
  const [start, end] = [value.range[0], endOf(value)];
  if (end === null) return null;
  if (map.flow === true) return { start, end, text: `[${added.text.slice(start, end)}, ${flow}]` };
  const outer = indentOf(map);
  if (outer === null) return null;
  const indent = outer + step;
  const before = added.text.slice(key.range[1], start);
  const lineStart = added.text.lastIndexOf('\n', start - 1) + 1;
  const isBlock = yaml.isMap(value) && value.flow !== true;
  if (isBlock !== before.includes('\n') || (isBlock && added.text.slice(lineStart, start).trim() !== ''))
    return null;
  const lineEnd = endOfLine(added.text, end);
  const old = added.text.slice(start, lineEnd).replace(/\r?\n[ \t]*$/, '');
  const moved = isBlock
    ? // The lines keep their place to each other, so that what is in them stays as it was.
      old.replace(/\n(?=[^\r\n])/g, `\n${' '.repeat(Math.max(0, indent + 2 - (start - lineStart)))}`)
    : old;
  if (isBlock && start - lineStart > indent + 2) return null;
  const newline = newlineOf(added.text);
  const lead = isBlock ? added.text.slice(key.range[1], lineStart) : `:${newline}`;
  const text = `${lead}${' '.repeat(indent)}- ${moved}${newline}${itemLines(added, indent).join(newline)}`;
  return { start: key.range[1], end: lineEnd, text };
}

const step = 2;

function itemLines({ rules }: Added, indent: number): readonly string[] {
  return rules.flatMap((keys) =>
    keys.map(
      ([key, value], index) => `${' '.repeat(indent)}${index === 0 ? '- ' : '  '}${key}: ${flowText(value)}`,
    ),
  );
}

function linesAfter(text: string, end: number, lines: readonly string[]): Insertion {
  const at = endOfLine(text, end);
  const newline = newlineOf(text);
  return { start: at, end: at, text: lines.map((line) => `${newline}${line}`).join('') };
}

/** The offset before the newline of the line that contains this offset or ends just before it. */
function endOfLine(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return text[offset - 2] === '\r' ? offset - 2 : offset - 1;
  const newline = text.indexOf('\n', offset);
  if (newline === -1) return text.length;
  return text[newline - 1] === '\r' ? newline - 1 : newline;
}

function newlineOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** Where a node ends, without comments and empty lines after it. */
function endOf(node: unknown): number | null {
  if (yaml.isPair(node)) return endOf(node.value ?? node.key);
  if ((yaml.isMap(node) || yaml.isSeq(node)) && node.flow !== true) return endOf(node.items.at(-1));
  const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
  return range?.[1] ?? null;
}

/** The column of a block collection's keys or dashes. */
function indentOf(node: yaml.YAMLMap | yaml.YAMLSeq): number | null {
  const { srcToken } = node;
  return srcToken !== undefined && 'indent' in srcToken ? srcToken.indent : null;
}

function hasAnchor(node: unknown): boolean {
  return (node as { readonly anchor?: string }).anchor !== undefined;
}

function pairOf(node: unknown, key: string): yaml.Pair<yaml.ParsedNode, yaml.ParsedNode | null> | undefined {
  if (!yaml.isMap(node)) return undefined;
  return (node.items as yaml.Pair<yaml.ParsedNode, yaml.ParsedNode | null>[]).find(
    (pair) => yaml.isScalar(pair.key) && pair.key.value === key,
  );
}

/** A value in flow style, on one line. */
function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowText).join(', ')}]`;
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${yamlText(key)}: ${flowText(inner)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? yamlText(value) : JSON.stringify(value);
}

/** Text without quotes, if every reader certainly reads it as that text. */
function yamlText(text: string): string {
  if (/^[A-Za-z_/][A-Za-z0-9_./@+-]*$/.test(text) && !words.test(text)) return text;
  const escaped = (character: string) =>
    `\\U${(character.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -~\p{L}\p{N}]/gu, escaped)}"`;
}

/** Plain words that some version of YAML does not read as text. */
const words = /^(?:true|false|null|yes|no|on|off|y|n|\.?inf|\.?nan)$/i;
