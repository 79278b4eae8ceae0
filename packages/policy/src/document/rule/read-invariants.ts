import {
  expectKind,
  type Reading,
  readKeys,
  readText,
  readWord,
  reportMissing,
} from '../../grammar/reading.js';
import type { Problem } from '../../text/diagnostic.js';
import { placeText, type Span } from '../../text/place.js';
import type { Entry, Node } from '../../text/tree.js';
import type { WrittenInvariant } from '../document.js';
import { readMembers } from './read-members.js';
import { idSpanOf, readId } from './read-rule.js';
import { invariantKeys } from './rule-keys.js';

export interface ReadInvariant {
  readonly invariant: WrittenInvariant;
  readonly idSpan: Span;
  readonly remarks: readonly Problem[];
}

/** What stands under `invariants:`. */
export function readInvariants(entry: Entry | undefined, reading: Reading): readonly ReadInvariant[] {
  const items = entry === undefined ? [] : (expectKind(entry.value, ['list'], reading)?.items ?? []);
  return items
    .map((item, index) => readInvariant(item, { path: `invariants[${index}]`, reading }))
    .filter((invariant) => invariant !== undefined);
}

function readInvariant(
  node: Node,
  { path, reading }: { readonly path: string; readonly reading: Reading },
): ReadInvariant | undefined {
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return undefined;
  const entries = readKeys(map, invariantKeys, reading);
  const listed = readMembers(entries.capabilities, map, reading);
  if (entries.never === undefined) reportMissing('never', map, { reading, help: '`never: pre_approved`' });
  const never =
    entries.never &&
    readWord(entries.never.value, ['pre_approved'], {
      reading,
      code: 'UNKNOWN_VALUE',
      what: 'what an invariant can rule out',
    });
  const place = reading.source.lines.placeOf(map.span.start);
  const rest = {
    id: readId(entries.id, reading) ?? path,
    place,
    at: `${reading.source.name}:${placeText(place)}`,
    reason: readText(entries.reason, reading) ?? null,
    owner: readText(entries.owner, reading) ?? null,
    note: readText(entries.note, reading) ?? null,
  };
  if (listed === undefined || never === undefined) return undefined;
  return {
    invariant: { ...rest, members: listed.members, never },
    idSpan: idSpanOf(entries.id, { node: map, start: map.span }),
    remarks: listed.remarks,
  };
}
