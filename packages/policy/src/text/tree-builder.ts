import * as yaml from 'yaml';
import { quote } from './escape.js';
import type { Span } from './place.js';
import type { Problems } from './problems.js';
import { deepest, reportDepth } from './tokens.js';
import type { Entry, MapNode, Node } from './tree.js';

const mostAliased = 100_000;

/** Turns the YAML library's tree into plain data with places: aliases resolved, keys checked. */
export function buildTree(
  root: yaml.ParsedNode,
  { problems, hasAnchors }: { readonly problems: Problems; readonly hasAnchors: boolean },
): Node {
  return createBuilder(problems, hasAnchors).build(root, null, 1);
}

interface Measured {
  readonly node: Node;
  readonly size: number;
  readonly depth: number;
}

function createBuilder(problems: Problems, hasAnchors: boolean) {
  // In the order of the file, as YAML requires: an alias means the last anchor of its name before it.
  const anchors = new Map<string, Measured | 'open'>();
  const measures = new WeakMap<Node, { size: number; depth: number }>();
  let aliased = 0;

  /** `key` is the start of the value's entry; null at the top and in a list. The top has depth 1. */
  function build(source: unknown, key: Span | null, depth: number): Node {
    if (yaml.isAlias(source)) return resolve(source, key);
    const anchor =
      yaml.isScalar(source) || yaml.isMap(source) || yaml.isSeq(source) ? source.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    const node =
      yaml.isMap(source) || yaml.isSeq(source) ? collection(source, key, depth) : scalar(source, key);
    // Without aliases, the tree is as deep and as large as its text.
    if (!hasAnchors) return node;
    const measured = measure(node);
    measures.set(measured.node, measured);
    if (anchor !== undefined) anchors.set(anchor, measured);
    return measured.node;
  }

  function collection(source: yaml.YAMLMap | yaml.YAMLSeq, key: Span | null, depth: number): Node {
    const span = spanOf(source, key);
    if (depth > deepest) {
      reportDepth({ start: span.start, end: span.start + 1 }, problems);
      return { kind: 'broken', span };
    }
    if (yaml.isMap(source)) return map(source, { span, key, depth });
    return { kind: 'list', span, items: source.items.map((item) => build(item, null, depth + 1)) };
  }

  function map(source: yaml.YAMLMap, at: { span: Span; key: Span | null; depth: number }): MapNode {
    const { span, key, depth } = at;
    const entries = new Map<string, Entry>();
    let isDamaged = false;
    for (const pair of source.items) {
      const entry = buildEntry(pair, span, depth + 1);
      if (entry === null) isDamaged = true;
      if (entry === null) continue;
      const earlier = entries.get(entry.key);
      if (earlier === undefined) entries.set(entry.key, entry);
      else
        problems.add('DUPLICATE_KEY', entry.keySpan, {
          message: `${quote(entry.key)} is a duplicate key`,
          help: 'merge the two values, or remove one key',
        });
    }
    return { kind: 'map', span, lack: key ?? span, isDamaged, entries: [...entries.values()] };
  }

  function buildEntry(pair: { key: unknown; value: unknown }, parent: Span, depth: number): Entry | null {
    const keySpan = spanOf(pair.key, parent);
    const name = build(pair.key, keySpan, depth);
    const value = build(pair.value, keySpan, depth);
    if (name.kind === 'broken') return null;
    if (name.kind !== 'text') {
      const help =
        name.kind === 'map' || name.kind === 'list' ? null : 'put it in quotes if it is meant as text';
      problems.add('KEY_NOT_TEXT', keySpan, { message: 'a key must be text', help });
      return null;
    }
    if (name.value === '<<') {
      problems.add('MERGE_KEY', keySpan, {
        message: 'merge keys are not allowed',
        help: 'write each key; an alias may stand for a whole value',
      });
      return null;
    }
    if (name.value === '__proto__') {
      problems.add('RESERVED_KEY', keySpan, { message: '`__proto__` is not allowed as a key' });
      return null;
    }
    return { key: name.value, keySpan, value };
  }

  function scalar(source: unknown, key: Span | null): Node {
    const span = spanOf(source, key);
    if (!yaml.isScalar(source)) return { kind: 'null', span, written: false };
    const { value } = source;
    if (typeof value === 'string') {
      if (!/\p{Cs}/u.test(value)) return { kind: 'text', span, value };
      problems.add('BAD_TEXT', span, {
        message: 'this text contains half of a surrogate pair',
        help: 'write the whole character, or remove the escape',
      });
      return { kind: 'broken', span };
    }
    if (typeof value === 'number' && isExactly(value, source.source))
      return { kind: 'number', span, value: value === 0 ? 0 : value };
    if (typeof value === 'boolean') return { kind: 'boolean', span, value };
    if (value === null) return { kind: 'null', span, written: source.range?.[0] !== source.range?.[1] };
    problems.add('BAD_NUMBER', span, {
      message: `${quote(source.source ?? 'this')} is not a number that can be kept exactly`,
      help: 'put it in quotes if it is meant as text',
    });
    return { kind: 'broken', span };
  }

  function resolve(source: yaml.Alias, key: Span | null): Node {
    const span = spanOf(source, key);
    const target = anchors.get(source.source);
    if (target === undefined || target === 'open') {
      const message =
        target === undefined
          ? `there is no anchor ${quote(source.source)} before this`
          : `the anchor ${quote(source.source)} would contain itself`;
      problems.add('BAD_ALIAS', span, { message });
      return { kind: 'broken', span };
    }
    aliased += target.size;
    if (aliased > mostAliased) {
      problems.add('TOO_MANY_ALIASES', span, {
        message: `aliases expand to more than ${mostAliased} values`,
        help: 'use fewer aliases',
      });
      return { kind: 'broken', span };
    }
    const node: Node =
      target.node.kind === 'map' ? { ...target.node, span, lack: key ?? span } : { ...target.node, span };
    measures.set(node, target);
    return node;
  }

  function measure(node: Node): Measured {
    if (node.kind !== 'map' && node.kind !== 'list') return { node, size: 1, depth: 0 };
    const children = childrenOf(node).map((child) => measures.get(child) ?? { size: 1, depth: 0 });
    const size = 1 + children.reduce((total, child) => total + child.size, 0);
    const depth = 1 + children.reduce((most, child) => Math.max(most, child.depth), 0);
    if (depth <= deepest) return { node, size, depth };
    reportDepth(node.span, problems);
    return { node: { kind: 'broken', span: node.span }, size, depth: 0 };
  }

  return { build };
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'map') return node.entries.map(({ value }) => value);
  return node.kind === 'list' ? node.items : [];
}

/** The span of the value without its anchor; `instead` if it is empty. */
function spanOf(node: unknown, instead: Span | null): Span {
  const range = (node as Partial<yaml.ParsedNode> | null)?.range;
  if (!range || range[0] === range[1]) return instead ?? { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
  return { start: range[0], end: range[1] };
}

/** Finite, without lost digits, rounding or underflow. */
export function isExactly(value: number, written: string | undefined): boolean {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false;
  const decimal = written === undefined ? null : decimalOf(written);
  // Hexadecimal and octal numbers are whole.
  return decimal === null || decimal === decimalOf(String(value));
}

const notation = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

/** The same text for all spellings of one decimal number: its sign, its digits, its power of ten. */
function decimalOf(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] = notation.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  if (all === '') return null;
  const digits = withoutZeros(all);
  // No accepted number has such an exponent.
  if (power.length > 20) return text;
  const zeros = all.length - all.search(/[1-9]|$/) - digits.length;
  const exponent = digits === '' ? 0n : BigInt(power) - BigInt(fraction.length) + BigInt(zeros);
  // `-0` is 0.
  return `${sign === '-' && digits !== '' ? '-' : ''}${digits}e${exponent}`;
}

/** The digits without leading and trailing zeros. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end).replace(/^0+/, '');
}
