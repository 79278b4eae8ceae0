import { remembered } from '@ambit/core';
import type { Character, Glob, Segment } from '@ambit/policy';

/** Globs whose first segments are equal share a node. */
export interface GlobNode {
  readonly parent: GlobNode | null;
  /** Whether it is behind `**`, so that more segments may come before the next one. */
  readonly isAny: boolean;
  any: GlobNode | null;
  readonly behind: Map<string, GlobNode>;
  readonly first: Beginning;
  /** How many globs end here. At the top, these are the path `/`. */
  ends: number;
  /** How many globs end here or below. */
  below: number;
}

/** The first characters of a segment. Segments that begin equally share it. */
export interface Beginning {
  /** Whether its last character is `*`. */
  readonly isStar: boolean;
  readonly longer: Map<string, Beginning>;
  /** The node behind the segment that ends here. */
  to: GlobNode | null;
  /** The node behind all segments that begin so; null if there are several. */
  only: GlobNode | null;
}

/** Keys of `longer`. Those of literals are the characters. */
export const [oneKey, starKey] = ['a ?', 'a *'];

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
  const first = newBeginning(false, null);
  return { parent, isAny, any: null, behind: new Map(), first, ends: 0, below: 0 };
}

function newBeginning(isStar: boolean, only: GlobNode | null): Beginning {
  return { isStar, longer: new Map(), to: null, only };
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
  return remembered(node.behind, JSON.stringify(characters), () => {
    const to = newNode(node, false);
    let beginning = node.first;
    for (const character of characters) {
      const key = 'literal' in character ? character.literal : character.wildcard === '*' ? starKey : oneKey;
      const make = () => newBeginning(key === starKey, to);
      beginning = remembered(beginning.longer, key, make);
      if (beginning.only !== to) beginning.only = null;
    }
    beginning.to = to;
    return to;
  });
}

/** Whether a glob ends here, perhaps with more `**`. */
export function endsInAny({ ends, any }: GlobNode): boolean {
  return ends > 0 || (any !== null && endsInAny(any));
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
