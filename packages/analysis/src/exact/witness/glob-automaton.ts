import { remembered } from '@ambit/core';
import type { Glob } from '@ambit/policy';
import { type Automaton, determinise, type Positions } from './automaton.js';
import { type Beginning, endsInAny, type GlobNode, globTree, oneKey, starKey } from './glob-tree.js';

/** Accepts the canonical texts that one of these globs covers. They are of one kind. */
export function globAutomaton(globs: readonly Glob[]): Automaton {
  return determinise(new GlobPositions(globs));
}

/** A place in the globs up to which a text may match. */
interface Place {
  /** The globs that may still cover the text are below; null where they are behind several segments. */
  readonly node: GlobNode | null;
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
  readonly #begun = new Map<Beginning, readonly number[]>();

  constructor(globs: readonly Glob[]) {
    const kind = globs[0]?.kind ?? 'text';
    this.#top = globTree(globs);
    this.#separator = kind === 'path' ? '/' : kind === 'host' ? '.' : null;
    if (kind === 'text') this.start = this.#behindBeginning(this.#top.first);
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
    const subsumed = new Set<GlobNode | null>();
    for (const { isWithin, node } of places.map((each) => this.#place(each)))
      for (
        let above = isWithin ? node?.parent : null;
        above && above.below === node?.below;
        above = above.parent
      )
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
      ...(node.behind.size > 0 ? [this.#beforeFirst(node)] : []),
      ...(node === this.#top && node.ends > 0 ? [this.#add({ node, accepts: true })] : []),
    ]);
  }

  #beforeFirst(node: GlobNode): number {
    const beginnings = [node.first];
    // A star may stand for nothing, but a segment has a character.
    for (const { longer } of beginnings) {
      const star = longer.get(starKey);
      if (star !== undefined) beginnings.push(star);
    }
    return this.#add({ ...this.#stepsFrom(beginnings), node });
  }

  /** The place behind the beginning of a segment, and those behind stars that may stand for nothing. */
  #behindBeginning(beginning: Beginning): readonly number[] {
    return remembered(this.#begun, beginning, () => {
      const { isStar, longer, to, only } = beginning;
      const star = longer.get(starKey);
      const isText = this.#separator === null;
      const [accepts, acceptsAll] = [isText && to !== null, isText && to !== null && isStar];
      const isEnd = longer.size === 0 && !isStar && !isText;
      return [
        ...(isEnd ? [] : [this.#add({ ...this.#stepsFrom([beginning]), node: only, accepts, acceptsAll })]),
        ...(star === undefined ? [] : this.#behindBeginning(star)),
        ...(to === null || isText ? [] : this.#behindNode(to)),
      ];
    });
  }

  #stepsFrom(beginnings: readonly Beginning[]): Pick<Place, 'specials' | 'next'> {
    const literals = beginnings
      .flatMap(({ longer }) => [...longer.keys()])
      .filter((key) => key !== starKey && key !== oneKey);
    const next = (character: string) => {
      if (character === this.#separator) return [];
      const behind = beginnings.flatMap((beginning) => [
        beginning.isStar ? beginning : undefined,
        beginning.longer.get(oneKey),
        beginning.longer.get(character),
      ]);
      return behind.flatMap((each) => (each === undefined ? [] : this.#behindBeginning(each)));
    };
    return { specials: [...(this.#separator ?? ''), ...literals], next };
  }
}
