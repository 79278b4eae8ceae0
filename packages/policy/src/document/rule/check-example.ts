import { canonical, isUndecided, nonCanonicalFacts } from '@ambit/core';
import type { Reading } from '../../grammar/reading.js';
import { escapeText } from '../../text/escape.js';
import { type RuleParts, ruleCondition } from '../rule-condition.js';
import type { ReadExample } from './read-examples.js';

/** Reports an example that the rule's own condition does not bear out. Time plays no part in it. */
export function checkExample(
  { example, span }: ReadExample,
  parts: RuleParts,
  { name, reading }: { name: string | null; reading: Reading },
): void {
  const { facts, args, context } = example;
  const capability = { ...facts, name: name ?? 'tool.call' };
  const bad = nonCanonicalFacts(capability);
  // An example says nothing about who calls what, so a condition that reads that is undecided here.
  const view = { ...(name === null ? {} : { capability: canonical(capability) }), args, context, now: 0 };
  const truth = ruleCondition({ ...parts, until: null })(view as never);
  if (isUndecided(truth)) {
    const help =
      bad.length > 0
        ? `not in canonical form, so it counts as missing: ${bad.map((fact) => `\`${fact}\``).join(', ')}`
        : 'say in the example what the condition reads';
    reading.problems.add('EXAMPLE_UNDECIDED', span, {
      message: `this example is undecided: ${escapeText(truth.undecided)}`,
      help,
    });
  } else if (truth !== example.matches) {
    const message = example.matches
      ? 'the rule does not apply to this example'
      : 'the rule applies to this example';
    const help = example.matches ? 'it stands under `match`' : 'it stands under `not_match`';
    reading.problems.add('EXAMPLE_FAILS', span, { message, help });
  }
}
