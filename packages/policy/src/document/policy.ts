import { defaultAdmission } from '@ambit/core';
import { fileSchema, map } from '../grammar/grammar.js';
import { type Reading, topMap } from '../grammar/reading.js';
import { either, type NamedFile, version } from '../grammar/values.js';
import { quote } from '../text/escape.js';
import { comparePlaces, placeText } from '../text/place.js';
import { collectProblems, type Problems } from '../text/problems.js';
import type { Node } from '../text/tree.js';
import type { PolicyDocument, UndecidedBlock, WrittenInvariant, WrittenRule } from './document.js';
import { invariants, together } from './rule/combination.js';
import { isText, type ReadRule } from './rule/read-rule.js';
import { answer, decision, undecided } from './rule/rule-keys.js';
import { carries, extensions, grants, ruleSections, workers } from './sections.js';

/** Has a policy only without problems. */
export interface ReadDocument {
  readonly document: PolicyDocument;
  readonly extensions: readonly NamedFile[];
  readonly warnings: Problems;
}

const defaultMap = map({
  decision: { is: decision, missing: 'pre_approved, needs_approval or blocked' },
  answer: { is: answer },
});

const policyKeys = map(
  {
    version: { is: version, missing: '`version: 1`' },
    extends: { is: extensions, about: 'files that judge beside this one' },
    default: {
      is: either(['text', decision], ['map', defaultMap]),
      missing: '`default: needs_approval`; pre_approved, needs_approval or blocked',
    },
    undecided: { is: undecided, about: 'for all rules of this file that block' },
    ...ruleSections,
    carries: { is: carries },
    workers: { is: workers },
    grants: { is: grants },
    together: { is: together, about: 'rules about what comes together' },
    invariants: { is: invariants, about: 'what `ambit check` is to prove' },
  },
  { mayBeEmpty: true },
);

export const policySchema = () => fileSchema('Ambit policy, version 1', policyKeys);

export function readDocument(root: Node, reading: Reading): ReadDocument | null {
  const top = topMap(root, 'a policy, a map with `version` and `default`', reading);
  const ofBlocks = top?.entries.find(({ key }) => key === 'undecided');
  const asksUndecided = isText(ofBlocks, 'needs_approval');
  const read = top && policyKeys.read(top, { ...reading, asksUndecided, worker: null });
  if (top === undefined || read === undefined) return null;
  const { values, entries } = read;
  const ofFile = values.undecided ?? 'blocked';
  const rules = [values.capabilities, values.tools, values.workers, values.together]
    .flatMap((section): readonly ReadRule[] => section ?? [])
    .sort((one, other) => comparePlaces(one.rule.place, other.rule.place))
    .map((each) => ({ ...each, rule: withUndecided(each.rule, ofFile) }));
  const claims = values.invariants ?? [];
  refuseRepeatedIds(rules, claims, reading);
  const standard =
    typeof values.default === 'string'
      ? { decision: values.default, answer: undefined }
      : values.default?.values;
  const { name, lines } = reading.source;
  const written = rules.map(({ rule }) => rule);
  const document: PolicyDocument = {
    name,
    default: {
      decision: standard?.decision ?? 'blocked',
      answer: standard?.answer ?? 'any',
      place: lines.placeOf((entries.default?.keySpan ?? top.lack).start),
    },
    rules: written,
    carries: values.carries ?? [],
    admits: values.grants ?? defaultAdmission,
    invariants: claims.map(({ rule }) => rule),
  };
  const warnings = collectProblems();
  for (const { code, span, message, help } of [...rules, ...claims].flatMap(({ remarks }) => remarks))
    warnings.add(code, span, { message, help });
  return { document, extensions: values.extends ?? [], warnings };
}

/** Blocks without their own `undecided` follow their file. */
function withUndecided(rule: WrittenRule, ofFile: UndecidedBlock): WrittenRule {
  const undecided = rule.decision === 'blocked' ? (rule.undecided ?? ofFile) : null;
  return rule.undecided === undecided ? rule : { ...rule, undecided };
}

function refuseRepeatedIds(
  rules: readonly ReadRule[],
  claims: readonly ReadRule<WrittenInvariant>[],
  { problems }: Reading,
): void {
  const all = [
    ...rules.map((read) => ({ ...read, what: 'rule' })),
    ...claims.map((read) => ({ ...read, what: 'invariant' })),
  ].sort((one, other) => comparePlaces(one.rule.place, other.rule.place));
  const first = new Map<string, (typeof all)[number]>();
  for (const each of all) {
    const { id } = each.rule;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, each);
    else
      problems.add('DUPLICATE_ID', each.idSpan, {
        message: `the id ${quote(id)} already names the ${earlier.what} at ${placeText(earlier.rule.place)}`,
        help: 'choose another id: an id is unique in its file',
      });
  }
}
