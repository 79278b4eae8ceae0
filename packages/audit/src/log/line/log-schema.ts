import { decisions, guardedChanges, type JsonObject } from '@ambit/core';
import { eventNames } from './line.js';

/** Masked values are text, so facts and arguments have any type. */
export function logSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of a decision log',
    type: 'object',
    required: ['prev', 'v', 'seq', 'time', 'run', 'event'],
    properties: {
      v: { enum: [1, 2] },
      seq: { type: 'integer', minimum: 0, description: 'from 0 in each file' },
      time: { type: 'string', format: 'date-time', description: 'UTC, milliseconds' },
      run: text,
      event: { enum: [...eventNames] },
      prev: {
        ...digest,
        description:
          'SHA-256 of the line before without its line feed, in version 1 its `hash`; 64 zeros at first',
      },
      hash: {
        ...digest,
        description: 'version 1 alone: SHA-256 of the RFC 8785 form of the line without `hash`',
      },
    },
    oneOf: events,
  };
}

const text = { type: 'string' };
const maybeText = { type: ['string', 'null'] };
const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const count = { type: 'integer', minimum: 0 };
const digests = { type: 'object', additionalProperties: text };
const decision = { enum: [...decisions] };
const reference = { id: text, at: text, decision };

const judgement = record({
  capability: count,
  'member?': {
    ...record({ path: maybeText, count, of: count }),
    description: 'of a file set: which member decided, how many have as strict a judgement, and of how many',
  },
  policy: text,
  decision,
  default: { type: 'boolean' },
  rules: listOf(record(reference)),
  undecided: listOf(record({ ...reference, 'rule_decision?': { const: 'blocked' }, why: text })),
  'observed?': listOf(record(reference)),
  answer: { enum: ['any', 'person', null] },
  answered_by: { type: ['object', 'null'] },
});

const judged = {
  capabilities: listOf({
    type: 'object',
    required: ['name'],
    properties: {
      name: text,
      path: {
        description:
          'a file; up to 32 files, as `paths`; or a larger set as `folder`, `count` and `digest`, with its members in `manifests/DIGEST.json.gz` beside the log',
      },
    },
  }),
  judgements: listOf(judgement),
  reason: maybeText,
  instead: maybeText,
};

const decisionMembers = {
  call: text,
  'parent?': { ...text, description: 'the call whose tool made this one while it executed' },
  chain: { ...listOf(text), minItems: 1 },
  tool: text,
  args: {},
  args_digest: { ...digest, description: 'HMAC-SHA-256 of the RFC 8785 form of the unmasked arguments' },
  context: { type: 'object' },
  'history?': {
    ...listOf(text),
    description:
      'names of the capabilities that the run was permitted before; absent if earlier entries show them',
  },
  'added?': { ...listOf(text), description: 'names that this decision adds to the history' },
  grants: listOf({ type: 'object' }),
  decision: { enum: [...decisions, null] },
  'code?': text,
  'why?': text,
  ...renamed(judged, (member) => `${member}?`),
  'origins?': {
    ...listOf(record({ by: { enum: ['tool', 'map', 'carries'] }, 'at?': text })),
    description: 'who says that the call carries each of the capabilities, in their order',
  },
  'observed?': {
    anyOf: [record({ decision, ...judged }), { type: 'null' }],
    description: 'what policies that only observe would have said',
  },
  'observed_why?': text,
};

const events = [
  line('run', {
    version: text,
    user: text,
    machine: text,
    mode: text,
    context: { type: 'object' },
    workers: digests,
    toolsets: digests,
    'configuration?': { ...digest, description: 'of `ambit.yaml`, where there is one' },
    'signer?': { ...text, description: 'the key that signs the tree heads beside the log' },
    'resumed?': { type: 'integer', minimum: 1, description: 'how often the run has been continued' },
  }),
  line('policy', {
    files: listOf(record({ name: text, sha256: digest, source: text, 'observed?': { type: 'boolean' } })),
    'root?': { ...text, description: 'what `./` stands for in the files' },
    'home?': { ...text, description: 'what `~/` stands for in the files' },
    'problems?': listOf(text),
  }),
  line('decision', decisionMembers),
  line('approval', {
    call: text,
    how: { enum: ['person', 'client', 'mode', 'grant', 'timeout', 'error', 'nobody'] },
    who: {},
    approved: { type: 'boolean' },
    keep: {
      anyOf: [
        record({
          remember: { enum: ['run', 'always'] },
          reach: text,
          'until?': { type: 'number', description: 'milliseconds since 1970: it counts up to then' },
        }),
        { type: 'null' },
      ],
    },
    edited: { type: 'boolean' },
    note: maybeText,
    'ask_again?': {
      type: 'boolean',
      description: 'the approver who refused wants to be asked when the same call comes back',
    },
    'args?': { description: 'the arguments as the person edited them' },
    question: {
      type: ['object', 'null'],
      description: 'as it was shown; `calls` where it is about several equal ones',
    },
  }),
  line('outcome', {
    call: text,
    outcome: { enum: ['completed', 'refused', 'failed'] },
    'code?': text,
    'reason?': text,
    'came_back?': {
      type: 'integer',
      minimum: 1,
      description: 'how often the call was repeated after a person refused it',
    },
    'error?': text,
  }),
  line('guard_changed', {
    'after?': { ...text, description: 'the call whose execution came before the finding' },
    changes: {
      ...listOf(record({ path: text, what: text, how: { enum: [...guardedChanges] } })),
      minItems: 1,
    },
  }),
  line('end', {
    status: { enum: ['finished', 'stopped', 'failed', 'parked'] },
    why: maybeText,
    totals: { type: 'object' },
  }),
  line('segment', {
    number: { type: 'integer', minimum: 1, description: 'of this file, counted from 1' },
    'next?': { ...text, description: 'in the last line of a file: the name of the one that follows' },
    'before?': {
      ...record({ file: text, seq: count, hash: digest, size: count }),
      description:
        'in the first line of a file: the last line of the one before it, and how many entries all before it have',
    },
  }),
];

function line(event: string, members: JsonObject): JsonObject {
  const { required, properties } = record(members);
  return { required, properties: { event: { const: event }, ...properties } };
}

/** `?` after the name of a member: it may be absent. */
function record(members: JsonObject) {
  const required = Object.keys(members).filter((member) => !member.endsWith('?'));
  return { type: 'object', required, properties: renamed(members, (member) => member.replace(/\?$/, '')) };
}

function renamed(members: JsonObject, name: (member: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([member, schema]) => [name(member), schema]));
}

function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}
