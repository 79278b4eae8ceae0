import { vocabulary } from '@ambit/core';
import { quote } from '../text/escape.js';
import type { Problems } from '../text/problems.js';
import type { Source } from '../text/source.js';
import { helpFor, oneOf } from '../text/suggest.js';
import { type Entry, kindInWords, type MapNode, type Node } from '../text/tree.js';

/** Readers report problems here, and return undefined for reported values. */
export interface Reporting {
  readonly problems: Problems;
}

export interface Reading extends Reporting {
  readonly source: Source;
  readonly folders: Folders;
  /** Whether the file says `undecided: needs_approval` for all its blocks. */
  readonly asksUndecided?: boolean;
}

/** The values of `~/` and `./`: absolute, canonical paths. */
export interface Folders {
  readonly home: string;
  readonly root: string;
}

export type Kind = 'map' | 'list' | 'text' | 'number' | 'boolean';
type NodeOf<K extends Kind> = Extract<Node, { readonly kind: K }>;

/** Not an empty map or list. */
export function expectKind<K extends Kind>(
  node: Node,
  kinds: readonly K[],
  reporting: Reporting,
): NodeOf<K> | undefined {
  const found = expectKindOrEmpty(node, kinds, reporting);
  if (found === undefined || !isEmptyCollection(found)) return found;
  return reporting.problems.add('EMPTY_SECTION', node.span, {
    message: `this ${node.kind} is empty`,
    help: 'add a value, or remove the key',
  });
}

export function expectKindOrEmpty<K extends Kind>(
  node: Node,
  kinds: readonly K[],
  { problems }: Reporting,
): NodeOf<K> | undefined {
  if (node.kind === 'broken') return undefined;
  if ((kinds as readonly string[]).includes(node.kind)) return node as NodeOf<K>;
  const wanted = oneOf(kinds.map((kind) => wantedKinds[kind]));
  if (isNothing(node))
    return problems.add('EMPTY_SECTION', node.span, {
      message: 'the value is missing',
      help: `${wanted}, or remove the key`,
    });
  const message = `expected ${wanted}, found ${kindInWords(node)}`;
  return problems.add('WRONG_TYPE', node.span, { message, help: otherForm(node, kinds) });
}

/** The same value in a wanted form. */
function otherForm(node: Node, [kind]: readonly Kind[]): string | null {
  if (kind === 'text' && (node.kind === 'number' || node.kind === 'boolean')) return 'put it in quotes';
  if (kind === 'map') return 'a map: `KEY: VALUE`';
  const [only] = node.kind === 'list' && node.items.length === 1 ? node.items : [];
  if (only?.kind === 'text') return `write ${quote(only.value)} without brackets`;
  if (node.kind !== 'text') return null;
  if (kind === 'list') return `write it in brackets: ${quote(`[${node.value}]`)}`;
  if (kind === 'number' && /^\d+$/.test(node.value)) return `write ${quote(node.value)} without quotes`;
  if (kind !== 'boolean') return null;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write `true`';
  return /^(no|off|false)$/i.test(node.value) ? 'write `false`' : null;
}

const wantedKinds: Readonly<Record<Kind, string>> = {
  map: 'a map',
  list: 'a list',
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
};

export function isNothing(node: Node): boolean {
  return node.kind === 'null' && !node.written;
}

/** The map of a whole file. A missing key is reported at its first key, or at its start if it has no key. */
export function topMap(root: Node, wanted: string, { problems, source }: Reading): MapNode | undefined {
  if (root.kind === 'broken') return undefined;
  if (root.kind !== 'map')
    return problems.add('WRONG_TYPE', root.span, {
      message: `expected ${wanted}, found ${kindInWords(root)}`,
    });
  const [first] = root.entries;
  return { ...root, lack: first?.keySpan ?? { start: 0, end: Math.min(1, source.text.length) } };
}

/** The entries of a map by key; only these keys are allowed. */
export function readKeys<Key extends string>(
  map: MapNode,
  known: readonly Key[],
  { problems }: Reporting,
): Partial<Readonly<Record<Key, Entry>>> {
  const found: Partial<Record<Key, Entry>> = {};
  for (const entry of map.entries) {
    const key = known.find((name) => name === entry.key);
    if (key !== undefined) found[key] = entry;
    else reportUnknownKey(entry, known, { problems });
  }
  return found;
}

export function reportUnknownKey(
  { key, keySpan }: Entry,
  known: readonly string[],
  { problems }: Reporting,
): void {
  problems.add('UNKNOWN_KEY', keySpan, {
    message: `${quote(key)} is not a key here`,
    help: helpForMisplaced(key, known) ?? helpFor(key, known),
  });
}

/** Says below which key a key belongs. */
function helpForMisplaced(key: string, known: readonly string[]): string | null {
  if (known.includes('tools') && vocabulary.some(({ name }) => name === key || name.startsWith(`${key}.`)))
    return 'rules about capabilities are indented under `capabilities:`';
  return known.includes('except') && vocabulary.some(({ facts }) => Object.hasOwn(facts, key))
    ? 'facts are indented under `match:` or `except:`'
    : null;
}

export function reportMissing(
  key: string,
  map: MapNode,
  { reading, help }: { reading: Reporting; help: string },
): void {
  if (!map.isDamaged)
    reading.problems.add('MISSING_KEY', map.lack, { message: `\`${key}\` is missing`, help });
}

function isEmptyCollection(node: Node): boolean {
  return (
    (node.kind === 'map' && node.entries.length === 0 && !node.isDamaged) ||
    (node.kind === 'list' && node.items.length === 0)
  );
}
