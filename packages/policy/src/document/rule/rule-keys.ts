import { decisions, type Restricting } from '@ambit/core';
import { capabilityRoots, toolRoots } from '../../condition/expression.js';
import { readCondition } from '../../condition/read-expression.js';
import { type Grammar, map } from '../../grammar/grammar.js';
import { instant } from '../../grammar/instant.js';
import type { Reading } from '../../grammar/reading.js';
import { boolean, text, that, word } from '../../grammar/values.js';
import { quote } from '../../text/escape.js';
import { toJson } from '../../text/tree.js';
import type { WrittenCondition } from '../document.js';
import { capabilityExamples, toolExamples } from './examples.js';
import { match } from './match.js';
import { members } from './members.js';

export interface RuleReading extends Reading {
  /** Null if the condition sees only the call. */
  readonly capability: string | null;
}

export const decision = word(decisions, 'a decision', 'UNKNOWN_DECISION');
export const answer = word(['person', 'any'], 'a value of `answer`');
export const undecided = word(['needs_approval', 'blocked'], 'a value of `undecided`');

const id = that(
  text,
  (value) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{P}\p{S}]{0,99}$/u.test(value) && !value.includes('`'),
  {
    code: 'BAD_ID',
    message: (value) => `${quote(value)} is not an id`,
    help: 'up to 100 characters without blanks, the first a letter or a digit',
    schema: { ...text.schema, maxLength: 100 },
  },
);

const condition: Grammar<WrittenCondition, RuleReading> = {
  schema: { anyOf: [boolean.schema, { type: 'object' }] },
  read: (node, reading) => {
    const roots = reading.capability === null ? toolRoots : capabilityRoots;
    const expression = readCondition(node, { reading, roots });
    return expression === undefined ? undefined : { expression, json: toJson(node) };
  },
};

const restriction = that(decision, (value) => value !== 'pre_approved', {
  code: 'PERMISSIVE_COMBINATION',
  message: () => 'a combination restricts, and never pre-approves',
  help: 'needs_approval or blocked; permissions belong under `capabilities:`',
  schema: { enum: ['needs_approval', 'blocked'] },
}) as Grammar<Restricting>;

const ofDecision = { about: 'what happens to a call', missing: 'pre_approved, needs_approval or blocked' };
const ofId = { is: id, about: 'unique in its file' };
const when = { is: condition, about: 'JSON Logic, strict dialect' };
const words = {
  reason: { is: text, about: 'shown to people and to the model' },
  instead: { is: text, about: 'what the model may do instead' },
  owner: { is: text },
  note: { is: text },
};
const until = { is: instant, about: 'permissions only: no longer applies from then on' };
const answers = {
  answer: { is: answer },
  undecided: {
    is: undecided,
    about: 'blocks only: `needs_approval` asks a person where the rule is undecided',
  },
};
const inherit = {
  is: boolean,
  about: 'whether a restriction for a worker holds for those who act for it',
};
const observation = {
  observe: { is: boolean, about: 'only records what the rule would have said' },
  observed_since: { is: instant, about: 'goes with `observe: true`' },
};

function misplaced(message: string, help: string) {
  return { refused: { code: 'MISPLACED_KEY', message, help } } as const;
}

/** The keys of a rule about a capability or a tool. */
const ofNamed = { ...words, until, ...answers, inherit, ...observation };

export const capabilityRule = map({
  decision: { is: decision, ...ofDecision },
  id: ofId,
  match: { is: match },
  except: { is: match },
  when,
  below: { is: boolean, about: 'permissions only: also covers the names under its own' },
  ...ofNamed,
  examples: { is: capabilityExamples },
});

const matchesFacts = 'a rule about a tool has `when` alone; facts are matched under `capabilities:`';

export const toolRule = map({
  decision: { is: decision, ...ofDecision },
  id: ofId,
  match: misplaced('`match` has no meaning under `tools:`', matchesFacts),
  except: misplaced('`except` has no meaning under `tools:`', matchesFacts),
  when,
  below: misplaced('`below` has no meaning under `tools:`', '`toolset.*` names all tools of a toolset'),
  ...ofNamed,
  examples: { is: toolExamples },
});

const ofMembers = '`capabilities: [secret.read, net.connect]`';
const perCapability = '`capabilities: [secret.read, { name: net.connect, except: { host: a.example } }]`';

export const combination = map({
  decision: { is: restriction, about: ofDecision.about, missing: 'needs_approval or blocked' },
  id: ofId,
  capabilities: { is: members, about: 'restricted where all of them are present', missing: ofMembers },
  within: {
    is: word(['call', 'run'], 'a value of `within`'),
    about: 'whether one call or one run must have them all (default: call)',
  },
  when,
  ...words,
  ...answers,
  ...observation,
  match: misplaced('`match` is for one of the capabilities that a combination lists', perCapability),
  except: misplaced('`except` is for one of the capabilities that a combination lists', perCapability),
  below: misplaced('`below` is for permissions', 'a combination always covers the names under its entries'),
  inherit: misplaced('`inherit` is for the rules of a worker', 'a combination holds for every worker'),
  until: misplaced(
    '`until` is for permissions',
    'a restriction with an end would loosen the policy; remove the rule at that time',
  ),
  examples: {
    refused: {
      code: 'NOT_YET',
      message: '`examples` of a combination are not supported yet',
      help: null,
    },
  },
});

export const invariant = map({
  id: ofId,
  capabilities: { is: members, about: 'a call that carries all of these, whatever else', missing: ofMembers },
  never: {
    is: word(['pre_approved'], 'a value of `never`'),
    about: 'is never decided so',
    missing: '`never: pre_approved`',
  },
  reason: words.reason,
  owner: words.owner,
  note: words.note,
});
