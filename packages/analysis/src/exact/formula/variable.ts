import { isObject, type Json, type JsonObject, ownMember } from '@ambit/core';

export type Variable =
  | { readonly kind: 'fact'; readonly slot: number; readonly path: readonly string[] }
  | { readonly kind: 'args' | 'context'; readonly path: readonly string[] }
  /** With its toolset. */
  | { readonly kind: 'tool' }
  /** With the acting worker. */
  | { readonly kind: 'chain' }
  | { readonly kind: 'now' }
  /** A condition that cannot be cut. */
  | {
      readonly kind: 'opaque';
      readonly text: string;
      /** Where the search for a call begins. */
      readonly reads: readonly Variable[];
      readonly literals: readonly Json[];
    };

/** Undefined if it is absent; milliseconds for `now`. */
export type Value = Json | undefined;

export function variableKey(variable: Variable): string {
  switch (variable.kind) {
    case 'fact':
      return `fact ${variable.slot} ${JSON.stringify(variable.path)}`;
    case 'args':
    case 'context':
      return `${variable.kind} ${JSON.stringify(variable.path)}`;
    case 'opaque':
      return `opaque ${variable.text}`;
    case 'tool':
    case 'chain':
    case 'now':
      return variable.kind;
  }
}

/** `fact path`, `args.to`. */
export function variableInWords(variable: Variable): string {
  switch (variable.kind) {
    case 'fact':
      return `the fact \`${variable.path.join('.')}\``;
    case 'args':
    case 'context':
      return `\`${[variable.kind, ...variable.path].join('.')}\``;
    case 'opaque':
      return variable.text;
    case 'tool':
    case 'chain':
    case 'now':
      return `\`${variable.kind}\``;
  }
}

/** Creates missing objects; own properties only. An undefined value is removed. */
export function withValueAt(
  of: Json | undefined,
  [first = '', ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const object = isObject(of) ? of : {};
  const inner = ownMember(object, first);
  const next = rest.length === 0 ? value : withValueAt(inner, rest, value);
  const others = Object.entries(object).filter(([key]) => key !== first);
  // fromEntries defines own properties, whatever the keys are called.
  return Object.fromEntries(next === undefined ? others : [...others, [first, next]]);
}
