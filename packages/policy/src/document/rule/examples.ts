import { canonical, isUndecided, type JsonObject, nonCanonicalFacts } from '@ambit/core';
import { factIn } from '../../condition/read-pattern.js';
import { type Grammar, map } from '../../grammar/grammar.js';
import { expectKindOrEmpty, type Reading } from '../../grammar/reading.js';
import { list, object } from '../../grammar/values.js';
import { escapeText } from '../../text/escape.js';
import type { Span } from '../../text/place.js';
import type { MapNode, Node } from '../../text/tree.js';
import type { WrittenExample } from '../document.js';
import { type RuleParts, ruleCondition } from '../rule-condition.js';
import { checkFactName } from './match.js';

export interface ReadExample {
  readonly example: WrittenExample;
  readonly span: Span;
}

type Call = Omit<WrittenExample, 'matches'>;
/** `capability` is the subject of the examples; null under `tools:`, where there are no facts. */
type ExampleReading = Reading & { readonly capability: string | null };
type ReadCall = (
  map: MapNode,
  at: ExampleReading,
) => { readonly [Key in keyof Omit<Call, 'place'>]?: JsonObject | undefined } | undefined;

const facts: Grammar<JsonObject, ExampleReading> = {
  schema: object.schema,
  read: (node, at) => {
    const found = expectKindOrEmpty(node, ['map'], at);
    return found === undefined ? undefined : factsIn(found, at);
  },
};
const toolCall = map({ args: { is: object }, context: { is: object } }, { mayBeEmpty: true });
const wholeCall = map(
  { facts: { is: facts }, args: { is: object }, context: { is: object } },
  { mayBeEmpty: true },
);

/** `{facts, args, context}`, or facts alone. */
export const capabilityExamples = examplesOf(object.schema, (found, at) =>
  isWholeCall(found) ? wholeCall.read(found, at)?.values : { facts: factsIn(found, at) },
);

export const toolExamples = examplesOf(toolCall.schema, (found, at) => toolCall.read(found, at)?.values);

function examplesOf(schema: JsonObject, readCall: ReadCall): Grammar<readonly ReadExample[], ExampleReading> {
  const read = (node: Node, at: ExampleReading) => {
    const found = expectKindOrEmpty(node, ['map'], at);
    if (found === undefined) return undefined;
    const call = readCall(found, at);
    const place = at.source.lines.placeOf(found.span.start);
    const { facts = {}, args = {}, context = {} } = call ?? {};
    return { example: { facts, args, context, place }, span: found.span };
  };
  const calls = list<{ readonly example: Call; readonly span: Span }, ExampleReading>({ schema, read });
  const both = map({ match: { is: calls }, not_match: { is: calls } });
  return {
    schema: both.schema,
    read: (node, at) => {
      const values = both.read(node, at)?.values;
      const marked = (matches: boolean, key: 'match' | 'not_match') =>
        (values?.[key] ?? []).map(({ example, span }) => ({ example: { matches, ...example }, span }));
      return values && [...marked(true, 'match'), ...marked(false, 'not_match')];
    },
  };
}

function isWholeCall({ entries }: MapNode): boolean {
  if (entries.some(({ key }) => key === 'facts')) return true;
  return entries.every(({ key, value }) => (key === 'args' || key === 'context') && value.kind === 'map');
}

function factsIn({ entries }: MapNode, at: ExampleReading): JsonObject {
  return Object.fromEntries(
    entries
      .filter((entry) => checkFactName(entry, at.capability ?? '', at))
      .map((entry) => [entry.key, factIn(entry, at.folders)]),
  );
}

/** Reports an example that the condition of its own rule contradicts. The time is ignored. */
export function checkExample({ example, span }: ReadExample, parts: RuleParts, at: ExampleReading): void {
  const { facts, args, context } = example;
  const capability = { ...facts, name: at.capability ?? 'tool.call' };
  const bad = nonCanonicalFacts(capability);
  // An example has no caller, so a condition that reads one is undecided here.
  const seen = at.capability === null ? {} : { capability: canonical(capability) };
  const truth = ruleCondition({ ...parts, until: null })({ ...seen, args, context, now: 0 } as never);
  if (isUndecided(truth)) {
    const help =
      bad.length > 0
        ? `not in canonical form, so it counts as missing: ${bad.map((fact) => `\`${fact}\``).join(', ')}`
        : 'add to the example the values that the condition reads';
    at.problems.add('EXAMPLE_UNDECIDED', span, {
      message: `this example is undecided: ${escapeText(truth.undecided)}`,
      help,
    });
  } else if (truth !== example.matches) {
    const [does, other] = example.matches ? ['does not apply', 'not_match'] : ['applies', 'match'];
    at.problems.add('EXAMPLE_FAILS', span, {
      message: `the rule ${does} to this example`,
      help: `move it to \`${other}\`, or change the rule`,
    });
  }
}
