import type { Json, JsonObject } from '@ambit/core';

/**
 * Secret arguments by tool (`crm.add`, `crm.*`, `*`), as paths (`card.number`, `cards.*.number`). Each is masked
 * completely.
 */
export type MaskRules = Readonly<Record<string, readonly string[]>>;

type Visit = (value: string | number | boolean) => Json;

/** The paths of the secret arguments of a tool. Throws a `TypeError` on an empty rule. */
export function secretPaths(rules: MaskRules): (tool: string) => readonly (readonly string[])[] {
  const paths = new Map(Object.entries(rules).map(([tool, texts]) => [tool, texts.map(pathOf)]));
  return (tool) =>
    paths.size === 0
      ? []
      : ['*', `${tool.split('.')[0] ?? ''}.*`, tool].flatMap((name) => paths.get(name) ?? []);
}

function pathOf(text: string): readonly string[] {
  const path = text.split('.');
  if (path.includes(''))
    throw new TypeError(`\`${text}\` is not a path of an argument: card.number, cards.*.number`);
  return path;
}

/** The value, with each text, number and boolean at this path replaced by the result of `visit`. */
export function replacedAt(value: Json, path: readonly string[], visit: Visit): Json {
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
