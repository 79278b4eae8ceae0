import { isNonEmpty } from '@ambit/core';
import type { Grammar } from '../../grammar/grammar.js';
import { expectKind, isNothing, type Reporting, reportMissing } from '../../grammar/reading.js';
import { object } from '../../grammar/values.js';
import { quote } from '../../text/escape.js';
import { helpFor } from '../../text/suggest.js';
import type { Entry, ListNode, MapNode, Node } from '../../text/tree.js';
import { isPlaceholderName, type Row } from './fill.js';

export const mostCases = 10_000;

/** The values of `for`: the rows of a list, or every combination of lists by placeholder. */
export const rows: Grammar<readonly Row[]> = {
  schema: {
    anyOf: [
      {
        type: 'array',
        minItems: 1,
        items: object.schema,
        description: 'a case for each row: the values of the placeholders',
      },
      {
        type: 'object',
        additionalProperties: { type: 'array', minItems: 1 },
        description: 'lists of values: a case for every combination',
      },
    ],
  },
  read: (node, at) => {
    const found = expectKind(node, ['map', 'list'], at);
    if (found === undefined) return undefined;
    return found.kind === 'list' ? listedRows(found, at) : combinedRows(found, at);
  },
};

function listedRows(list: ListNode, reporting: Reporting): readonly Row[] | undefined {
  const maps = list.items.map((item) => expectKind(item, ['map'], reporting));
  const present = maps.filter((map) => map !== undefined);
  const names = new Set(present.flatMap(({ entries }) => entries.map(({ key }) => key)));
  // Every key is checked in every row, so that all mistakes are reported together.
  const rows = present.map((map) => listedRow(map, [...names], reporting));
  const usable = rows.filter((row) => row !== undefined);
  return usable.length === list.items.length ? usable : undefined;
}

function listedRow(map: MapNode, names: readonly string[], reporting: Reporting): Row | undefined {
  const values = map.entries.map((entry) => checkedValue(entry, entry.value, reporting));
  const keys = new Set(map.entries.map(({ key }) => key));
  const missing = names.filter((name) => !keys.has(name));
  for (const name of missing)
    reportMissing(name, map, {
      reading: reporting,
      help: `each row has the same keys: ${names.map((each) => quote(each)).join(', ')}`,
    });
  if (missing.length > 0 || map.isDamaged || values.includes(false)) return undefined;
  return new Map(map.entries.map(({ key, value }) => [key, value]));
}

function combinedRows(map: MapNode, reporting: Reporting): readonly Row[] | undefined {
  const lists = map.entries.map((entry) => {
    const list = expectKind(entry.value, ['list'], reporting);
    if (list === undefined) return null;
    const usable = list.items.map((item) => checkedValue(entry, item, reporting));
    return usable.includes(false) ? null : { key: entry.key, items: list.items };
  });
  const usable = lists.filter((list) => list !== null);
  if (usable.length !== lists.length || map.isDamaged || !isNonEmpty(usable)) return undefined;
  const count = usable.reduce((product, { items }) => product * items.length, 1);
  if (count > mostCases) {
    const message = `these lists have ${count} combinations; at most ${mostCases} cases are allowed`;
    return reporting.problems.add('TOO_MANY_CASES', map.lack, { message });
  }
  return usable.reduce<readonly Row[]>(
    (rows, { key, items }) => rows.flatMap((row) => items.map((item) => new Map([...row, [key, item]]))),
    [new Map<string, Node>()],
  );
}

function checkedValue({ key, keySpan }: Entry, value: Node, reporting: Reporting): boolean {
  if (value.kind === 'broken') return false;
  if (!isPlaceholderName(key)) {
    reporting.problems.add('BAD_PLACEHOLDER', keySpan, {
      message: `${quote(key)} cannot be the name of a placeholder`,
      help: helpFor(key, ['letters, digits and `_`, a letter first']),
    });
    return false;
  }
  if (isNothing(value)) {
    expectKind(value, ['text'], reporting);
    return false;
  }
  return true;
}
