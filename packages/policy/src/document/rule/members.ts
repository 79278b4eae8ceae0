import { isCapabilityName, isNonEmpty, type NonEmpty } from '@ambit/core';
import { type Grammar, map } from '../../grammar/grammar.js';
import { capabilityName, nameRemarks, nonEmptyName } from '../../grammar/names.js';
import { expectKind, type Reading } from '../../grammar/reading.js';
import type { Problem } from '../../text/diagnostic.js';
import type { Span } from '../../text/place.js';
import { type MapNode, type Node, toJson } from '../../text/tree.js';
import type { WrittenMember } from '../document.js';
import { match } from './match.js';

export interface ReadMembers {
  readonly members: NonEmpty<WrittenMember>;
  readonly remarks: readonly Problem[];
}

const memberMap = map({
  name: { is: nonEmptyName, missing: 'the name of the capability' },
  match: { is: match },
  except: { is: match },
});

/** Names, or maps of `name`, `match` and `except`. */
export const members: Grammar<ReadMembers, Reading> = {
  schema: { type: 'array', minItems: 1, items: { anyOf: [capabilityName.schema, memberMap.schema] } },
  read: (node, reading) => {
    const items = expectKind(node, ['list'], reading)?.items ?? [];
    const read = items.flatMap((item) => readMember(item, reading) ?? []);
    if (!isNonEmpty(read) || read.length !== items.length) return undefined;
    const remarks = items.flatMap((item, index) =>
      nameRemarks((read[index] as WrittenMember).name, nameSpanOf(item)),
    );
    return { members: read, remarks: [...remarks, ...repetitions(items)] };
  },
};

function readMember(node: Node, reading: Reading): WrittenMember | undefined {
  const item = expectKind(node, ['text', 'map'], reading);
  if (item === undefined) return undefined;
  const place = reading.source.lines.placeOf(item.span.start);
  if (item.kind === 'text') {
    const name = capabilityName.read(item, reading);
    return name === undefined ? undefined : { name, match: null, except: null, place };
  }
  const name = nameIn(item);
  // Patterns are read even if the name is wrong, so that all mistakes are reported together.
  const read = memberMap.read(item, { ...reading, capability: name });
  if (read === undefined || name === null) return undefined;
  const { entries, values } = read;
  const isWhole = (['match', 'except'] as const).every((key) => !entries[key] || values[key]);
  return isWhole ? { name, match: values.match ?? null, except: values.except ?? null, place } : undefined;
}

/** The name of a member if it is valid, or null. */
function nameIn({ entries }: MapNode): string | null {
  const name = entries.find(({ key }) => key === 'name')?.value;
  return name?.kind === 'text' && isCapabilityName(name.value) ? name.value : null;
}

function nameSpanOf(node: Node): Span {
  const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name') : undefined;
  return name?.value.span ?? node.span;
}

/** One capability satisfies both of two equal members, so the second requires nothing more. */
function repetitions(items: readonly Node[]): readonly Problem[] {
  const seen = new Set<string>();
  return items
    .filter((item) => {
      const text = JSON.stringify(item.kind === 'text' ? { name: item.value } : toJson(item));
      return seen.has(text) || !seen.add(text);
    })
    .map((item) => ({
      code: 'REPEATED_MEMBER',
      span: item.span,
      message: 'duplicate entry: one capability satisfies both',
      help: 'list it once',
    }));
}
