import { type AnswerableBy, type Decision, decisions } from '@ambit/core';
import { readCondition } from '../../condition/read-expression.js';
import { capabilityRoots, toolRoots } from '../../condition/scene.js';
import { nameRemarks } from '../../grammar/names.js';
import {
  expectKind,
  type Reading,
  readBoolean,
  readKeys,
  readText,
  readWord,
  reportMissing,
} from '../../grammar/reading.js';
import type { Problem } from '../../text/diagnostic.js';
import { quote } from '../../text/escape.js';
import { placeText, type Span } from '../../text/place.js';
import { type Entry, kindInWords, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { WrittenCondition, WrittenNamedRule, WrittenRule } from '../document.js';
import { checkExample } from './check-example.js';
import { readExamples } from './read-examples.js';
import { readMatch } from './read-match.js';
import { readInstant, readObservation } from './read-observation.js';
import { readUndecided, refuseUndecided } from './read-undecided.js';
import { capabilityOnlyKeys, capabilityRuleKeys, type RuleKey } from './rule-keys.js';

/** What the rules under one key are about. */
export interface RuleSubject {
  readonly about: 'capability' | 'tool';
  readonly name: string;
  readonly worker: string | null;
  /** `capabilities.fs.write` */
  readonly path: string;
}

/** A rule, and where its id stands (its own beginning, where it has none of its own). */
export interface ReadRule {
  readonly rule: WrittenRule;
  readonly idSpan: Span;
  /** What looks wrong with it. */
  readonly remarks: readonly Problem[];
}

type Entries = Partial<Readonly<Record<RuleKey, Entry>>>;

/** A decision, a rule, or a list of them. */
export function readRules(entry: Entry, subject: RuleSubject, reading: Reading): readonly ReadRule[] {
  const { value, keySpan } = entry;
  if (value.kind !== 'list')
    return onlyRead([readRule(value, { ...subject, start: keySpan, nameSpan: keySpan, reading })]);
  const items = expectKind(value, ['list'], reading)?.items ?? [];
  return onlyRead(
    items.map((item, index) =>
      readRule(item, {
        ...subject,
        path: `${subject.path}[${index}]`,
        start: item.span,
        nameSpan: keySpan,
        reading,
      }),
    ),
  );
}

export function readDecision(node: Node, reading: Reading): Decision | undefined {
  return readWord(node, decisions, { reading, code: 'UNKNOWN_DECISION', what: 'a decision' });
}

export function readAnswer(entry: Entry | undefined, reading: Reading): AnswerableBy | undefined {
  if (entry === undefined) return undefined;
  return readWord(entry.value, ['person', 'any'], { reading, code: 'UNKNOWN_VALUE', what: 'who may answer' });
}

interface RuleContext extends RuleSubject {
  readonly start: Span;
  readonly nameSpan: Span;
  readonly reading: Reading;
}

function readRule(node: Node, context: RuleContext): ReadRule | undefined {
  const { reading, start } = context;
  if (node.kind === 'text') {
    const decision = readDecision(node, reading);
    return decision === undefined
      ? undefined
      : { rule: assemble(decision, {}, context), idSpan: start, remarks: remarksOn(context) };
  }
  if (node.kind !== 'map') {
    // Both are fine here; the message names them in the words of the language.
    if (node.kind === 'null' && !node.written) expectKind(node, ['text'], reading);
    else if (node.kind !== 'broken')
      reading.problems.add('WRONG_TYPE', node.span, {
        message: `expected a decision, a rule or a list of them, found ${kindInWords(node)}`,
      });
    return undefined;
  }
  return readRuleMap(node, context);
}

function readRuleMap(node: MapNode, context: RuleContext): ReadRule | undefined {
  const { reading, start, about } = context;
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return undefined;
  const entries = readKeys(map, capabilityRuleKeys, reading);
  const decision = entries.decision === undefined ? undefined : readDecision(entries.decision.value, reading);
  if (entries.decision === undefined)
    reportMissing('decision', map, { reading, help: 'pre_approved, needs_approval or blocked' });
  refuseMisplaced(entries, { about, decision, reading });
  refuseUndecided(entries, decision, reading);
  // Everything is read even where the decision is missing, so that all mistakes show at once.
  const rule = assemble(decision ?? 'blocked', entries, context);
  return decision === undefined
    ? undefined
    : { rule, idSpan: idSpanOf(entries.id, { node, start }), remarks: remarksOn(context) };
}

function refuseMisplaced(
  entries: Entries,
  {
    about,
    decision,
    reading,
  }: { about: 'capability' | 'tool'; decision: Decision | undefined; reading: Reading },
): void {
  const refuse = (key: RuleKey, words: { message: string; help: string }) => {
    const entry = entries[key];
    if (entry !== undefined) reading.problems.add('MISPLACED_KEY', entry.keySpan, words);
  };
  if (about === 'tool') {
    for (const key of capabilityOnlyKeys)
      refuse(key, {
        message: `\`${key}\` has no meaning under \`tools:\``,
        help:
          key === 'below'
            ? '`toolset.*` names all tools of a toolset'
            : 'a rule about a tool has `when` alone; facts are matched under `capabilities:`',
      });
  } else if (decision !== undefined && decision !== 'pre_approved')
    refuse('below', {
      message: '`below` is for permissions',
      help: 'a restriction covers what is under its name anyway',
    });
  if (decision !== undefined && decision !== 'pre_approved')
    refuse('until', {
      message: '`until` is for permissions',
      help: 'a restriction that ends by itself would loosen; take the rule away when its time has come',
    });
}

function remarksOn({ about, name, nameSpan }: RuleContext): readonly Problem[] {
  return about === 'capability' ? nameRemarks(name, nameSpan) : [];
}

function assemble(decision: Decision, entries: Entries, context: RuleContext): WrittenNamedRule {
  const { about, name, worker, reading, path, start } = context;
  const isTool = about === 'tool';
  const place = reading.source.lines.placeOf(start.start);
  const parts = {
    match: entries.match === undefined || isTool ? null : (readMatch(entries.match, name, reading) ?? null),
    except:
      entries.except === undefined || isTool ? null : (readMatch(entries.except, name, reading) ?? null),
    when: readWhen(entries.when, isTool ? toolRoots : capabilityRoots, reading),
    until: readInstant(entries.until, reading),
  };
  const examples =
    entries.examples === undefined
      ? []
      : (readExamples(entries.examples, isTool ? null : name, reading) ?? []);
  // What a broken condition would say to an example is nobody's mistake.
  const isWhole = (['match', 'except', 'when'] as const).every(
    (key) => entries[key] === undefined || parts[key] !== null,
  );
  if (isWhole)
    for (const example of examples) checkExample(example, parts, { name: isTool ? null : name, reading });
  return {
    about,
    name,
    worker,
    id: readId(entries.id, reading) ?? path,
    place,
    at: `${reading.source.name}:${placeText(place)}`,
    decision,
    answer: readAnswer(entries.answer, reading) ?? 'any',
    undecided: readUndecided(entries.undecided, reading) ?? null,
    below: readBoolean(entries.below, reading) ?? false,
    inherit: readBoolean(entries.inherit, reading) ?? true,
    ...readObservation(entries, reading),
    ...parts,
    reason: readText(entries.reason, reading) ?? null,
    instead: readText(entries.instead, reading) ?? null,
    owner: readText(entries.owner, reading) ?? null,
    note: readText(entries.note, reading) ?? null,
    examples: examples.map(({ example }) => example),
  };
}

/** The value of `when:`; null where there is none, or what is reported. */
export function readWhen(
  entry: Entry | undefined,
  roots: readonly string[],
  reading: Reading,
): WrittenCondition | null {
  if (entry === undefined) return null;
  const expression = readCondition(entry.value, { reading, roots });
  return expression === undefined ? null : { expression, json: toJson(entry.value) };
}

/** Where an id is reported; for a rule that an alias stands for, at the alias. */
export function idSpanOf(id: Entry | undefined, { node, start }: { node: MapNode; start: Span }): Span {
  const span = id?.value.span;
  return span !== undefined && span.start >= node.span.start && span.end <= node.span.end ? span : start;
}

export function readId(entry: Entry | undefined, reading: Reading): string | undefined {
  const id = readText(entry, reading);
  if (entry === undefined || id === undefined) return undefined;
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{P}\p{S}]{0,99}$/u.test(id) && !id.includes('`')) return id;
  reading.problems.add('BAD_ID', entry.value.span, {
    message: `${quote(id)} is not an id`,
    help: 'up to 100 characters without blanks, the first a letter or a digit',
  });
  return undefined;
}

function onlyRead(rules: readonly (ReadRule | undefined)[]): readonly ReadRule[] {
  return rules.filter((rule) => rule !== undefined);
}
