import { remembered } from '@ambit/core';
import type { Glob } from '@ambit/policy';
import { type Automaton, determinise, type Positions } from './automaton.js';
import { endsInAny, type GlobNode, type GlobPattern, globTree, isStar } from './glob-tree.js';

/** Accepts the canonical texts that one of these globs covers. They are of one kind. */
export function globAutomaton(globs: readonly Glob[]): Automaton {
  return determinise(new GlobPositions(globs));
}

/** A place in the globs up to which a text may match. */
interface Place {
  /** The globs that may still cover the text are below. */
  readonly node: GlobNode;
  /** Whether it is within `**`. */
  readonly isWithin: boolean;
  readonly specials: readonly string[];
  readonly accepts: boolean;
  readonly acceptsAll: boolean;
  next(character: string): readonly number[];
}

type Found = Map<GlobNode, readonly number[]>;

/** A position is the number of a place. A place is made when a text first reaches it. */
class GlobPositions implements Positions {
  readonly start: readonly number[];
  readonly #top: GlobNode;
  readonly #separator: string | null;
  readonly #places: Place[] = [];
  readonly #behind: Found = new Map();
  readonly #within: Found = new Map();
  readonly #after: Found = new Map();

  constructor(globs: readonly Glob[]) {
    const kind = globs[0]?.kind ?? 'text';
    this.#top = globTree(globs);
    this.#separator = kind === 'path' ? '/' : kind === 'host' ? '.' : null;
    if (kind === 'text') this.start = [...this.#top.patterns.values()].flatMap((each) => this.#in(each)(0));
    else if (kind === 'path') this.start = this.#behindNode(this.#top);
    else this.start = this.#behindNode(this.#top).flatMap((place) => this.step(place, '.'));
  }

  step(place: number, character: string): readonly number[] {
    return this.#place(place).next(character);
  }

  specials(place: number): readonly string[] {
    return this.#place(place).specials;
  }

  accepts(place: number): boolean {
    return this.#place(place).accepts;
  }

  acceptsAll(place: number): boolean {
    return this.#place(place).acceptsAll;
  }

  /** A later `**` subsumes the earlier places of the same globs. */
  reduce(places: readonly number[]): readonly number[] {
    const subsumed = new Set<GlobNode>();
    for (const { isWithin, node } of places.map((each) => this.#place(each)))
      for (let above = isWithin ? node.parent : null; above?.below === node.below; above = above.parent)
        subsumed.add(above);
    return subsumed.size === 0 ? places : places.filter((each) => !subsumed.has(this.#place(each).node));
  }

  #place(number: number): Place {
    return this.#places[number] as Place;
  }

  #add(place: Pick<Place, 'node'> & Partial<Place>): number {
    const specials = this.#separator === null ? [] : [this.#separator];
    const plain = { isWithin: false, specials, accepts: false, acceptsAll: false, next: () => [] };
    return this.#places.push({ ...plain, ...place }) - 1;
  }

  /** Behind a segment, where a separator or the end comes. */
  #behindNode(node: GlobNode): readonly number[] {
    return remembered(this.#behind, node, () => {
      const next = (character: string) => (character === this.#separator ? this.#afterSeparator(node) : []);
      const place = this.#add({ node, accepts: node !== this.#top && node.ends > 0, next });
      return [place, ...(node.any === null ? [] : this.#behindNode(node.any))];
    });
  }

  #withinAny(node: GlobNode): readonly number[] {
    return remembered(this.#within, node, () => {
      const next = (character: string) => (character === this.#separator ? [] : this.#withinAny(node));
      const place = this.#add({ node, isWithin: true, acceptsAll: endsInAny(node), next });
      return [place, ...this.#behindNode(node)];
    });
  }

  #afterSeparator(node: GlobNode): readonly number[] {
    return remembered(this.#after, node, () => [
      ...(node.isAny ? this.#withinAny(node) : []),
      ...(node.patterns.size > 0 ? [this.#beforeFirst(node)] : []),
      ...(node === this.#top && node.ends > 0 ? [this.#add({ node, accepts: true })] : []),
    ]);
  }

  #beforeFirst(node: GlobNode): number {
    const byLiteral = new Map<string, number[]>();
    const others: number[] = [];
    for (const pattern of node.patterns.values()) {
      const from = this.#in(pattern);
      for (const [at, character] of pattern.characters.entries()) {
        if ('wildcard' in character) others.push(...from(isStar(character) ? at : at + 1));
        else remembered(byLiteral, character.literal, () => []).push(...from(at + 1));
        if (!isStar(character)) break;
      }
    }
    const specials = [...(this.#separator ?? ''), ...byLiteral.keys()];
    const next = (character: string) =>
      character === this.#separator ? [] : [...(byLiteral.get(character) ?? []), ...others];
    return this.#add({ node, specials, next });
  }

  /** The place before a character of a pattern, and those behind wildcards that may stand for nothing. */
  #in({ characters, to }: GlobPattern): (at: number) => readonly number[] {
    const first = this.#places.length;
    const separator = this.#separator;
    const from = (at: number): readonly number[] => {
      if (at === characters.length) return separator === null ? [first + at] : this.#behindNode(to);
      return isStar(characters[at]) ? [first + at, ...from(at + 1)] : [first + at];
    };
    for (const [at, character] of characters.entries()) {
      const literal = 'literal' in character ? character.literal : null;
      this.#add({
        node: to,
        specials: [...(separator ?? ''), ...(literal === null ? [] : [literal])],
        acceptsAll: separator === null && at === characters.length - 1 && isStar(character),
        next: (given) => {
          if (given === separator || (literal !== null && given !== literal)) return [];
          return from(isStar(character) ? at : at + 1);
        },
      });
    }
    if (separator === null) this.#add({ node: to, accepts: true });
    return from;
  }
}
