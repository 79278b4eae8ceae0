import type { Reporting } from '../../grammar/reading.js';
import { quote } from '../../text/escape.js';
import { helpFor } from '../../text/suggest.js';
import { type Entry, kindInWords, type Node, type TextNode } from '../../text/tree.js';

export type Row = ReadonlyMap<string, Node>;

export interface Filling extends Reporting {
  readonly row: Row;
  readonly used: Set<string>;
}

/** `{word}`, but neither `{{word}}`, which is the text `{word}`, nor `${word}`, which stays. */
const placeholder = /\{\{([A-Za-z_]\w*)\}\}|(?<!\$)\{([A-Za-z_]\w*)\}/g;

/** The longest text after placeholders are replaced. */
const longestText = 1_000_000;

export function isPlaceholderName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** Replaces placeholders. A text that is one placeholder becomes the value itself. */
export function fill(node: Node, filling: Filling): Node {
  switch (node.kind) {
    case 'text':
      return fillText(node, filling);
    case 'list':
      return { ...node, items: node.items.map((item) => fill(item, filling)) };
    case 'map':
      if (isUnquoted(node.entries, filling)) {
        const name = `{${node.entries[0]?.key}}`;
        filling.problems.add('BAD_PLACEHOLDER', node.span, {
          message: `${quote(name)} without quotes is a map`,
          help: `write "${name}"`,
        });
        return { kind: 'broken', span: node.span };
      }
      return {
        ...node,
        entries: node.entries.map((entry) => ({ ...entry, value: fill(entry.value, filling) })),
      };
    case 'number':
    case 'boolean':
    case 'null':
    case 'broken':
      return node;
  }
}

/** `{word}` without quotes, which YAML reads as a map of one key without a value. */
function isUnquoted(entries: readonly Entry[], { row }: Filling): boolean {
  const [first, second] = entries;
  return (
    first !== undefined &&
    second === undefined &&
    first.value.kind === 'null' &&
    !first.value.written &&
    row.has(first.key)
  );
}

function fillText(node: TextNode, filling: Filling): Node {
  const found = [...node.value.matchAll(placeholder)];
  const [first] = found;
  if (first === undefined) return node;
  if (first[2] !== undefined && first[0].length === node.value.length)
    return valueFor(first[2], node, filling) ?? { kind: 'broken', span: node.span };
  const texts: string[] = [];
  let [end, length] = [0, 0];
  for (const each of found) {
    const text = each[1] === undefined ? textForPlaceholder(each[2] ?? '', node, filling) : `{${each[1]}}`;
    if (text === undefined) return { kind: 'broken', span: node.span };
    length += each.index - end + text.length;
    if (length > longestText) {
      const message = `this is longer than ${longestText} characters with its values put in`;
      filling.problems.add('BAD_PLACEHOLDER', node.span, { message });
      return { kind: 'broken', span: node.span };
    }
    texts.push(node.value.slice(end, each.index), text);
    end = each.index + each[0].length;
  }
  return { ...node, value: [...texts, node.value.slice(end)].join('') };
}

function textForPlaceholder(name: string, node: TextNode, filling: Filling): string | undefined {
  const value = valueFor(name, node, filling);
  if (value === undefined || value.kind === 'broken') return undefined;
  if (value.kind === 'text' || value.kind === 'number' || value.kind === 'boolean')
    return String(value.value);
  return filling.problems.add('BAD_PLACEHOLDER', node.span, {
    message: `${quote(`{${name}}`)} is ${kindInWords(value)}, and cannot be part of a text`,
    help: 'only a placeholder that is the whole text may be a map or a list',
  });
}

function valueFor(name: string, node: TextNode, { row, used, problems }: Filling): Node | undefined {
  const value = row.get(name);
  used.add(name);
  if (value !== undefined) return value;
  const names = [...row.keys()];
  const literal = `\`{{${name}}}\` is the text itself`;
  return problems.add('UNKNOWN_PLACEHOLDER', node.span, {
    message: `${quote(`{${name}}`)} has no value`,
    help:
      names.length === 0
        ? `\`for:\` gives values to placeholders; ${literal}`
        : `${helpFor(name, names)}; ${literal}`,
  });
}
