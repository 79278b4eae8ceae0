import type { Decision } from '@ambit/core';
import { nameRemarks } from '../../grammar/names.js';
import { expectKind, type Reading } from '../../grammar/reading.js';
import type { Problem } from '../../text/diagnostic.js';
import { placeText, type Span } from '../../text/place.js';
import { type Entry, kindInWords, type MapNode, type Node } from '../../text/tree.js';
import type { WrittenNamedRule, WrittenRule } from '../document.js';
import { checkExample } from './examples.js';
import { capabilityRule, decision, toolRule } from './rule-keys.js';

export interface RuleSubject {
  readonly about: 'capability' | 'tool';
  readonly name: string;
  readonly worker: string | null;
  /** `capabilities.fs.write` */
  readonly path: string;
}

export interface ReadRule<Rule = WrittenRule> {
  readonly rule: Rule;
  readonly idSpan: Span;
  readonly remarks: readonly Problem[];
}

interface RuleContext extends RuleSubject {
  readonly start: Span;
  readonly reading: Reading;
}

export function readRules(entry: Entry, subject: RuleSubject, reading: Reading): readonly ReadRule[] {
  const { value, keySpan } = entry;
  const remarks = subject.about === 'capability' ? nameRemarks(subject.name, keySpan) : [];
  const only = (read: Omit<ReadRule, 'remarks'> | undefined) =>
    read === undefined ? [] : [{ ...read, remarks }];
  if (value.kind !== 'list') return only(readRule(value, { ...subject, start: keySpan, reading }));
  const items = expectKind(value, ['list'], reading)?.items ?? [];
  return items.flatMap((item, index) =>
    only(readRule(item, { ...subject, path: `${subject.path}[${index}]`, start: item.span, reading })),
  );
}

function readRule(node: Node, context: RuleContext): Omit<ReadRule, 'remarks'> | undefined {
  const { reading, start } = context;
  if (node.kind === 'map') return readRuleMap(node, context);
  if (node.kind === 'text') {
    const said = decision.read(node, reading);
    return said && { rule: ruleOf(said, {}, context), idSpan: start };
  }
  // Both keys are valid here; the message names them with the words of the language.
  if (node.kind === 'null' && !node.written) expectKind(node, ['text'], reading);
  else if (node.kind !== 'broken')
    reading.problems.add('WRONG_TYPE', node.span, {
      message: `expected a decision, a rule or a list of them, found ${kindInWords(node)}`,
    });
  return undefined;
}

function readRuleMap(node: MapNode, context: RuleContext): Omit<ReadRule, 'remarks'> | undefined {
  const { reading, start, about, name } = context;
  const at = { ...reading, capability: about === 'tool' ? null : name };
  const read = (about === 'tool' ? toolRule : capabilityRule).read(node, at);
  if (read === undefined) return undefined;
  const { values, entries } = read;
  refuseMisplaced(entries, [values.decision, about], reading);
  // Examples are tried even if the decision is missing, so that all mistakes are reported together.
  const rule = ruleOf(values.decision ?? 'blocked', values, context);
  // A broken condition is reported once, and not again for its examples.
  const isWhole = (['match', 'except', 'when'] as const).every((key) => !entries[key] || values[key]);
  if (isWhole) for (const example of values.examples ?? []) checkExample(example, rule, at);
  return values.decision && { rule, idSpan: idSpanOf(entries.id, { node, start }) };
}

type Values = Partial<NonNullable<ReturnType<typeof capabilityRule.read>>['values']>;

function ruleOf(said: Decision, values: Values, context: RuleContext): WrittenNamedRule {
  const { about, name, worker, path } = context;
  const { match = null, except = null, when = null, until = null, examples = [] } = values;
  return {
    about,
    name,
    worker,
    ...ruleBase(values, { ...context, path }),
    decision: said,
    answer: values.answer ?? 'any',
    below: values.below ?? false,
    inherit: values.inherit ?? true,
    match,
    except,
    when,
    until,
    examples: examples.map(({ example }) => example),
  };
}

export function ruleBase(
  values: Pick<
    Values,
    'id' | 'undecided' | 'observe' | 'observed_since' | 'reason' | 'instead' | 'owner' | 'note'
  >,
  { path, start, reading }: { readonly path: string; readonly start: Span; readonly reading: Reading },
) {
  const place = reading.source.lines.placeOf(start.start);
  return {
    id: values.id ?? path,
    place,
    at: `${reading.source.name}:${placeText(place)}`,
    undecided: values.undecided ?? null,
    observe: values.observe ?? false,
    observedSince: values.observed_since ?? null,
    reason: values.reason ?? null,
    instead: values.instead ?? null,
    owner: values.owner ?? null,
    note: values.note ?? null,
  };
}

type Entries = Partial<
  Readonly<Record<'below' | 'until' | 'undecided' | 'answer' | 'observe' | 'observed_since', Entry>>
>;

/** Reports keys that have no meaning beside this decision, or beside one another. */
export function refuseMisplaced(
  entries: Entries,
  [said, about]: readonly [Decision | undefined, WrittenRule['about']],
  { problems, asksUndecided = false }: Reading,
): void {
  const refuse = (entry: Entry | undefined, message: string, help: string) => {
    if (entry !== undefined) problems.add('MISPLACED_KEY', entry.keySpan, { message, help });
  };
  if (said !== undefined && said !== 'pre_approved' && about !== 'combination') {
    if (about === 'capability')
      refuse(
        entries.below,
        '`below` is for permissions',
        'a restriction always covers the names under its own',
      );
    refuse(
      entries.until,
      '`until` is for permissions',
      'a restriction with an end would loosen the policy; remove the rule at that time',
    );
  }
  if (said !== undefined && said !== 'blocked')
    refuse(
      entries.undecided,
      '`undecided` is for rules that block',
      'an undecided rule that asks still asks; an undecided permission permits nothing',
    );
  else if (said === 'blocked' && isText(entries.answer, 'any')) {
    const own = entries.undecided;
    if (own === undefined ? asksUndecided : isText(own, 'needs_approval'))
      refuse(
        own ?? entries.answer,
        '`undecided: needs_approval` asks a person, and this rule says `answer: any`',
        'remove `answer: any`',
      );
  }
  const observed = entries.observe?.value;
  const isObserved = observed?.kind === 'broken' || (observed?.kind === 'boolean' && observed.value);
  if (!isObserved)
    refuse(
      entries.observed_since,
      '`observed_since` is for rules that are observed',
      'write it with `observe: true`, and remove both together',
    );
}

export function isText(entry: Entry | undefined, word: string): boolean {
  return entry?.value.kind === 'text' && entry.value.value === word;
}

/** The place of an id; for an aliased rule, the alias. */
export function idSpanOf(
  id: Entry | undefined,
  { node, start }: { readonly node: MapNode; readonly start: Span },
): Span {
  const span = id?.value.span;
  return span !== undefined && span.start >= node.span.start && span.end <= node.span.end ? span : start;
}
