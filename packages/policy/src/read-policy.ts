import type { AnswerableBy, Decision, Rule } from '@ambit/core';
import type { WrittenPolicy, WrittenRule } from './document.js';
import { quote } from './escape.js';
import { nearCapability } from './names.js';
import { type Place, placeText } from './place.js';
import { collectProblems, type Problems } from './problems.js';
import { type ReadRule, readAnswer, readDecision } from './read-rule.js';
import {
  type ReadExtension,
  readCapabilities,
  readCarries,
  readExtends,
  readGrants,
  readTools,
  readWorkers,
} from './read-sections.js';
import { expectKind, type Reading, readKeys, reportMissing } from './reading.js';
import { ruleCondition } from './rule-condition.js';
import { laterKeys, policyKeys } from './rule-keys.js';
import { type Entry, kindInWords, type MapNode, type Node } from './tree.js';

/** A file as far as it could be read: a policy only where nothing was reported. */
export interface ReadPolicy {
  readonly policy: WrittenPolicy;
  readonly extensions: readonly ReadExtension[];
  /** What is probably, but not certainly, a mistake. */
  readonly warnings: Problems;
}

export function readPolicy(root: Node, reading: Reading): ReadPolicy | null {
  const map = topMap(root, reading);
  if (map === null) return null;
  const entries = readKeys(map, policyKeys, reading);
  for (const key of laterKeys.policy) refuseLater(entries[key], reading);
  readVersion(entries.version, map, reading);
  const standard = readDefault(entries.default, map, reading);
  const everybody = { worker: null, prefix: '' };
  const read = inOrder([
    ...readCapabilities(entries.capabilities, everybody, reading),
    ...readTools(entries.tools, everybody, reading),
    ...readWorkers(entries.workers, reading),
  ]);
  refuseRepeatedIds(read, reading);
  const rules = read.map(({ rule }) => rule);
  const extensions = readExtends(entries.extends, reading);
  const { name } = reading.source;
  const [carries, admits] = [readCarries(entries.carries, reading), readGrants(entries.grants, reading)];
  const document = {
    name,
    version: 1,
    extends: extensions.map(({ path, place }) => ({ path, place })),
    default: standard,
    rules,
    carries,
    admits,
  } as const;
  const policy = {
    name,
    default: { decision: standard.decision, answer: standard.answer },
    rules: rules.map(toRule),
    carries,
    admits,
    document,
  };
  return { policy, extensions, warnings: nearMisses(read) };
}

function topMap(root: Node, { problems, source }: Reading): MapNode | null {
  if (root.kind === 'broken') return null;
  if (root.kind !== 'map') {
    problems.add('WRONG_TYPE', root.span, {
      message: `expected a policy, a map with \`version\` and \`default\`, found ${kindInWords(root)}`,
    });
    return null;
  }
  // What the top lacks is reported at its first key; at the very beginning where it has none.
  const [first] = root.entries;
  return { ...root, lack: first?.keySpan ?? { start: 0, end: Math.min(1, source.text.length) } };
}

function refuseLater(entry: Entry | undefined, { problems }: Reading): void {
  if (entry !== undefined)
    problems.add('NOT_YET', entry.keySpan, { message: `\`${entry.key}\` comes with a later version` });
}

function readVersion(entry: Entry | undefined, map: MapNode, reading: Reading): void {
  if (entry === undefined) {
    reportMissing('version', map, { reading, help: '`version: 1`' });
    return;
  }
  const node = expectKind(entry.value, ['number'], reading);
  if (node !== undefined && node.value !== 1)
    reading.problems.add('UNKNOWN_VERSION', node.span, {
      message: `there is no version ${node.value}`,
      help: '`version: 1`',
    });
}

function readDefault(
  entry: Entry | undefined,
  map: MapNode,
  reading: Reading,
): { decision: Decision; answer: AnswerableBy; place: Place } {
  const place = reading.source.lines.placeOf((entry?.keySpan ?? map.lack).start);
  const nothing = { decision: 'blocked', answer: 'any', place } as const;
  if (entry === undefined) {
    reportMissing('default', map, {
      reading,
      help: '`default: needs_approval`; pre_approved, needs_approval or blocked',
    });
    return nothing;
  }
  if (entry.value.kind !== 'map') {
    if (entry.value.kind === 'text')
      return { ...nothing, decision: readDecision(entry.value, reading) ?? 'blocked' };
    expectKind(entry.value, ['text', 'map'], reading);
    return nothing;
  }
  const inner = expectKind(entry.value, ['map'], reading);
  if (inner === undefined) return nothing;
  const { decision, answer } = readKeys(inner, ['decision', 'answer'], reading);
  if (decision === undefined)
    reportMissing('decision', inner, { reading, help: 'pre_approved, needs_approval or blocked' });
  return {
    place,
    decision: (decision && readDecision(decision.value, reading)) ?? 'blocked',
    answer: readAnswer(answer, reading) ?? 'any',
  };
}

function inOrder(rules: readonly ReadRule[]): readonly ReadRule[] {
  return [...rules].sort(
    ({ rule: { place: one } }, { rule: { place: other } }) =>
      one.line - other.line || one.column - other.column,
  );
}

function refuseRepeatedIds(rules: readonly ReadRule[], { problems }: Reading): void {
  const first = new Map<string, ReadRule>();
  for (const read of rules) {
    const earlier = first.get(read.rule.id);
    if (earlier === undefined) first.set(read.rule.id, read);
    else
      problems.add('DUPLICATE_ID', read.idSpan, {
        message: `the id ${quote(read.rule.id)} is taken by the rule at ${placeText(earlier.rule.place)}`,
        help: 'an id names one rule of its file',
      });
  }
}

function nearMisses(rules: readonly ReadRule[]): Problems {
  const warnings = collectProblems();
  for (const { rule, nameSpan } of rules) {
    const near = rule.about === 'capability' ? nearCapability(rule.name) : null;
    if (near !== null)
      warnings.add('UNKNOWN_CAPABILITY', nameSpan, {
        message: `no shared capability is called ${quote(rule.name)}`,
        help: `did you mean \`${near}\`? names of your own want a prefix of their own`,
      });
  }
  return warnings;
}

function toRule(written: WrittenRule): Rule {
  const { id, at, decision, answer, reason, instead, worker, inherit, name, about, below } = written;
  const common = {
    id,
    at,
    decision,
    answer,
    reason,
    instead,
    worker,
    inherit,
    observe: false,
    name,
    condition: ruleCondition(written),
  };
  return about === 'tool' ? { about, ...common } : { about, below, ...common };
}
