import type { Grammar } from '../../grammar/grammar.js';
import { expectKind, type Reading } from '../../grammar/reading.js';
import type { Node } from '../../text/tree.js';
import type { WrittenCombination, WrittenInvariant } from '../document.js';
import { idSpanOf, type ReadRule, refuseMisplaced, ruleBase } from './read-rule.js';
import { combination, invariant } from './rule-keys.js';

export const together: Grammar<readonly ReadRule<WrittenCombination>[], Reading> = {
  schema: { type: 'array', minItems: 1, items: combination.schema },
  read: (node, at) => readItems(node, at, (item, index) => readCombination(item, `together[${index}]`, at)),
};

export const invariants: Grammar<readonly ReadRule<WrittenInvariant>[], Reading> = {
  schema: { type: 'array', minItems: 1, items: invariant.schema },
  read: (node, at) => readItems(node, at, (item, index) => readInvariant(item, `invariants[${index}]`, at)),
};

function readItems<T>(node: Node, at: Reading, read: (item: Node, index: number) => T | undefined) {
  return expectKind(node, ['list'], at)
    ?.items.map(read)
    .filter((each) => each !== undefined);
}

function readCombination(
  node: Node,
  path: string,
  reading: Reading,
): ReadRule<WrittenCombination> | undefined {
  const read = combination.read(node, { ...reading, capability: null });
  if (read === undefined) return undefined;
  const { values, entries, map } = read;
  const { decision, capabilities } = values;
  refuseMisplaced(entries, [decision, 'combination'], reading);
  if (decision === undefined || capabilities === undefined) return undefined;
  const rule: WrittenCombination = {
    about: 'combination',
    worker: null,
    ...ruleBase(values, { path, start: map.span, reading }),
    decision,
    members: capabilities.members,
    within: values.within ?? 'call',
    answer: values.answer ?? 'person',
    inherit: true,
    when: values.when ?? null,
    examples: [],
  };
  return {
    rule,
    idSpan: idSpanOf(entries.id, { node: map, start: map.span }),
    remarks: capabilities.remarks,
  };
}

function readInvariant(node: Node, path: string, reading: Reading): ReadRule<WrittenInvariant> | undefined {
  const read = invariant.read(node, reading);
  if (read === undefined) return undefined;
  const { values, entries, map } = read;
  const { capabilities, never } = values;
  if (capabilities === undefined || never === undefined) return undefined;
  const { id, place, at, reason, owner, note } = ruleBase(values, { path, start: map.span, reading });
  return {
    rule: { id, place, at, members: capabilities.members, never, reason, owner, note },
    idSpan: idSpanOf(entries.id, { node: map, start: map.span }),
    remarks: capabilities.remarks,
  };
}
