import { hash } from 'node:crypto';
import { type Decision, decisions, type JsonObject } from '@ambit/core';
import * as yaml from '@ambit/policy/yaml';
import { providerToolsIn } from './built-in-references.js';
import { isFactory, isReserved } from './given-toolsets.js';
import { readMcpServer } from './mcp-reference.js';
import { kindOf, type ReferenceKind } from './reference-kind.js';
import type { ReferenceApproval, ToolsetReference } from './worker-definition.js';
import { placeIn, type WorkerReading } from './worker-reading.js';

export interface ReadToolsets {
  readonly references: readonly ToolsetReference[];
  readonly callees: readonly string[];
}

const decision = yaml.word(decisions, 'a decision', 'UNKNOWN_DECISION');

export const toolsets: yaml.Grammar<ReadToolsets, WorkerReading> = {
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { approvals: { type: 'object', additionalProperties: decision.schema } },
    },
  },
  read: (node, at) => readToolsets(yaml.expectKindOrEmpty(node, ['map'], at)?.entries ?? [], at),
};

function readToolsets(entries: readonly yaml.Entry[], reading: WorkerReading): ReadToolsets {
  const callees = entries.flatMap((reference) => calleesOf(reference, reading));
  const lookAt = lookForCollisions(reading);
  const references = entries.flatMap((reference) => {
    const kind = kindOf(reference, reading);
    if (kind === null) return [];
    const read = readReference(reference, kind, reading);
    lookAt(reference, kind, read);
    return [read];
  });
  return { references, callees };
}

function readReference(
  { key, keySpan, value }: yaml.Entry,
  kind: ReferenceKind,
  reading: WorkerReading,
): ToolsetReference {
  const map = yaml.expectKindOrEmpty(value, ['map'], reading);
  const own = Object.keys(kind.keys);
  const known = [...own, ...approvalKeys];
  const entries: Readonly<Record<string, yaml.Entry | undefined>> =
    map === undefined ? {} : readReferenceKeys({ key, map }, kind, { known, reading });
  for (const name of map === undefined ? [] : (kind.required ?? []))
    if (entries[name] === undefined)
      yaml.reportMissing(name, map as yaml.MapNode, { reading, help: `\`${name}: […]\`` });
  if (kind.isServer !== true)
    for (const [name, is] of Object.entries(kind.keys)) yaml.valueIn(is, entries[name], reading);
  const configuration: JsonObject = Object.fromEntries(
    (kind.isConfigured === true ? configuredKeys(map) : own).flatMap((name) => {
      const entry = entries[name];
      return entry === undefined ? [] : [[name, yaml.toJson(entry.value)]];
    }),
  );
  const server =
    map !== undefined && kind.isServer === true ? readMcpServer({ key, map }, entries, reading) : null;
  return {
    key,
    ...kind.module,
    ...(server === null ? {} : { server, sha256: hash('sha256', JSON.stringify(server)) }),
    configuration,
    approvals: readApprovals(entries, kind.tools, reading),
    at: placeIn(reading, keySpan),
  };
}

const approvalKeys = ['approvals', '_approval_config'];

function configuredKeys(map: yaml.MapNode | undefined): readonly string[] {
  return (map?.entries ?? []).map(({ key }) => key).filter((key) => !approvalKeys.includes(key));
}

/** Suggestions never name `_approval_config`. */
function readReferenceKeys(
  { key, map }: { readonly key: string; readonly map: yaml.MapNode },
  kind: ReferenceKind,
  { known, reading }: { readonly known: readonly string[]; readonly reading: WorkerReading },
): Readonly<Record<string, yaml.Entry | undefined>> {
  const entries = map.entries.filter((entry) => known.includes(entry.key));
  const others = map.entries.filter((entry) => !entries.includes(entry));
  const all = Object.fromEntries(entries.map((entry) => [entry.key, entry]));
  const [first] = others;
  if (first === undefined) return all;
  const slip = others.find((entry) => yaml.nearest(entry.key, approvalKeys) !== null);
  if (kind.isConfigured === true && slip === undefined)
    return { ...all, ...Object.fromEntries(others.map((entry) => [entry.key, entry])) };
  if (kind.shared === undefined) {
    yaml.readKeys(
      { ...map, entries: slip !== undefined && kind.isConfigured ? [slip] : others },
      known.slice(0, -1),
      reading,
    );
    return all;
  }
  const keys = others.map((entry) => yaml.quote(entry.key)).sort();
  reading.problems.add('UNKNOWN_KEY', first.keySpan, {
    message: `${yaml.quote(key)} is ${kind.shared}, and cannot be configured here: ${keys.join(', ')}`,
    help:
      slip === undefined
        ? 'a reference to it takes `approvals` and nothing else'
        : 'did you mean `approvals`?',
  });
  return all;
}

function readApprovals(
  { approvals, _approval_config: older }: Readonly<Record<string, yaml.Entry | undefined>>,
  tools: readonly string[] | null,
  reading: WorkerReading,
): readonly ReferenceApproval[] {
  if (approvals !== undefined && older !== undefined) {
    reading.problems.add('MISPLACED_KEY', older.keySpan, {
      message: '`_approval_config` says what `approvals` says',
      help: 'put it all under `approvals`',
    });
  }
  const section = approvals ?? older;
  const map = section === undefined ? undefined : yaml.expectKindOrEmpty(section.value, ['map'], reading);
  return (map?.entries ?? []).flatMap((entry) => {
    if (tools !== null && !tools.includes(entry.key)) {
      reading.problems.add('UNKNOWN_TOOL', entry.keySpan, {
        message: `there is no tool ${yaml.quote(entry.key)} here`,
        help: yaml.helpFor(entry.key, tools),
      });
    }
    const said =
      section === approvals ? decision.read(entry.value, reading) : readOlderDecision(entry, reading);
    const at = placeIn(reading, entry.keySpan);
    return said === undefined ? [] : [{ tool: entry.key, decision: said, at }];
  });
}

const olderDecision = yaml.map({ pre_approved: { is: yaml.boolean } });

/** `{pre_approved: true}`: an older spelling that is never written. */
function readOlderDecision({ value }: yaml.Entry, reading: WorkerReading): Decision | undefined {
  const isPreApproved = olderDecision.read(value, reading)?.values.pre_approved;
  if (isPreApproved === undefined) return undefined;
  return isPreApproved ? 'pre_approved' : 'needs_approval';
}

function calleesOf({ key, value }: yaml.Entry, reading: WorkerReading): readonly string[] {
  const { workers } = reading.neighbours;
  if (key !== 'delegation') return workers.includes(key) && !isReserved(key) ? [key] : [];
  const allowed =
    value.kind === 'map' ? value.entries.find((entry) => entry.key === 'allow_workers') : undefined;
  const items =
    allowed === undefined ? [] : (yaml.expectKindOrEmpty(allowed.value, ['list'], reading)?.items ?? []);
  return items.flatMap((item) => {
    const name = yaml.expectKind(item, ['text'], reading);
    if (name === undefined) return [];
    if (name.value === '*') return workers;
    if (workers.includes(name.value)) return [name.value];
    const near = yaml.nearest(name.value, workers);
    reading.problems.add('UNKNOWN_WORKER', name.span, {
      message: `there is no worker ${yaml.quote(name.value)} in this folder`,
      help:
        near === null
          ? workers.length === 0
            ? 'a worker is a file `NAME.worker`'
            : yaml.oneOf(workers)
          : `did you mean \`${near}\`?`,
    });
    return [];
  });
}

type Offer = readonly [name: string, fullName: string];

/** Reports tools whose names would collide for a model. */
function lookForCollisions(reading: WorkerReading) {
  const seen = new Map<string, string>();
  const modules = new Map<string, string>();
  return ({ key, keySpan }: yaml.Entry, kind: ReferenceKind, reference: ToolsetReference): void => {
    // Its tools are unknown before the run, but they are those of the other reference.
    const { path } = reference;
    const same = path === null ? undefined : modules.get(path);
    if (same !== undefined)
      reading.problems.add('TWO_TOOLS', keySpan, {
        message: `${yaml.quote(key)} and ${yaml.quote(same)} are one module, so each of its tools would be there twice`,
        help: 'keep one of them: `approvals` belong to the worker, so another worker may say otherwise',
      });
    else if (path !== null) modules.set(path, key);
    const offers = offersOf(kind, reference, reading);
    const [name, fullName] = offers.find(([each]) => seen.has(each)) ?? [];
    if (name !== undefined && fullName !== undefined)
      reading.problems.add('TWO_TOOLS', keySpan, {
        message: `two tools of this worker are called ${yaml.quote(name)}: ${seen.get(name)} and ${fullName}`,
        help: 'a model knows a tool by its name alone: rename or remove one of them',
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
