import { remembered } from '@ambit/core';
import type { Character, Glob, Segment } from '@ambit/policy';

/** Globs whose first segments are equal share a node. */
export interface GlobNode {
  readonly parent: GlobNode | null;
  /** Whether it is behind `**`, so that more segments may come before the next one. */
  readonly isAny: boolean;
  any: GlobNode | null;
  readonly patterns: Map<string, GlobPattern>;
  /** How many globs end here. At the top, these are the path `/`. */
  ends: number;
  /** How many globs end here or below. */
  below: number;
}

export interface GlobPattern {
  readonly characters: readonly Character[];
  readonly to: GlobNode;
}

export function globTree(globs: readonly Glob[]): GlobNode {
  const top = newNode(null, false);
  for (const { segments } of globs) {
    const path = [top];
    for (const segment of segments) path.push(nodeBehind(segment, path.at(-1) ?? top));
    for (const node of path) node.below += 1;
    (path.at(-1) ?? top).ends += 1;
  }
  return top;
}

function newNode(parent: GlobNode | null, isAny: boolean): GlobNode {
  return { parent, isAny, any: null, patterns: new Map(), ends: 0, below: 0 };
}

function nodeBehind(segment: Segment, node: GlobNode): GlobNode {
  if (segment === '**') {
    node.any ??= newNode(node, true);
    return node.any;
  }
  const characters =
    'characters' in segment
      ? segment.characters
      : Array.from(segment.literal, (literal): Character => ({ literal }));
  const make = () => ({ characters, to: newNode(node, false) });
  return remembered(node.patterns, JSON.stringify(characters), make).to;
}

/** Whether a glob ends here, perhaps with more `**`. */
export function endsInAny({ ends, any }: GlobNode): boolean {
  return ends > 0 || (any !== null && endsInAny(any));
}

export function isStar(character: Character | undefined): boolean {
  return character !== undefined && 'wildcard' in character && character.wildcard === '*';
}

/** A text that the glob covers. */
export function globSample({ kind, segments }: Glob): string {
  const texts = segments
    .filter((segment) => segment !== '**')
    .map((segment) =>
      'literal' in segment
        ? segment.literal
        : segment.characters.map((each) => ('literal' in each ? each.literal : 'x')).join(''),
    );
  return kind === 'path' ? `/${texts.join('/')}` : texts.join('.');
}
