import { type Entry, quote } from '@ambit/policy/yaml';
import { isReserved } from '../toolsets/module-toolset.js';
import { providerToolsIn } from '../toolsets/provider-tools.js';
import { isFactory } from './given-toolsets.js';
import type { ReferenceKind } from './reference-kind.js';
import type { ToolsetReference } from './worker-definition.js';
import type { WorkerReading } from './worker-reading.js';

/** A tool as a model would call it, and its full name. */
type Offer = readonly [name: string, fullName: string];

/** What looks at one reference after another, and reports the first tool of each that a model would call as one of those before, as far as tools are known. */
export function lookForCollisions(reading: WorkerReading) {
  const seen = new Map<string, string>();
  return ({ keySpan }: Entry, kind: ReferenceKind, reference: ToolsetReference): void => {
    const offers = offersOf(kind, reference, reading);
    const [name, fullName] = offers.find(([each]) => seen.has(each)) ?? [];
    if (name !== undefined && fullName !== undefined)
      reading.problems.add('TWO_TOOLS', keySpan, {
        message: `two tools of this worker are called ${quote(name)}: ${seen.get(name)} and ${fullName}`,
        help: 'a model knows a tool by its name alone: give one of them another, or take one away',
      });
    for (const [each, full] of offers) if (!seen.has(each)) seen.set(each, full);
  };
}

function offersOf(
  { tools }: ReferenceKind,
  { key, configuration }: ToolsetReference,
  { neighbours: { workers, shared } }: WorkerReading,
): readonly Offer[] {
  if (tools === null) return [];
  if (key === 'provider') return providerToolsIn(configuration).map((tool) => [tool, `provider.${tool}`]);
  if (workers.includes(key) && !isReserved(key)) return [[key, `worker.${key}`]];
  const instance = shared.find(({ name }) => name === key);
  if (instance !== undefined && !isFactory(instance))
    return instance.tools.map(({ name, offered_as = name }) => [offered_as, `${key}.${name}`]);
  return tools.map((tool) => [tool, `${key}.${tool}`]);
}
