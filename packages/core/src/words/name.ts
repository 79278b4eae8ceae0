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

/** The prefix of a created worker's name. */
export const createdPrefix = 'created:';

/** Reserved names of toolsets; names that begin with `mcp-` are reserved too. */
export const reservedToolsets: readonly string[] = [
  'filesystem',
  'shell',
  'http',
  'delegation',
  'worker',
  'provider',
  'toolset',
];
