/** Names of toolsets and workers: `filesystem`, `pitch-evaluator`. */
export function isSimpleName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,99}$/.test(text);
}

/** A worker's name in a chain: a simple name, or `created:NAME`. */
export function isWorkerName(text: string): boolean {
  return isSimpleName(text.startsWith(createdPrefix) ? text.slice(createdPrefix.length) : text);
}

/** A tool's full name, `toolset.tool`. The toolset ends at the first dot. */
export function isToolName(text: string): boolean {
  const dot = text.indexOf('.');
  return (
    dot > 0 &&
    isSimpleName(text.slice(0, dot)) &&
    /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$/.test(text.slice(dot + 1))
  );
}

/** Empty if the name has no toolset. */
export function toolsetOf(tool: string): string {
  return tool.slice(0, Math.max(0, tool.indexOf('.')));
}

export const createdPrefix = 'created:';

/** The built-in toolsets that need nothing of a run, so that one call alone can be described. */
export const standaloneToolsets = ['filesystem', 'shell', 'http'] as const;
/** The toolsets that run here. Messages list them in this order. */
export const builtInToolsets = [...standaloneToolsets, 'delegation'] as const;
/** Reserved names of toolsets; names that begin with `mcp-` are reserved too. */
export const reservedToolsets: readonly string[] = [...builtInToolsets, 'worker', 'provider', 'toolset'];

/** The known name that `text` most likely means, if any. */
export function nearest(text: string, known: Iterable<string>): string | null {
  if (text.length > 80) return null;
  const folded = fold(text);
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = fold(name) === folded ? 0.5 : editDistance(text, name);
    if (distance <= allowance(name) && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name, distance };
  }
  return best?.name ?? null;
}

/** Wrong letters: one of a short name, two of a longer one, none of two letters. */
function allowance(name: string): number {
  if (name.length <= 2) return 0.5;
  return name.length <= 5 ? 1 : 2;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_\-.]/g, '');
}

/** Letters to insert, delete, replace or swap. */
export function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, index) => index),
  ];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] as number) + 1,
          (current[column - 1] as number) + 1,
          (last[column - 1] as number) + (same ? 0 : 1),
          swapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return last[other.length] as number;
}
