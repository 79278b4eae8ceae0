import type { AnswerableBy, CombinationMember, Decision, Rule } from '@ambit/core';
import { expectKind, type Reading, readKeys, reportMissing } from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import { comparePlaces, type Place, placeText, type Span } from '../text/place.js';
import { collectProblems, type Problems } from '../text/problems.js';
import { type Entry, kindInWords, type MapNode, type Node } from '../text/tree.js';
import type { WrittenMember, WrittenPolicy, WrittenRule } from './document.js';
import {
  type ReadExtension,
  readCapabilities,
  readCarries,
  readExtends,
  readGrants,
  readTools,
  readWorkers,
} from './read-sections.js';
import { type ReadInvariant, readInvariants } from './rule/read-invariants.js';
import { type ReadRule, readAnswer, readDecision } from './rule/read-rule.js';
import { readTogether } from './rule/read-together.js';
import { readUndecided, withUndecided } from './rule/read-undecided.js';
import { policyKeys } from './rule/rule-keys.js';
import { partsOf, ruleCondition } from './rule-condition.js';

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
  readVersion(entries.version, map, reading);
  const standard = readDefault(entries.default, map, reading);
  const undecided = readUndecided(entries.undecided, reading) ?? 'blocked';
  const everybody = { worker: null, prefix: '' };
  const read = inOrder([
    ...readCapabilities(entries.capabilities, everybody, reading),
    ...readTools(entries.tools, everybody, reading),
    ...readWorkers(entries.workers, reading),
    ...readTogether(entries.together, reading),
  ]).map((rule) => withUndecided(rule, undecided));
  const claims = readInvariants(entries.invariants, reading);
  refuseRepeatedIds([...read, ...claims].map(identified), reading);
  const rules = read.map(({ rule }) => rule);
  const extensions = readExtends(entries.extends, reading);
  const { name } = reading.source;
  const [carries, admits] = [readCarries(entries.carries, reading), readGrants(entries.grants, reading)];
  const document = {
    name,
    version: 1,
    extends: extensions.map(({ path, place }) => ({ path, place })),
    default: standard,
    undecided,
    rules,
    carries,
    admits,
    invariants: claims.map(({ invariant }) => invariant),
  } as const;
  const policy = {
    name,
    default: { decision: standard.decision, answer: standard.answer },
    rules: rules.map(toRule),
    carries,
    admits,
    document,
  };
  const warnings = collectProblems();
  for (const { code, span, message, help } of [...read, ...claims].flatMap(({ remarks }) => remarks))
    warnings.add(code, span, { message, help });
  return { policy, extensions, warnings };
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
  return [...rules].sort((one, other) => comparePlaces(one.rule.place, other.rule.place));
}

interface Identified {
  readonly id: string;
  readonly place: Place;
  readonly idSpan: Span;
  readonly what: 'rule' | 'invariant';
}

function identified(read: ReadRule | ReadInvariant): Identified {
  const { idSpan } = read;
  return 'rule' in read
    ? { id: read.rule.id, place: read.rule.place, idSpan, what: 'rule' }
    : { id: read.invariant.id, place: read.invariant.place, idSpan, what: 'invariant' };
}

function refuseRepeatedIds(list: readonly Identified[], { problems }: Reading): void {
  const first = new Map<string, Identified>();
  for (const each of [...list].sort((one, other) => comparePlaces(one.place, other.place))) {
    const earlier = first.get(each.id);
    if (earlier === undefined) first.set(each.id, each);
    else
      problems.add('DUPLICATE_ID', each.idSpan, {
        message: `the id ${quote(each.id)} is taken by the ${earlier.what} at ${placeText(earlier.place)}`,
        help: 'an id names one rule of its file',
      });
  }
}

function toRule(written: WrittenRule): Rule {
  const { id, at, answer, reason, instead, inherit, observe } = written;
  const asks = written.undecided === 'needs_approval' ? ({ undecided: 'needs_approval' } as const) : {};
  const common = { id, at, answer, reason, instead, inherit, observe, ...asks };
  if (written.about === 'combination') {
    const { about, decision, worker, members, within, when } = written;
    const [first, ...others] = members;
    return {
      about,
      ...common,
      decision,
      worker,
      within,
      members: [toMember(first), ...others.map(toMember)],
      condition: ruleCondition(partsOf({ when })),
    };
  }
  const { about, name, worker, decision, below } = written;
  const named = { ...common, name, worker, decision, condition: ruleCondition(written) };
  return about === 'tool' ? { about, ...named } : { about, below, ...named };
}

function toMember({ name, match, except }: WrittenMember): CombinationMember {
  return { name, condition: ruleCondition(partsOf({ match, except })) };
}
