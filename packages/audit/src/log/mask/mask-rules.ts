import type { Json, JsonObject } from '@ambit/core';

/**
 * Secret arguments by tool (`crm.add`, `crm.*`, `*`), as paths (`card.number`, `cards.*.number`). Each is masked
 * completely.
 */
export type MaskRules = Readonly<Record<string, readonly string[]>>;

type Value = string | number | boolean;

export type SecretArguments = ReturnType<typeof secretArguments>;

/** Throws a `TypeError` on an empty rule. */
export function secretArguments(rules: MaskRules) {
  const paths = new Map(Object.entries(rules).map(([tool, texts]) => [tool, texts.map(pathOf)]));
  const pathsOf = (tool: string) =>
    paths.size === 0
      ? []
      : ['*', `${tool.split('.')[0] ?? ''}.*`, tool].flatMap((name) => paths.get(name) ?? []);
  /** The arguments, with each of these values replaced by the result of `visit`. */
  const replaced = (tool: string, args: Json, visit: (value: Value) => Json): Json =>
    pathsOf(tool).reduce((found, path) => replacedAt(found, path, visit), args);
  return {
    /** Whether there is a rule for this tool. */
    concerns: (tool: string) => pathsOf(tool).length > 0,
    /** The texts, numbers and booleans at these places. */
    valuesIn: (tool: string, args: Json): readonly Value[] => {
      const values: Value[] = [];
      replaced(tool, args, (value) => {
        values.push(value);
        return value;
      });
      return values;
    },
    replaced,
  };
}

function pathOf(text: string): readonly string[] {
  const path = text.split('.');
  if (path.includes(''))
    throw new TypeError(`\`${text}\` is not a path of an argument: card.number, cards.*.number`);
  return path;
}

function replacedAt(value: Json, path: readonly string[], visit: (value: Value) => Json): Json {
  const [key, ...rest] = path;
  if (typeof value !== 'object' || value === null) {
    // A rule that expects deeper members still covers a plain value.
    return value === null ? value : visit(value);
  }
  const isIn = (name: string) => key === undefined || key === '*' || key === name;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (isIn(String(index)) ? replacedAt(item, rest, visit) : item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, item]) => [
      name,
      isIn(name) ? replacedAt(item, rest, visit) : item,
    ]),
  );
}
