import { type Capability, matchesWildcards } from '@ambit/core';
import data from '../../programs/variables.yaml';
import { Outside } from '../state/outside.js';

/** A variable that a line may set for programs. Without `values` and `matches`, any value is allowed. */
export interface AllowedVariable {
  /** Its effect. */
  readonly for: string;
  readonly values?: readonly string[];
  /** A regular expression for its whole value. */
  readonly matches?: string;
}

const rows = Object.entries((data as { variables: Readonly<Record<string, AllowedVariable>> }).variables);

/** Variables that do not affect descriptions, by name. */
export const variables: ReadonlyMap<string, AllowedVariable> = new Map(
  rows.flatMap(([names, entry]) => names.split(' ').map((name) => [name, entry] as const)),
);

const patterns = [...variables].filter(([name]) => name.includes('*'));

/** The capability of setting a variable. Throws `Outside` if it may change what programs do. */
export function allowedVariable(name: string, value: string | null, written: string): Capability {
  const entry = variables.get(name) ?? patterns.find(([pattern]) => matchesWildcards(pattern, name))?.[1];
  if (entry === undefined)
    throw new Outside(`programs may do something else when they see \`${name}\``, written);
  const isPlain = entry.values === undefined && entry.matches === undefined;
  if (value === null) {
    if (!isPlain) throw new Outside(`the value of \`${name}\` is unknown`, written);
    return { name: 'env.set', variable: name };
  }
  const isAllowed =
    isPlain ||
    entry.values?.includes(value) === true ||
    (entry.matches !== undefined && new RegExp(`^(?:${entry.matches})$`).test(value));
  if (!isAllowed) throw new Outside(`programs may do something else with this value of \`${name}\``, written);
  return { name: 'env.set', variable: name, value };
}
