import type { Json } from '@ambit/core';
import { products } from './combination-situations.js';
import type { Finding } from './explore.js';
import { type Value, type Variable, variableKey } from './formula/variable.js';
import type { CutVariable } from './witness/cells.js';

export type Assignment = Finding['assignment'];

const mostTries = 3000;

/** The values that show a finding; null for an uncertain one that no tried values show. */
export function shownBy(
  finding: Finding,
  variables: readonly CutVariable[],
  shows: (assignment: Assignment) => boolean,
): Assignment | null {
  if (finding.isPossible) return concretise(finding, variables, shows);
  if (shows(finding.assignment)) return finding.assignment;
  throw new Error(`a call does not show the finding: ${JSON.stringify(finding.assignment)}`);
}

/** Tries likely values for a finding about conditions that cannot be cut. Null if none shows it. */
export function concretise(
  finding: Finding,
  variables: readonly CutVariable[],
  shows: (assignment: Assignment) => boolean,
): Assignment | null {
  if (shows(finding.assignment)) return finding.assignment;
  const opaque = finding.assignment.flatMap(([variable]) => (variable.kind === 'opaque' ? [variable] : []));
  const reads = new Map(opaque.flatMap((each) => each.reads).map((read) => [variableKey(read), read]));
  const literals = opaque.flatMap((each) => each.literals);
  const choices = [...reads.values()].map((read) => choicesOf(read, { finding, variables, literals }));
  const count = choices.reduce((product, { length }) => product * length, 1);
  const trimmed = count > mostTries ? choices.map((choice) => choice.slice(0, 6)) : choices;
  for (const chosen of products(trimmed).slice(0, mostTries)) {
    const set = new Set(chosen.map(([variable]) => variableKey(variable)));
    const rest = finding.assignment.filter(([variable]) => !set.has(variableKey(variable)));
    const assignment = [...rest, ...chosen];
    if (shows(assignment)) return assignment;
  }
  return null;
}

function choicesOf(
  variable: Variable,
  {
    finding,
    variables,
    literals,
  }: {
    readonly finding: Finding;
    readonly variables: readonly CutVariable[];
    readonly literals: readonly Json[];
  },
): readonly (readonly [Variable, Value])[] {
  const key = variableKey(variable);
  const isIt = (other: Variable) => variableKey(other) === key;
  const assigned = finding.assignment.filter(([other]) => isIt(other)).map(([, value]) => value);
  const cells = variables.filter((each) => isIt(each.variable)).flatMap(({ values }) => values);
  if (variable.kind === 'tool' || variable.kind === 'chain')
    return [...assigned, ...cells].map((value) => [variable, value]);
  const numbers = literals.filter((value) => typeof value === 'number');
  const values = [
    ...assigned,
    ...literals,
    ...numbers.flatMap((value) => [value + 1, value - 1]),
    1,
    1000,
    0,
    -1,
    'x',
    ...cells,
  ];
  return [...new Set(values)].map((value) => [variable, value]);
}
