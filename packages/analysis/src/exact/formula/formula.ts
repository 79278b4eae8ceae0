import { remembered } from '@ambit/core';

/** Equal ids are equal formulas. */
export type FormulaId = number & { readonly formula: true };

export const falsehood = 0 as FormulaId;
export const truth = 1 as FormulaId;

/** Kleene's logic as two ordinary formulas. */
export interface ThreeValued {
  readonly isTrue: FormulaId;
  readonly isNotFalse: FormulaId;
}

export const certainly: ThreeValued = { isTrue: truth, isNotFalse: truth };
export const never: ThreeValued = { isTrue: falsehood, isNotFalse: falsehood };
export const unknowable: ThreeValued = { isTrue: falsehood, isNotFalse: truth };

export type Asking = 'true' | 'not false';

export type Node =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'question'; readonly atom: number; readonly asking: Asking }
  | { readonly kind: 'not'; readonly of: FormulaId }
  | { readonly kind: 'and' | 'or'; readonly of: readonly FormulaId[] };

/** Formulas, each built once. */
export class Formulas {
  readonly #nodes: Node[] = [
    { kind: 'constant', value: false },
    { kind: 'constant', value: true },
  ];
  readonly #ids = new Map<string, FormulaId>();
  readonly #atoms: (readonly number[])[] = [[], []];
  #effort = 0;

  get effort(): number {
    return this.#effort;
  }

  node(id: FormulaId): Node {
    return this.#nodes[id] as Node;
  }

  /** Ascending. */
  atomsOf(id: FormulaId): readonly number[] {
    return this.#atoms[id] as readonly number[];
  }

  question(atom: number, asking: Asking): FormulaId {
    return this.#intern(`${asking === 'true' ? 't' : 'n'}${atom}`, () => ({
      node: { kind: 'question', atom, asking },
      atoms: [atom],
    }));
  }

  not(of: FormulaId): FormulaId {
    if (of === falsehood) return truth;
    if (of === truth) return falsehood;
    const node = this.node(of);
    if (node.kind === 'not') return node.of;
    return this.#intern(`!${of}`, () => ({ node: { kind: 'not', of }, atoms: this.atomsOf(of) }));
  }

  and(of: readonly FormulaId[]): FormulaId {
    return this.#combine('and', of);
  }

  or(of: readonly FormulaId[]): FormulaId {
    return this.#combine('or', of);
  }

  all(of: readonly ThreeValued[]): ThreeValued {
    return inBoth(of, (formulas) => this.and(formulas));
  }

  any(of: readonly ThreeValued[]): ThreeValued {
    return inBoth(of, (formulas) => this.or(formulas));
  }

  opposite({ isTrue, isNotFalse }: ThreeValued): ThreeValued {
    return { isTrue: this.not(isNotFalse), isNotFalse: this.not(isTrue) };
  }

  /** Undecided questions have the value that both branches share. */
  choose(question: ThreeValued, one: ThreeValued, other: ThreeValued): ThreeValued {
    const branches = [this.all([question, one]), this.all([this.opposite(question), other])];
    return this.any([...branches, this.all([one, other])]);
  }

  /** Replaces known atoms. */
  assume(
    id: FormulaId,
    known: (atom: number, asking: Asking) => boolean | null,
    memo: Map<FormulaId, FormulaId>,
  ) {
    const go = (current: FormulaId): FormulaId => {
      if (current <= truth) return current;
      return remembered(memo, current, () => {
        const node = this.node(current);
        if (node.kind === 'question') return this.#constant(known(node.atom, node.asking), current);
        if (node.kind === 'not') return this.not(go(node.of));
        return node.kind === 'constant' ? current : this.#combine(node.kind, node.of.map(go));
      });
    };
    return go(id);
  }

  #constant(known: boolean | null, otherwise: FormulaId): FormulaId {
    return known === null ? otherwise : known ? truth : falsehood;
  }

  #combine(kind: 'and' | 'or', of: readonly FormulaId[]): FormulaId {
    const [neutral, absorbing] = kind === 'and' ? [truth, falsehood] : [falsehood, truth];
    this.#effort += 1 + of.length;
    const parts = new Set<FormulaId>();
    const add = (part: FormulaId): boolean => {
      if (part === absorbing) return true;
      if (part === neutral) return false;
      const node = this.node(part);
      if (node.kind === kind) return node.of.some(add);
      parts.add(part);
      return false;
    };
    if (of.some(add)) return absorbing;
    for (const part of parts) if (parts.has(this.#negationIfKnown(part))) return absorbing;
    const sorted = [...parts].sort((one, other) => one - other);
    const [first, second] = sorted;
    if (first === undefined) return neutral;
    if (second === undefined) return first;
    return this.#intern(`${kind === 'and' ? '&' : '|'}${sorted.join(',')}`, () => ({
      node: { kind, of: sorted },
      atoms: [...new Set(sorted.flatMap((part) => this.atomsOf(part)))].sort((one, other) => one - other),
    }));
  }

  #negationIfKnown(part: FormulaId): FormulaId {
    const node = this.node(part);
    return node.kind === 'not' ? node.of : (this.#ids.get(`!${part}`) ?? (-1 as FormulaId));
  }

  #intern(key: string, create: () => { node: Node; atoms: readonly number[] }): FormulaId {
    return remembered(this.#ids, key, () => {
      const { node, atoms } = create();
      this.#atoms.push(atoms);
      return (this.#nodes.push(node) - 1) as FormulaId;
    });
  }
}

function inBoth(
  of: readonly ThreeValued[],
  join: (formulas: readonly FormulaId[]) => FormulaId,
): ThreeValued {
  return {
    isTrue: join(of.map(({ isTrue }) => isTrue)),
    isNotFalse: join(of.map(({ isNotFalse }) => isNotFalse)),
  };
}
