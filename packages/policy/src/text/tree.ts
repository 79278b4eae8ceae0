import type { Json } from '@ambit/core';
import type { Span } from './place.js';

interface NodeBase {
  /** The span of the value, or of the entry's key if the value is empty. */
  readonly span: Span;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
  /** The place for reporting a missing key: the key of the map, or its start. */
  readonly lack: Span;
  /** Whether a key was reported and dropped, so the map's other missing keys are unknown. */
  readonly isDamaged: boolean;
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly items: readonly Node[];
}

export interface TextNode extends NodeBase {
  readonly kind: 'text';
  readonly value: string;
}

/** A YAML document as plain data with places: no tags, no aliases, keys are text and unique. */
export type Node =
  | MapNode
  | ListNode
  | TextNode
  | (NodeBase & { readonly kind: 'number'; readonly value: number })
  | (NodeBase & { readonly kind: 'boolean'; readonly value: boolean })
  /** `written` for `null` or `~`; otherwise the value is empty. */
  | (NodeBase & { readonly kind: 'null'; readonly written: boolean })
  | (NodeBase & { readonly kind: 'broken' });

export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Node;
}

/** The kind of a node in a message: `a list`, `text`. */
export function kindInWords(node: Node): string {
  if (node.kind === 'null') return node.written ? 'null' : 'nothing';
  return {
    map: 'a map',
    list: 'a list',
    text: 'text',
    number: 'a number',
    boolean: 'a boolean',
    broken: 'an error',
  }[node.kind];
}

export function toJson(node: Node): Json {
  switch (node.kind) {
    case 'map':
      // fromEntries defines own properties, whatever the keys' names.
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toJson(value)]));
    case 'list':
      return node.items.map(toJson);
    case 'null':
    case 'broken':
      return null;
    case 'text':
    case 'number':
    case 'boolean':
      return node.value;
  }
}
