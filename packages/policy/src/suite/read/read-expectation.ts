import { readAnswer, readDecision } from '../../document/rule/read-rule.js';
import {
  expectKind,
  expectKindOrEmpty,
  type Reading,
  readBoolean,
  readKeys,
  readText,
} from '../../grammar/reading.js';
import type { Span } from '../../text/place.js';
import type { Entry, Node } from '../../text/tree.js';
import type { Expectation } from '../suite.js';

/** An expectation, and where it names rules. */
export interface ReadExpectation {
  readonly expectation: Expectation;
  readonly rules: readonly { readonly id: string; readonly span: Span }[];
}

const anything: Expectation = {
  decision: null,
  rules: null,
  default: null,
  answer: null,
  reason: null,
  instead: null,
};

const keys = ['decision', 'rules', 'default', 'answer', 'reason', 'instead'] as const;

/** A decision, or a map of what is expected. */
export function readExpectation(node: Node, reading: Reading): ReadExpectation | undefined {
  if (node.kind === 'text') {
    const decision = readDecision(node, reading);
    return decision && { expectation: { ...anything, decision }, rules: [] };
  }
  const map = expectKindOrEmpty(node, ['text', 'map'], reading);
  if (map === undefined || map.kind !== 'map') return undefined;
  if (map.entries.length === 0) {
    if (!map.isDamaged)
      reading.problems.add('NOTHING_EXPECTED', map.span, {
        message: 'this case expects nothing',
        help: `\`expect: blocked\`, or some of ${keys.join(', ')}`,
      });
    return undefined;
  }
  const entries = readKeys(map, keys, reading);
  const rules = readRules(entries.rules, reading);
  const decision = entries.decision && readDecision(entries.decision.value, reading);
  const answer = readAnswer(entries.answer, reading);
  if (
    entries.answer !== undefined &&
    answer !== undefined &&
    decision !== undefined &&
    decision !== 'needs_approval'
  )
    reading.problems.add('IMPOSSIBLE_EXPECTATION', entries.answer.keySpan, {
      message: `a call that is ${decision} has no question that anybody answers`,
      help: '`answer` goes with `decision: needs_approval`',
    });
  return {
    expectation: {
      decision: decision ?? null,
      rules: rules === undefined ? null : rules.map(({ id }) => id),
      default: readBoolean(entries.default, reading) ?? null,
      answer: answer ?? null,
      reason: readText(entries.reason, reading) ?? null,
      instead: readText(entries.instead, reading) ?? null,
    },
    rules: rules ?? [],
  };
}

function readRules(entry: Entry | undefined, reading: Reading): ReadExpectation['rules'] | undefined {
  const node = entry === undefined ? undefined : expectKind(entry.value, ['list', 'text'], reading);
  if (node === undefined) return undefined;
  return (node.kind === 'text' ? [node] : node.items).flatMap((item) => {
    const id = expectKind(item, ['text'], reading);
    return id === undefined ? [] : [{ id: id.value, span: id.span }];
  });
}
