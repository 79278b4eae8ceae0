import type { Json } from '@ambit/core';
import type { Span } from './place.js';

interface NodeBase {
  /** The value; the key of its entry where nothing is written. */
  readonly span: Span;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
  /** Where a key is reported that the map lacks: the key that the map stands under, or its own beginning. */
  readonly lack: Span;
  /** Whether a key was reported and left out, so that what else it lacks cannot be told. */
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
  /** `written` where it says `null` or `~`; else there is nothing at all. */
  | (NodeBase & { readonly kind: 'null'; readonly written: boolean })
  /** Something that is reported already. */
  | (NodeBase & { readonly kind: 'broken' });

export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Node;
}

/** For messages: `a list`, `the text`. */
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

/** The plain data of a node. */
export function toJson(node: Node): Json {
  switch (node.kind) {
    case 'map':
      // fromEntries defines own properties, whatever the keys are called.
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
