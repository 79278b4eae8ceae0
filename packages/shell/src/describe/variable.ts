import type { Capability } from '@ambit/core';
import { variables } from '../programs/variables.js';
import { Outside } from '../read/outside.js';

/**
 * The capability of setting a variable for programs. Throws `Outside` if the variable or its value may change
 * what they do.
 */
export function allowedVariable(name: string, value: string | null, written: string): Capability {
  const entry = variables.get(name);
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
