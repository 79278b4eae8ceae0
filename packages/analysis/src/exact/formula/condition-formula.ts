import { type Capability, isUndecided, remembered, type Truth } from '@ambit/core';
import type { Expression, FactPatterns, Match } from '@ambit/policy';
import { evaluate, keysOf, literalsIn, matchesFact, valueOperators } from '@ambit/policy/internal';
import { type Atoms, type Cut, opaqueTruth } from './atom.js';
import { expressionCuts } from './expression-cuts.js';
import { certainly, never, type ThreeValued, unknowable } from './formula.js';
import { knownData, readOf, type Slot, slotKey } from './slot.js';
import { type Variable, variableKey } from './variable.js';

export class ConditionFormulas {
  readonly #done = new Map<Expression, Map<string, ThreeValued>>();
  readonly #facts = new Map<FactPatterns, Map<number, ThreeValued>>();

  /** `isEntangled`: conditions also read a value that contains the variable. */
  constructor(
    readonly atoms: Atoms,
    readonly isEntangled: (variable: Variable) => boolean,
    readonly caller: string = '',
  ) {}

  /** With a caller: conditions that cannot be cut differ for each. */
  forCaller(caller: string): ConditionFormulas {
    return new ConditionFormulas(this.atoms, this.isEntangled, caller);
  }

  match(match: Match | null, slot: Slot): ThreeValued {
    if (match === null) return certainly;
    return this.atoms.formulas.all(match.map((patterns) => this.#fact(patterns, slot)));
  }

  except(match: Match | null, slot: Slot): ThreeValued {
    return match === null ? certainly : this.atoms.formulas.opposite(this.match(match, slot));
  }

  until(until: number | null): ThreeValued {
    if (until === null) return certainly;
    return this.atoms.ask(
      {
        variable: { kind: 'now' },
        cuts: [{ cut: 'instant', at: until }],
        truth: (value) => (value as number) < until,
      },
      `before ${until}`,
    );
  }

  /** `slot` is null if the condition sees no capability. */
  when(expression: Expression | null, slot: Slot | null): ThreeValued {
    if (expression === null) return certainly;
    const bySlot = remembered(this.#done, expression, () => new Map());
    const key = slot === null ? '' : slotKey(slot);
    return remembered(bySlot, key, () => this.#truth(expression, 'condition', slot));
  }

  #fact(patterns: FactPatterns, slot: Slot): ThreeValued {
    const { index } = slot;
    if (index === null) return constant(matchesFact(patterns, slot.capability));
    const bySlot = remembered(this.#facts, patterns, () => new Map());
    return remembered(bySlot, index, () => this.#factAt(patterns, index, slot.name));
  }

  #factAt(patterns: FactPatterns, index: number, name: string): ThreeValued {
    const { fact } = patterns;
    const variable = { kind: 'fact', slot: index, path: [fact] } as const;
    const globs = patterns.patterns.flatMap((pattern) => (pattern.kind === 'glob' ? [pattern.glob] : []));
    const cuts: readonly Cut[] = [
      ...(globs.length === 0 ? [] : [{ cut: 'text', of: { text: 'globs', globs } } as const]),
      ...patterns.patterns.flatMap(numberCuts),
    ];
    const key = patterns.patterns.map((pattern) =>
      pattern.kind === 'glob' ? [pattern.glob.kind, pattern.glob.segments] : pattern,
    );
    return this.atoms.ask(
      {
        variable,
        cuts,
        truth: (value) =>
          matchesFact(
            patterns,
            Object.fromEntries([
              ['name', name],
              ...(value === undefined ? [] : [[fact, value] as const]),
            ]) as Capability,
          ),
        isGlobs: globs.length > 0,
      },
      `match ${JSON.stringify(key)}`,
    );
  }

  /** An operand that is a list is true if it has items; a condition that is a list is undecided. */
  #truth(expression: Expression, position: 'condition' | 'operand', slot: Slot | null): ThreeValued {
    const operand = (of: Expression) => this.#truth(of, 'operand', slot);
    if (expression.kind === 'operation') {
      const { operator, operands } = expression;
      const { formulas } = this.atoms;
      if (operator === 'and') return formulas.all(operands.map(operand));
      if (operator === 'or') return formulas.any(operands.map(operand));
      if (operator === '!' || operator === '!!') {
        const inner = operand(operands[0] as Expression);
        return operator === '!' ? formulas.opposite(inner) : inner;
      }
      if (operator === 'if') return this.#branches(operands, position, slot);
    }
    if (position === 'condition' && !isTruthLike(expression)) return unknowable;
    if (expression.kind === 'missing' || expression.kind === 'missing_some') {
      const formula = this.#missing(expression, slot);
      if (formula !== null) return formula;
    }
    return this.#leaf(expression, position, slot);
  }

  #branches(
    operands: readonly Expression[],
    position: 'condition' | 'operand',
    slot: Slot | null,
  ): ThreeValued {
    const [first, second, ...rest] = operands;
    if (first === undefined) return unknowable;
    if (second === undefined) return this.#truth(first, position, slot);
    return this.atoms.formulas.choose(
      this.#truth(first, 'operand', slot),
      this.#truth(second, position, slot),
      this.#branches(rest, position, slot),
    );
  }

  #missing(
    expression: Extract<Expression, { kind: 'missing' | 'missing_some' }>,
    slot: Slot | null,
  ): ThreeValued | null {
    const { keys } = expression;
    const each = keys.map((key) => this.#leaf({ kind: 'missing', keys: [key] }, 'operand', slot));
    // As many as these must be absent for the list of absent ones to have something in it.
    const least =
      expression.kind === 'missing' ? 1 : Math.max(1, Math.floor(keys.length - expression.need) + 1);
    if (least > keys.length) return never;
    if (least === 1) return this.atoms.formulas.any(each);
    if (keys.length > mostKeys) return null;
    return this.atoms.formulas.any(subsets(each, least).map((subset) => this.atoms.formulas.all(subset)));
  }

  #leaf(expression: Expression, position: 'condition' | 'operand', slot: Slot | null): ThreeValued {
    const whole: Expression =
      position === 'operand' ? { kind: 'operation', operator: '!!', operands: [expression] } : expression;
    const reads = keysOf(expression).map((key) => readOf(key, slot));
    const variables = new Map(
      reads.flatMap(({ variable }) =>
        variable === null ? [] : [[variableKey(variable), variable] as const],
      ),
    );
    const isBlurred =
      reads.some(({ isOpaque }) => isOpaque) ||
      [...variables.values()].some((read) => this.isEntangled(read));
    const [variable, second] = variables.values();
    if (variable === undefined && !isBlurred && isAboutNamesAlone(expression, slot))
      return constant(evaluate(whole, knownData(slot, null)).condition);
    const cuts =
      variable === undefined || second !== undefined || isBlurred
        ? null
        : expressionCuts(expression, (key) => readOf(key, slot).kind);
    const name = reads.some(({ isName }) => isName) ? `${slot?.name} ` : '';
    if (variable !== undefined && cuts !== null)
      return this.atoms.ask(
        {
          variable,
          cuts,
          truth: (value) => evaluate(whole, knownData(slot, { variable, value })).condition,
        },
        `${position} ${name}${JSON.stringify(expression)}`,
      );
    const isAboutCaller = keysOf(expression).some((key) => /^(?:worker|chain)(?:\.|$)/.test(String(key)));
    const place = `${slot === null ? '' : slotKey(slot)}${isAboutCaller ? this.caller : ''}`;
    return this.atoms.ask(
      {
        variable: {
          kind: 'opaque',
          text: `${position} ${place} ${JSON.stringify(expression)}`,
          reads: [...variables.values()],
          literals: literalsIn(expression),
        },
        truth: opaqueTruth,
      },
      '',
    );
  }
}

const mostKeys = 8;

/** Whether its truth alone matters: not for sums, texts and lists. */
function isTruthLike(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'boolean';
    case 'var':
      return true;
    case 'list':
    case 'missing':
    case 'missing_some':
      return false;
    case 'operation':
      return !notTruths.includes(expression.operator);
  }
}

const comparing = ['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in'];
const notTruths: readonly string[] = valueOperators.filter((operator) => !comparing.includes(operator));

function numberCuts(pattern: FactPatterns['patterns'][number]): readonly Cut[] {
  if (pattern.kind === 'number') return [{ cut: 'number', at: pattern.value }];
  if (pattern.kind !== 'range') return [];
  return [pattern.from, pattern.to].flatMap((at) => (at === null ? [] : [{ cut: 'number' as const, at }]));
}

/** Whether an unmentioned name may stand in: it equals no mentioned name, but may contain any text. */
function isAboutNamesAlone(expression: Expression, slot: Slot | null): boolean {
  if (slot === null || !slot.isFresh) return true;
  if (!keysOf(expression).includes('capability.name')) return true;
  return expressionCuts(expression, (key) => (key === 'capability.name' ? 'worker' : null)) !== null;
}

function constant(value: Truth): ThreeValued {
  return isUndecided(value) ? unknowable : value ? certainly : never;
}

function subsets<T>(of: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return of.flatMap((first, index) => subsets(of.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}
