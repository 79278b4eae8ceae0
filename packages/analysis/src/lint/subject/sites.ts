import type { Place, PolicyDocument, WrittenMember, WrittenRule } from '@ambit/policy';
import {
  collectProblems,
  comparePlaces,
  type Entry,
  type Node,
  parseYaml,
  type Source,
  type Span,
} from '@ambit/policy/internal';

export interface RuleSite {
  readonly rule: WrittenRule;
  /** The name; a whole combination. */
  readonly name: Span;
  readonly decision: Span;
  readonly entry: (key: string) => Entry | undefined;
}

/** The places in a policy file. */
export interface Sites {
  readonly default: Span;
  /** At the indices of the document's rules. */
  readonly rules: readonly RuleSite[];
  readonly section: (key: string) => Entry | undefined;
}

export function sitesOf(document: PolicyDocument, source: Source, parsed?: Node): Sites {
  const root = parsed ?? parseYaml(source.text, collectProblems());
  const section = (key: string) => entryOf(root, key);
  const found = [
    ...byName(section('capabilities')),
    ...byName(section('tools')),
    ...entriesOf(section('workers')).flatMap(({ value }) => [
      ...byName(entryOf(value, 'capabilities')),
      ...byName(entryOf(value, 'tools')),
    ]),
    ...itemsOf(section('together')).map((node) => ({ node, name: node.span, start: node.span })),
  ].map((site) => ({ ...site, place: source.lines.placeOf(site.start.start) }));
  // The reader's own order: its sections one after the other, then sorted by place.
  const inOrder = found.sort((one, other) => comparePlaces(one.place, other.place));
  if (inOrder.length !== document.rules.length)
    throw new Error('a rule of a policy has no place in its file');
  return {
    default: (section('default') ?? { keySpan: { start: 0, end: 1 } }).keySpan,
    section,
    rules: document.rules.map((rule, index) => siteOf(rule, inOrder[index] as FoundRule)),
  };
}

interface FoundRule {
  readonly node: Node;
  readonly name: Span;
  readonly place: Place;
}

function siteOf(rule: WrittenRule, { node, name, place }: FoundRule): RuleSite {
  if (comparePlaces(rule.place, place) !== 0) throw new Error('a rule of a policy stands elsewhere');
  const entry = (key: string) => entryOf(node, key);
  return { rule, name, entry, decision: entry('decision')?.value.span ?? node.span };
}

function byName(section: Entry | undefined): readonly Omit<FoundRule & { readonly start: Span }, 'place'>[] {
  return entriesOf(section).flatMap(({ keySpan, value }) =>
    value.kind === 'list'
      ? value.items.map((node) => ({ node, name: keySpan, start: node.span }))
      : [{ node: value, name: keySpan, start: keySpan }],
  );
}

/** What has `match` and `except`: the rule itself, or each member of a combination. */
export function matchersIn({ rule, entry }: RuleSite): readonly Matcher[] {
  if (rule.about !== 'combination') return rule.about === 'tool' ? [] : [{ of: rule, entry }];
  const nodes = itemsOf(entry('capabilities'));
  return rule.members.map((of, index) => ({ of, entry: (key) => entryOf(nodes[index] ?? null, key) }));
}

interface Matcher {
  readonly of: WrittenMember;
  readonly entry: RuleSite['entry'];
}

export function entryOf(node: Node | null, key: string): Entry | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;
}

export function entriesOf(entry: Entry | undefined): readonly Entry[] {
  return entry?.value.kind === 'map' ? entry.value.entries : [];
}

export function itemsOf(entry: Entry | undefined): readonly Node[] {
  return entry?.value.kind === 'list' ? entry.value.items : [];
}

/** The patterns for a fact, with the name of the capability that they are about. */
export function patternsOf(site: RuleSite, fact: string) {
  return matchersIn(site).flatMap(({ of: { name }, entry }) =>
    ['match', 'except'].map((key) => {
      const value = entryOf(entry(key)?.value ?? null, fact)?.value;
      const patterns = value === undefined ? [] : value.kind === 'list' ? value.items : [value];
      return { name, key, patterns };
    }),
  );
}
