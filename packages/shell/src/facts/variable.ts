import { matchesWildcards } from '@ambit/core';
import data from '../../programs/variables.yaml';
import { Outside } from '../state/outside.js';
import type { Report } from '../state/report.js';
import { isAssignable } from '../state/variables.js';

/** A variable that a line may set for programs. Without `values` and `matches`, any value is allowed. */
export interface AllowedVariable {
  /** Its effect. */
  readonly for: string;
  readonly values?: readonly string[];
  /** A regular expression for its whole value. */
  readonly matches?: string;
}

type LoginUse = 'any' | 'names' | 'folders';

interface Table {
  readonly variables: Readonly<Record<string, AllowedVariable>>;
  readonly login: Readonly<Record<LoginUse, string>>;
}

const { variables: table, login } = data as Table;
const rows = Object.entries(table);

/** Variables that do not affect descriptions, by name. */
const variables: ReadonlyMap<string, AllowedVariable> = new Map(
  rows.flatMap(([names, entry]) => names.split(' ').map((name) => [name, entry] as const)),
);

const patterns = [...variables].filter(([name]) => name.includes('*'));

/** To what a login file may set it; null for other variables. */
export function loginUseOf(name: string): LoginUse | null {
  const isIn = (use: LoginUse) => login[use].split(' ').some((each) => matchesWildcards(each, name));
  return (['any', 'names', 'folders'] as const).find(isIn) ?? null;
}

/** Reports that a program sees a variable. */
export function reportVariable(report: Report, name: string, value: string | null): void {
  report.add({ name: 'env.set', variable: name, ...(value !== null && { value }) });
}

/** The same. Throws `Outside` if the variable may change what programs do, or that it is missing. */
export function setVariable(
  report: Report,
  name: string,
  value: string | null,
  written: string,
  isUnset = false,
): void {
  reportVariable(report, name, value);
  // Most descriptions are those without the variables of the table.
  const why = isUnset && variables.has(name) ? null : changeBy(name, value);
  if (why !== null) throw new Outside(why, written);
}

/**
 * Why a variable may make programs do something else than described; null if it does not. `isOfLine`: whether a line sets
 * it, and not a file of settings, where other names have a meaning.
 */
export function changeBy(name: string, value: string | null, isOfLine = true): string | null {
  const entry = variables.get(name) ?? patterns.find(([pattern]) => matchesWildcards(pattern, name))?.[1];
  // In mixed case, as `Logging__Level`, an application may read it.
  if (entry === undefined && isOfLine && isAssignable(name) && !/[a-z].*[A-Z]/.test(name)) return null;
  if (entry === undefined) return `programs may do something else when they see \`${name}\``;
  if (entry.values === undefined && entry.matches === undefined) return null;
  if (value === null) return `the value of \`${name}\` is unknown`;
  const isAllowed =
    entry.values?.includes(value) === true ||
    (entry.matches !== undefined && new RegExp(`^(?:${entry.matches})$`).test(value));
  return isAllowed ? null : `programs may do something else with this value of \`${name}\``;
}
