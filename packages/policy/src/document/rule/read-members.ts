import { isNonEmpty, type NonEmpty } from '@ambit/core';
import { checkCapabilityName, nameRemarks } from '../../grammar/names.js';
import { expectKind, type Reading, readKeys, readText, reportMissing } from '../../grammar/reading.js';
import type { Problem } from '../../text/diagnostic.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { WrittenMember } from '../document.js';
import { readMatch } from './read-match.js';

/** What a combination or an invariant lists, and what looks wrong with it. */
export interface ReadMembers {
  readonly members: NonEmpty<WrittenMember>;
  readonly remarks: readonly Problem[];
}

/** The value of `capabilities:` there: names, or maps of `name`, `match` and `except`. Undefined where something was reported. */
export function readMembers(
  entry: Entry | undefined,
  map: MapNode,
  reading: Reading,
): ReadMembers | undefined {
  if (entry === undefined) {
    reportMissing('capabilities', map, { reading, help: '`capabilities: [secret.read, net.connect]`' });
    return undefined;
  }
  const items = expectKind(entry.value, ['list'], reading)?.items ?? [];
  const read = items.map((item) => ({ item, member: readMember(item, reading) }));
  const members = read.map(({ member }) => member).filter((member) => member !== undefined);
  if (!isNonEmpty(members) || members.length !== items.length) return undefined;
  const remarks = read.flatMap(({ item, member }) =>
    member === undefined ? [] : nameRemarks(member.name, nameSpanOf(item)),
  );
  return { members, remarks: [...remarks, ...repetitions(items)] };
}

function readMember(node: Node, reading: Reading): WrittenMember | undefined {
  const item = expectKind(node, ['text', 'map'], reading);
  if (item === undefined) return undefined;
  const place = reading.source.lines.placeOf(item.span.start);
  if (item.kind === 'text') {
    const isName = checkCapabilityName(item.value, item.span, reading.problems);
    return isName ? { name: item.value, match: null, except: null, place } : undefined;
  }
  const { name: nameEntry, match, except } = readKeys(item, ['name', 'match', 'except'], reading);
  if (nameEntry === undefined) reportMissing('name', item, { reading, help: 'the name of the capability' });
  const name = readText(nameEntry, reading);
  const isName = name !== undefined && checkCapabilityName(name, nameSpanOf(item), reading.problems);
  // Patterns are read even where the name is not known, so that all mistakes show at once.
  const read = [match, except].map((entry) =>
    entry === undefined ? null : readMatch(entry, isName ? name : '', reading),
  );
  const [matched = null, excepted = null] = read;
  return isName && !read.includes(undefined) ? { name, match: matched, except: excepted, place } : undefined;
}

function nameSpanOf(node: Node) {
  const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name') : undefined;
  return name?.value.span ?? node.span;
}

/** One capability satisfies both of two equal members, so the second asks for nothing more. */
function repetitions(items: readonly Node[]): readonly Problem[] {
  const texts = items.map((item) =>
    JSON.stringify(item.kind === 'text' ? { name: item.value } : toJson(item)),
  );
  const seen = new Set<string>();
  return items
    .filter((_, index) => {
      const text = texts[index] as string;
      return seen.has(text) || !seen.add(text);
    })
    .map((item) => ({
      code: 'REPEATED_MEMBER',
      span: item.span,
      message: 'this is listed already, and one capability is enough for both',
      help: 'list it once',
    }));
}
