import { isSimpleName, reservedToolsets } from '@ambit/core';

/** The built-in toolsets that a worker may use. */
export const builtInToolsets: readonly string[] = ['filesystem', 'shell', 'http', 'delegation'];

/** Whether the name is reserved under `toolsets`, so no module or worker can have it. */
export function isReserved(name: string): boolean {
  return reservedToolsets.includes(name) || name.startsWith('mcp-');
}

/** Why a module's toolset cannot be called so, or null. */
export function problemWithName(name: string): string | null {
  if (!isSimpleName(name)) return `\`${name}\` is not a toolset name: [a-z][a-z0-9_-]*`;
  return isReserved(name) ? `the name \`${name}\` is reserved` : null;
}
