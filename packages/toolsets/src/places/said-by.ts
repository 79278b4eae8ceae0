import { type Capability, isWithin } from '@ambit/core';

/** The names whose capabilities always have `by`, including the names under them. */
const attributed = ['fs', 'net', 'code', 'secret.read'] as const;

/** Adds the author to capabilities without one: `toolset:NAME`, or a program. */
export function saidBy(by: string, capabilities: readonly Capability[]): readonly Capability[] {
  return capabilities.map((capability) => {
    const isAttributed = attributed.some((above) => isWithin(capability.name, above));
    return isAttributed && !Object.hasOwn(capability, 'by') ? { ...capability, by } : capability;
  });
}
