import type { Json } from '@ambit/core';

/** One thing that conditions read of a call. */
export type Variable =
  /** A fact of the capability at `slot`, or something within it. */
  | { readonly kind: 'fact'; readonly slot: number; readonly path: readonly string[] }
  | { readonly kind: 'args' | 'context'; readonly path: readonly string[] }
  /** The tool, and with it its toolset. */
  | { readonly kind: 'tool' }
  /** Who calls for whom, and with it the acting worker. */
  | { readonly kind: 'chain' }
  | { readonly kind: 'now' }
  /** What cannot be split into questions about single things; it may be true, false or undecided. */
  | {
      readonly kind: 'opaque';
      readonly text: string;
      /** What it reads, and the values that are written in it: where to begin a search for a call. */
      readonly reads: readonly Variable[];
      readonly literals: readonly Json[];
    };

/** A value of a variable: undefined where it is absent; a chain for `chain`, milliseconds for `now`. */
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

/** As it is named to people: `fact path`, `args.to`. */
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

/** `of` with the value at the path, in objects that are made where there are none; own properties, whatever they are called. */
export function withValueAt(of: Json | undefined, path: readonly string[], value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const entries: readonly (readonly [string, Json])[] =
    typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.entries(of) : [];
  const inner = entries.find(([key]) => key === first)?.[1];
  return Object.fromEntries([
    ...entries.filter(([key]) => key !== first),
    [first, withValueAt(inner, rest, value)],
  ]);
}
