import { type Atoms, truthNumber } from '../formula/atom.js';
import type { FormulaId } from '../formula/formula.js';
import type { Value, Variable } from '../formula/variable.js';
import { globSample } from './glob-tree.js';

/** By keys of variables; missing values are absent. */
export type CallValues = ReadonlyMap<string, Value>;

/** Uses the first text or number that each variable is compared with. */
export function likelyCall(formula: FormulaId, atoms: Atoms): CallValues {
  const compared = atoms.formulas.atomsOf(formula).flatMap((id): readonly (readonly [string, Value])[] => {
    const { variableKey: key, cuts } = atoms.get(id);
    const [cut] = cuts;
    if (cut?.cut === 'number') return [[key, cut.at]];
    if (cut?.cut === 'worker') return [[key, [cut.name]]];
    const glob = cut?.cut === 'text' && cut.of.text === 'globs' ? cut.of.globs[0] : undefined;
    return glob === undefined ? [] : [[key, globSample(glob)]];
  });
  // The first comparison with a variable counts.
  return new Map(compared.reverse());
}

/** Null if the call does not tell. */
export function isTrueAt(formula: FormulaId, call: CallValues, atoms: Atoms): boolean | null {
  const node = atoms.formulas.node(formula);
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'not': {
      const inner = isTrueAt(node.of, call, atoms);
      return inner === null ? null : !inner;
    }
    case 'question': {
      const { variable, variableKey: key, truth } = atoms.get(node.atom);
      if (variable.kind === 'opaque') return null;
      const number = truthNumber(truth(call.has(key) ? call.get(key) : standardFor(variable)));
      return node.asking === 'true' ? number === 2 : number !== 0;
    }
    case 'and':
    case 'or': {
      const deciding = node.kind === 'or';
      let isKnown = true;
      for (const part of node.of) {
        const isTrue = isTrueAt(part, call, atoms);
        if (isTrue === deciding) return deciding;
        isKnown &&= isTrue !== null;
      }
      return isKnown ? !deciding : null;
    }
  }
}

function standardFor(variable: Variable): Value {
  if (variable.kind === 'chain') return ['main'];
  if (variable.kind === 'tool') return 'toolset.tool';
  return variable.kind === 'now' ? 0 : undefined;
}
