import type { JsonObject } from '@ambit/core';
import { putInFolder } from '../../condition/path-pattern.js';
import { globKindOf } from '../../condition/read-pattern.js';
import { expectKind, type Reading, readKeys } from '../../grammar/reading.js';
import type { Span } from '../../text/place.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { WrittenExample } from '../document.js';
import { checkFactName } from './read-match.js';

export interface ReadExample {
  readonly example: WrittenExample;
  readonly span: Span;
}

/** What examples are about: a capability's name, or null under `tools:`, where there are no facts. */
export type ExampleSubject = string | null;

export function readExamples(
  entry: Entry,
  subject: ExampleSubject,
  reading: Reading,
): readonly ReadExample[] | undefined {
  const map = expectKind(entry.value, ['map'], reading);
  if (map === undefined) return undefined;
  const { match, not_match } = readKeys(map, ['match', 'not_match'], reading);
  return [
    ...readList(match, { matches: true, subject, reading }),
    ...readList(not_match, { matches: false, subject, reading }),
  ];
}

interface ExampleContext {
  readonly matches: boolean;
  readonly subject: ExampleSubject;
  readonly reading: Reading;
}

function readList(entry: Entry | undefined, context: ExampleContext): readonly ReadExample[] {
  if (entry === undefined) return [];
  const items = expectKind(entry.value, ['list'], context.reading)?.items ?? [];
  return items.map((item) => readExample(item, context)).filter((example) => example !== undefined);
}

function readExample(node: Node, { matches, subject, reading }: ExampleContext): ReadExample | undefined {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const place = reading.source.lines.placeOf(map.span.start);
  if (!isWholeCall(map, subject))
    return {
      example: { matches, facts: readFacts(map, subject, reading), args: {}, context: {}, place },
      span: map.span,
    };
  const known: readonly ('facts' | 'args' | 'context')[] =
    subject === null ? ['args', 'context'] : ['facts', 'args', 'context'];
  const { facts, args, context } = readKeys(map, known, reading);
  const factsMap = facts === undefined ? undefined : asMap(facts.value, reading);
  const example = {
    matches,
    facts: factsMap === undefined ? {} : readFacts(factsMap, subject, reading),
    args: readObject(args, reading),
    context: readObject(context, reading),
    place,
  };
  return { example, span: map.span };
}

/** `{facts, args, context}`; anything else is facts. */
function isWholeCall(map: MapNode, subject: ExampleSubject): boolean {
  if (subject === null || map.entries.some(({ key }) => key === 'facts')) return true;
  return map.entries.every(({ key, value }) => (key === 'args' || key === 'context') && value.kind === 'map');
}

function readFacts(map: MapNode, subject: ExampleSubject, reading: Reading): JsonObject {
  return Object.fromEntries(
    map.entries
      .filter((entry) => checkFactName(entry, subject ?? '', reading))
      .map(({ key, value }) => [
        key,
        globKindOf(key) === 'path' && value.kind === 'text'
          ? putInFolder(value.value, reading.folders)
          : toJson(value),
      ]),
  );
}

function readObject(entry: Entry | undefined, reading: Reading): JsonObject {
  const map = entry === undefined ? undefined : asMap(entry.value, reading);
  return map === undefined ? {} : (toJson(map) as JsonObject);
}

/** A map that may be empty. */
function asMap(node: Node, reading: Reading): MapNode | undefined {
  if (node.kind === 'map') return node;
  return expectKind(node, ['map'], reading);
}
