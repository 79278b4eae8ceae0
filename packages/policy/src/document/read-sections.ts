import {
  type Admission,
  type Capability,
  type Carried,
  defaultAdmission,
  isToolName,
  nonCanonicalFacts,
  reaches,
  remembers,
} from '@ambit/core';
import { checkCapabilityName, checkToolKey, checkWorkerName } from '../grammar/names.js';
import {
  expectKind,
  type Reading,
  readBoolean,
  readKeys,
  readText,
  readWord,
  reportMissing,
} from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import { placeText, type Span } from '../text/place.js';
import { type Entry, type Node, toJson } from '../text/tree.js';
import type { Extension } from './document.js';
import { checkFactName } from './rule/read-match.js';
import { type ReadRule, readRules } from './rule/read-rule.js';

/** Whose rules a section holds. */
export interface SectionOwner {
  readonly worker: string | null;
  /** `''`, or `workers.NAME.` */
  readonly prefix: string;
}

export function readCapabilities(
  entry: Entry | undefined,
  owner: SectionOwner,
  reading: Reading,
): readonly ReadRule[] {
  return entriesOf(entry, reading).flatMap((item) => {
    if (!checkCapabilityName(item.key, item.keySpan, reading.problems)) return [];
    return readRules(
      item,
      {
        about: 'capability',
        name: item.key,
        worker: owner.worker,
        path: `${owner.prefix}capabilities.${item.key}`,
      },
      reading,
    );
  });
}

export function readTools(
  entry: Entry | undefined,
  owner: SectionOwner,
  reading: Reading,
): readonly ReadRule[] {
  return entriesOf(entry, reading).flatMap((item) => {
    if (!checkToolKey(item.key, item.keySpan, reading.problems)) return [];
    return readRules(
      item,
      { about: 'tool', name: item.key, worker: owner.worker, path: `${owner.prefix}tools.${item.key}` },
      reading,
    );
  });
}

export function readWorkers(entry: Entry | undefined, reading: Reading): readonly ReadRule[] {
  return entriesOf(entry, reading).flatMap(({ key, keySpan, value }) => {
    const isName = checkWorkerName(key, keySpan, reading.problems);
    const map = expectKind(value, ['map'], reading);
    if (!isName || map === undefined) return [];
    const { capabilities, tools } = readKeys(map, ['capabilities', 'tools'], reading);
    const owner = { worker: key, prefix: `workers.${key}.` };
    return [...readCapabilities(capabilities, owner, reading), ...readTools(tools, owner, reading)];
  });
}

export function readCarries(entry: Entry | undefined, reading: Reading): readonly Carried[] {
  return entriesOf(entry, reading).flatMap((item) => {
    const isTool = checkToolKey(item.key, item.keySpan, reading.problems);
    const nodes = expectKind(item.value, ['list'], reading)?.items ?? [];
    const { name, lines } = reading.source;
    const carried = nodes.flatMap((node): readonly Carried[] => {
      const capability = readCapability(node, reading);
      const at = `${name}:${placeText(lines.placeOf(node.span.start))}`;
      return capability === undefined ? [] : [{ tool: item.key, capability, at }];
    });
    return isTool ? carried : [];
  });
}

/** A name, or `{name, …facts}`. */
function readCapability(node: Node, reading: Reading): Capability | undefined {
  const read = expectKind(node, ['text', 'map'], reading);
  if (read === undefined) return undefined;
  if (read.kind === 'text')
    return checkCapabilityName(read.value, read.span, reading.problems) ? { name: read.value } : undefined;
  const nameEntry = read.entries.find(({ key }) => key === 'name');
  if (nameEntry === undefined) reportMissing('name', read, { reading, help: 'the name of the capability' });
  const name = readText(nameEntry, reading);
  if (name === undefined || nameEntry === undefined) return undefined;
  if (!checkCapabilityName(name, nameEntry.value.span, reading.problems)) return undefined;
  const facts = read.entries.filter((entry) => entry !== nameEntry && checkFactName(entry, name, reading));
  const capability = { ...Object.fromEntries(facts.map(({ key, value }) => [key, toJson(value)])), name };
  for (const fact of nonCanonicalFacts(capability))
    reportForm(
      facts.find(({ key }) => key === fact),
      reading,
    );
  return capability;
}

function reportForm(entry: Entry | undefined, { problems }: Reading): void {
  if (entry === undefined) return;
  const message = `this is not the canonical form of \`${entry.key}\`, so the fact would count as missing`;
  problems.add('BAD_FACT', entry.value.span, { message, help: 'see docs/vocabulary.md' });
}

export function readGrants(entry: Entry | undefined, reading: Reading): Admission {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reading);
  if (map === undefined) return defaultAdmission;
  const { workers, remember, reach, unattended } = readKeys(
    map,
    ['workers', 'remember', 'reach', 'unattended'],
    reading,
  );
  const word = { reading, code: 'UNKNOWN_VALUE' } as const;
  return {
    workers: readGrantingWorkers(workers, reading) ?? defaultAdmission.workers,
    remember:
      (remember &&
        readWord(remember.value, remembers, { ...word, what: 'how long an answer may be kept' })) ??
      defaultAdmission.remember,
    reach:
      (reach && readWord(reach.value, reaches, { ...word, what: 'how far an answer may reach' })) ??
      defaultAdmission.reach,
    unattended: readBoolean(unattended, reading) ?? defaultAdmission.unattended,
  };
}

function readGrantingWorkers(
  entry: Entry | undefined,
  reading: Reading,
): boolean | readonly string[] | undefined {
  const node = entry === undefined ? undefined : expectKind(entry.value, ['boolean', 'list'], reading);
  if (node === undefined || node.kind === 'boolean') return node?.value;
  return node.items.flatMap((item) => {
    const tool = expectKind(item, ['text'], reading);
    if (tool === undefined) return [];
    if (isToolName(tool.value)) return [tool.value];
    reading.problems.add('BAD_TOOL_NAME', tool.span, {
      message: `${quote(tool.value)} names no tool`,
      help: '`toolset.tool`',
    });
    return [];
  });
}

export interface ReadExtension extends Extension {
  readonly span: Span;
}

export function readExtends(entry: Entry | undefined, reading: Reading): readonly ReadExtension[] {
  const items = entry === undefined ? [] : (expectKind(entry.value, ['list'], reading)?.items ?? []);
  return items.flatMap((item) => {
    const path = readText({ key: '', keySpan: item.span, value: item }, reading);
    return path === undefined
      ? []
      : [{ path, place: reading.source.lines.placeOf(item.span.start), span: item.span }];
  });
}

function entriesOf(entry: Entry | undefined, reading: Reading): readonly Entry[] {
  return entry === undefined ? [] : (expectKind(entry.value, ['map'], reading)?.entries ?? []);
}
