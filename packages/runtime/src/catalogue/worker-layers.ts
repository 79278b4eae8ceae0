import {
  type CapabilityView,
  type Condition,
  type Json,
  type Policy,
  plainRule,
  type ReferenceGrant,
  type Rule,
  silentPolicy,
  type Truth,
} from '@ambit/core';
import { isUnder } from '@ambit/toolsets';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';

export interface OpenedRoot {
  readonly name: string;
  readonly folder: string;
  /** Its files have the `.outside` names. */
  readonly outside: boolean;
}

/** The restrictions of a worker's roots, as a layer; null for none. */
export function rootsLayer(worker: WorkerDefinition, roots: readonly OpenedRoot[]): Policy | null {
  const rules = worker.roots.flatMap((root) => {
    const folder = roots.find(({ name }) => name === root.name)?.folder ?? null;
    const restriction = (capability: string, key: string): Rule => ({
      ...plainRule,
      about: 'capability',
      name: capability,
      below: false,
      id: `sandbox.paths.${root.name}.${key}/${capability}`,
      reason: `\`${key}\` of the root \`${root.name}\``,
      // A restriction for a worker holds for everybody who acts for it: no delegate gets around its roots.
      worker: worker.name,
      condition: liesIn(folder),
      at: root.at,
      decision: 'needs_approval',
    });
    return [
      // Each attachment is a separate question.
      ...(root.read_approval ? [{ ...restriction('data.share', 'read_approval'), apart: true }] : []),
      ...(root.write_approval
        ? [restriction('fs.write', 'write_approval'), restriction('fs.delete', 'write_approval')]
        : []),
    ];
  });
  return rules.length === 0 ? null : silentPolicy(worker.file, rules);
}

/** The restrictions and grants in the `approvals` of one reference to a toolset. */
export function referenceLayer(
  worker: WorkerDefinition,
  reference: ToolsetReference,
  toolset: string,
): { readonly layers: readonly Policy[]; readonly grants: readonly ReferenceGrant[] } {
  const fullName = (tool: string) => `${toolset}.${tool}`;
  const restrictions = reference.approvals.filter(({ decision }) => decision !== 'pre_approved');
  const rules = restrictions.map(
    ({ tool, decision, at }): Rule => ({
      ...plainRule,
      about: 'tool',
      name: fullName(tool),
      id: `toolsets.${reference.key}.approvals.${tool}`,
      at,
      decision,
    }),
  );
  const grants = reference.approvals
    .filter(({ decision }) => decision === 'pre_approved')
    .map(({ tool }): ReferenceGrant => ({ source: 'reference', worker: worker.name, tool: fullName(tool) }));
  return {
    layers: rules.length === 0 ? [] : [silentPolicy(`${worker.file}#${reference.key}`, rules)],
    grants,
  };
}

function liesIn(folder: string | null): Condition<CapabilityView> {
  return ({ capability }) =>
    isInFolder(Object.hasOwn(capability, 'path') ? capability.path : undefined, folder);
}

function isInFolder(path: Json | undefined, folder: string | null): Truth {
  if (typeof path !== 'string') return { undecided: 'no fact `path`' };
  if (folder === null) return { undecided: 'the folder of the root is unknown' };
  return isUnder(path, folder);
}
