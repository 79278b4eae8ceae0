import { type Comparison, differences, variablesFor } from './compare.js';
import { type FormulaId, falsehood } from './formula/formula.js';
import type { Side, Workshop } from './side.js';
import type { CutVariable, Extent } from './witness/cells.js';

/** Whether a call can make a formula true: one finding where it can, with the cells that were looked at. */
export function possibilitiesOf(
  formula: FormulaId,
  { workshop, extent }: { readonly workshop: Workshop; readonly extent: Extent },
): Comparison & { readonly variables: readonly CutVariable[] } {
  const pair = [sideFor(formula), sideFor(falsehood)] as const;
  const variables = variablesFor(pair, [], { workshop, extent });
  return { ...differences([pair], { workshop, variables, isOneEnough: true }), variables };
}

function sideFor(blocked: FormulaId): Side {
  return { blocked, person: falsehood, questions: [] };
}
