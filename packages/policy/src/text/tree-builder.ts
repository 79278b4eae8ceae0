import * as yaml from 'yaml';
import type { DiagnosticCode } from './codes.js';
import { quote } from './escape.js';
import type { Span } from './place.js';
import type { Problems } from './problems.js';
import { deepest, reportDepth } from './tokens.js';
import type { Entry, MapNode, Node } from './tree.js';

const mostAliased = 100_000;

interface Building {
  readonly problems: Problems;
  readonly hasAnchors: boolean;
}

/** Turns the YAML library's tree into plain data with places: aliases resolved, keys checked. */
export function buildTree(root: yaml.ParsedNode, building: Building): Node {
  return new TreeBuilder(building).build(root, null, 1);
}

interface Measured {
  readonly node: Node;
  readonly size: number;
  readonly depth: number;
}

class TreeBuilder {
  /** In the order of the file, as YAML requires: an alias means the last anchor of its name before it. */
  readonly #anchors = new Map<string, Measured | 'open'>();
  readonly #measures = new WeakMap<Node, { size: number; depth: number }>();
  #aliased = 0;

  constructor(private readonly of: Building) {}

  /** `key` is the start of the value's entry; null at the top and in a list. The top has depth 1. */
  build(source: unknown, key: Span | null, depth: number): Node {
    if (yaml.isAlias(source)) return this.#resolve(source, key);
    const anchor = yaml.isNode(source) ? source.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const node = yaml.isCollection(source) ? this.#collection(source, key, depth) : this.#scalar(source, key);
    // Without aliases, the tree is as deep and as large as its text.
    if (!this.of.hasAnchors) return node;
    const measured = this.#measure(node);
    this.#measures.set(measured.node, measured);
    if (anchor !== undefined) this.#anchors.set(anchor, measured);
    return measured.node;
  }

  #collection(source: yaml.YAMLMap | yaml.YAMLSeq, key: Span | null, depth: number): Node {
    const span = spanOf(source, key);
    if (depth > deepest) {
      reportDepth({ start: span.start, end: span.start + 1 }, this.of.problems);
      return { kind: 'broken', span };
    }
    if (yaml.isMap(source)) return this.#map(source, { span, key, depth });
    return { kind: 'list', span, items: source.items.map((item) => this.build(item, null, depth + 1)) };
  }

  #map(source: yaml.YAMLMap, at: { span: Span; key: Span | null; depth: number }): MapNode {
    const { span, key, depth } = at;
    const entries = new Map<string, Entry>();
    let isDamaged = false;
    for (const pair of source.items) {
      const entry = this.#entry(pair, span, depth + 1);
      if (entry === null) isDamaged = true;
      else if (!entries.has(entry.key)) entries.set(entry.key, entry);
      else
        this.of.problems.add('DUPLICATE_KEY', entry.keySpan, {
          message: `${quote(entry.key)} is a duplicate key`,
          help: 'merge the two values, or remove one key',
        });
    }
    return { kind: 'map', span, lack: key ?? span, isDamaged, entries: [...entries.values()] };
  }

  #entry(pair: { key: unknown; value: unknown }, parent: Span, depth: number): Entry | null {
    const keySpan = spanOf(pair.key, parent);
    const name = this.build(pair.key, keySpan, depth);
    const value = this.build(pair.value, keySpan, depth);
    if (name.kind === 'broken') return null;
    if (name.kind !== 'text') {
      const help =
        name.kind === 'map' || name.kind === 'list' ? null : 'put it in quotes if it is meant as text';
      this.of.problems.add('KEY_NOT_TEXT', keySpan, { message: 'a key must be text', help });
      return null;
    }
    if (name.value === '<<') {
      this.of.problems.add('MERGE_KEY', keySpan, {
        message: 'merge keys are not allowed',
        help: 'write each key; an alias may stand for a whole value',
      });
      return null;
    }
    if (name.value === '__proto__') {
      this.of.problems.add('RESERVED_KEY', keySpan, { message: '`__proto__` is not allowed as a key' });
      return null;
    }
    return { key: name.value, keySpan, value };
  }

  #scalar(source: unknown, key: Span | null): Node {
    const span = spanOf(source, key);
    if (!yaml.isScalar(source)) return { kind: 'null', span, written: false };
    const { value } = source;
    if (typeof value === 'string') {
      if (!/\p{Cs}/u.test(value)) return { kind: 'text', span, value };
      return this.#broken('BAD_TEXT', span, {
        message: 'this text contains half of a surrogate pair',
        help: 'write the whole character, or remove the escape',
      });
    }
    if (typeof value === 'number' && isExactly(value, source.source))
      return { kind: 'number', span, value: value === 0 ? 0 : value };
    if (typeof value === 'boolean') return { kind: 'boolean', span, value };
    if (value === null) return { kind: 'null', span, written: source.range?.[0] !== source.range?.[1] };
    return this.#broken('BAD_NUMBER', span, {
      message: `${quote(source.source ?? 'this')} is not a number that can be kept exactly`,
      help: 'put it in quotes if it is meant as text',
    });
  }

  #broken(code: DiagnosticCode, span: Span, words: Parameters<Problems['add']>[2]): Node {
    this.of.problems.add(code, span, words);
    return { kind: 'broken', span };
  }

  #resolve(source: yaml.Alias, key: Span | null): Node {
    const span = spanOf(source, key);
    const target = this.#anchors.get(source.source);
    if (target === undefined || target === 'open') {
      const message =
        target === undefined
          ? `there is no anchor ${quote(source.source)} before this`
          : `the anchor ${quote(source.source)} would contain itself`;
      const quoted = quote(`"*${source.source}"`);
      const help = target === undefined ? `a pattern that begins with \`*\` is in quotes: ${quoted}` : null;
      return this.#broken('BAD_ALIAS', span, { message, help });
    }
    this.#aliased += target.size;
    if (this.#aliased > mostAliased)
      return this.#broken('TOO_MANY_ALIASES', span, {
        message: `aliases expand to more than ${mostAliased} values`,
        help: 'use fewer aliases',
      });
    const node: Node =
      target.node.kind === 'map' ? { ...target.node, span, lack: key ?? span } : { ...target.node, span };
    this.#measures.set(node, target);
    return node;
  }

  #measure(node: Node): Measured {
    if (node.kind !== 'map' && node.kind !== 'list') return { node, size: 1, depth: 0 };
    const children = childrenOf(node).map((child) => this.#measures.get(child) ?? { size: 1, depth: 0 });
    const size = 1 + children.reduce((total, child) => total + child.size, 0);
    const depth = 1 + children.reduce((most, child) => Math.max(most, child.depth), 0);
    if (depth <= deepest) return { node, size, depth };
    reportDepth(node.span, this.of.problems);
    return { node: { kind: 'broken', span: node.span }, size, depth: 0 };
  }
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
