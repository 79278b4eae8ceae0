import {
  type Admission,
  type Capability,
  type Carried,
  defaultAdmission,
  nonCanonicalFacts,
  reaches,
  remembers,
  stated,
} from '@ambit/core';
import { type Grammar, map } from '../grammar/grammar.js';
import {
  capabilityName,
  capabilityNamePattern,
  nonEmptyName,
  toolKey,
  toolKeyPattern,
  toolName,
  workerName,
} from '../grammar/names.js';
import { expectKind, type Reading } from '../grammar/reading.js';
import { boolean, either, isKey, list, namedFile, record, word } from '../grammar/values.js';
import { placeText } from '../text/place.js';
import { type Entry, type MapNode, toJson } from '../text/tree.js';
import { checkFactName } from './rule/match.js';
import { type ReadRule, readRules } from './rule/read-rule.js';
import { capabilityRule, decision, toolRule } from './rule/rule-keys.js';

export interface SectionReading extends Reading {
  /** Null for every worker. */
  readonly worker: string | null;
}

const capabilities = rulesOf('capability');
const tools = rulesOf('tool');

/** `capabilities:` and `tools:`, for every worker or for one. */
export const ruleSections = { capabilities: { is: capabilities }, tools: { is: tools } };

function rulesOf(about: 'capability' | 'tool'): Grammar<readonly ReadRule[], SectionReading> {
  const isTool = about === 'tool';
  const one = { anyOf: [decision.schema, (isTool ? toolRule : capabilityRule).schema] };
  const name = isTool ? toolKey : capabilityName;
  const section = isTool ? 'tools' : 'capabilities';
  const read = (entry: Entry, at: SectionReading) => {
    if (!isKey(name, entry, at)) return [];
    const { worker } = at;
    const path = `${worker === null ? '' : `workers.${worker}.`}${section}.${entry.key}`;
    return readRules(entry, { about, name: entry.key, worker, path }, at);
  };
  return record(isTool ? toolKeyPattern : capabilityNamePattern, {
    schema: { anyOf: [...one.anyOf, { type: 'array', minItems: 1, items: one }] },
    read,
  });
}

const ofWorker = map(ruleSections);

/** `workers:` */
export const workers: Grammar<readonly ReadRule[], Reading> = record(null, {
  schema: ofWorker.schema,
  read: (entry, at) => {
    const { key, value } = entry;
    const isName = isKey(workerName, entry, at);
    // The worker is unknown, so its rules are not read.
    const isMap = expectKind(value, ['map'], at) !== undefined;
    if (!isName || !isMap) return [];
    const values = ofWorker.read(value, { ...at, worker: key })?.values;
    return [...(values?.capabilities ?? []), ...(values?.tools ?? [])];
  },
});

const nameFirst = map(
  { name: { is: nonEmptyName, missing: 'the name of the capability' } },
  { mayBeEmpty: true },
);

/** A name, or `{name, …facts}`. */
const carriedCapability: Grammar<Capability, Reading> = {
  schema: { anyOf: [capabilityName.schema, { ...nameFirst.schema, additionalProperties: true }] },
  read: (node, at) => {
    const found = expectKind(node, ['text', 'map'], at);
    if (found === undefined) return undefined;
    if (found.kind === 'map') return readCapability(found, at);
    const name = capabilityName.read(found, at);
    return name === undefined ? undefined : { name };
  },
};

function readCapability(found: MapNode, at: Reading): Capability | undefined {
  const [names, others] = [true, false].map((isName) =>
    found.entries.filter(({ key }) => (key === 'name') === isName),
  ) as [Entry[], Entry[]];
  const name = nameFirst.read({ ...found, entries: names }, at)?.values.name;
  if (name === undefined) return undefined;
  const facts = others.filter((entry) => checkFactName(entry, name, at));
  const capability = { ...Object.fromEntries(facts.map(({ key, value }) => [key, toJson(value)])), name };
  const bad = nonCanonicalFacts(capability);
  for (const { key, value } of facts.filter(({ key }) => bad.includes(key))) {
    const message = `this is not the canonical form of \`${key}\`, so the fact would count as missing`;
    at.problems.add('BAD_FACT', value.span, { message, help: 'see docs/vocabulary.md' });
  }
  return capability;
}

/** `carries:` */
export const carries: Grammar<readonly Carried[], Reading> = record(toolKeyPattern, {
  schema: { type: 'array', minItems: 1, items: carriedCapability.schema },
  read: (entry, at) => {
    const { key, value } = entry;
    const isTool = isKey(toolKey, entry, at);
    const items = expectKind(value, ['list'], at)?.items ?? [];
    const { name, lines } = at.source;
    const carried = items.flatMap((item): readonly Carried[] => {
      const capability = carriedCapability.read(item, at);
      const place = `${name}:${placeText(lines.placeOf(item.span.start))}`;
      return capability === undefined ? [] : [{ tool: key, capability, at: place }];
    });
    return isTool ? carried : [];
  },
});

const grantsMap = map({
  workers: { is: either(['boolean', boolean], ['list', list(toolName)]) },
  remember: { is: word(remembers, 'a value of `remember`') },
  reach: { is: word(reaches, 'a value of `reach`') },
  unattended: { is: boolean },
});

/** `grants:` */
export const grants: Grammar<Admission, Reading> = {
  schema: grantsMap.schema,
  read: (node, at) => ({ ...defaultAdmission, ...stated(grantsMap.read(node, at)?.values ?? {}) }),
};

/** `extends:` */
export const extensions = list(namedFile);
