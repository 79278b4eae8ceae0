import { type Capability, isWithin } from '@ambit/core';

/** The names whose capabilities always have `by`, including the names under them. */
const attributed = ['fs', 'net', 'code', 'secret.read'] as const;

/** Whether a capability of this name has the fact `by`. */
function isAttributed(name: string): boolean {
  return attributed.some((above) => isWithin(name, above));
}

/** Adds the author to capabilities without one: `toolset:NAME`, or a program. */
export function saidBy(by: string, capabilities: readonly Capability[]): readonly Capability[] {
  return capabilities.map((capability) =>
    isAttributed(capability.name) && !Object.hasOwn(capability, 'by') ? { ...capability, by } : capability,
  );
}
