import { stated } from '@ambit/core';
import { answer, decision } from '../../document/rule/rule-keys.js';
import { type Grammar, map } from '../../grammar/grammar.js';
import { expectKindOrEmpty, type Reporting } from '../../grammar/reading.js';
import { boolean, oneOrList, text, textAs } from '../../grammar/values.js';
import type { Span } from '../../text/place.js';
import type { Expectation } from '../suite.js';

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

const ruleId = textAs(({ value, span }) => ({ id: value, span }), { minLength: 1 });

const keys = {
  decision: { is: decision, about: 'the expected decision' },
  rules: { is: oneOrList(ruleId), about: 'ids of rules: each must be among those that decide' },
  default: { is: boolean, about: 'whether the default of a policy is among what decides' },
  answer: { is: answer, about: 'who may answer the question' },
  reason: { is: text },
  instead: { is: text },
};
const expectationMap = map(keys);

export const expectation: Grammar<ReadExpectation> = {
  schema: { anyOf: [decision.schema, expectationMap.schema] },
  read: (node, at) => {
    const found = expectKindOrEmpty(node, ['text', 'map'], at);
    if (found === undefined) return undefined;
    if (found.kind === 'text') {
      const said = decision.read(found, at);
      return said && { expectation: { ...anything, decision: said }, rules: [] };
    }
    if (found.entries.length === 0) {
      if (!found.isDamaged) reportNothing(found.span, at);
      return undefined;
    }
    const read = expectationMap.read(found, at);
    if (read === undefined) return undefined;
    const { rules, ...values } = read.values;
    const { decision: said, answer: by } = values;
    if (
      read.entries.answer !== undefined &&
      by !== undefined &&
      said !== undefined &&
      said !== 'needs_approval'
    )
      at.problems.add('IMPOSSIBLE_EXPECTATION', read.entries.answer.keySpan, {
        message: `a call that is ${said} asks no question, so it has no answer`,
        help: 'use `answer` with `decision: needs_approval`',
      });
    return {
      expectation: { ...anything, ...stated(values), rules: rules?.map(({ id }) => id) ?? null },
      rules: rules ?? [],
    };
  },
};

function reportNothing(span: Span, { problems }: Reporting): void {
  problems.add('NOTHING_EXPECTED', span, {
    message: 'this case expects nothing',
    help: `\`expect: blocked\`, or some of ${Object.keys(keys).join(', ')}`,
  });
}
