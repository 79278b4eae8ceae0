import {
  type CallDecision,
  type DecidingMember,
  decidingRules,
  firstNames,
  type Judgement,
  memberWithin,
  type RuleReference,
  type UndecidedRule,
  unknownFile,
  whyUnknown,
  withinFolder,
} from '../decide/judgement.js';
import { builtIn, type Policy } from '../decide/policy.js';
import type { Rule } from '../decide/rule.js';
import type { Refusal, RefusalCode } from '../tool/outcome.js';
import { type Capability, sortedText } from '../words/capability.js';
import type { Decision } from '../words/decision.js';
import { fileSetOf } from '../words/files/file-set.js';
import { withSpaces } from '../words/files/files-in-words.js';
import type { Json } from '../words/json.js';
import type { Question } from './question.js';

/** A refusal with the reason and the rule of its cause. */
export function refusalOf(
  code: RefusalCode,
  decision: CallDecision,
  of: { readonly policies: readonly Policy[]; readonly fallback: string },
): Refusal {
  const unanswered = decision.judgements.filter(({ answered_by }) => answered_by === null);
  const open = inStableOrder(unanswered, decision.capabilities);
  const level = code === 'blocked' ? 'blocked' : 'needs_approval';
  const deciding = open.filter((judgement) => judgement.decision === level);
  const { reason, rule, instead } = {
    ...askingWords(deciding, [builtIn, ...of.policies]),
    ...(code === 'blocked' && { reason: decision.reason, instead: decision.instead }),
  };
  const first = deciding.find((each) => rule === null || isBy(rule, each)) ?? deciding[0];
  const file = firstFile(first, decision);
  // A person's refusal must not be bypassed in parts.
  const narrower = narrowerCall(code === 'denied' ? undefined : first, decision, level);
  const about = file ?? narrower.unknown;
  const said = reason === null || about === null ? reason : `${reason}: ${about}`;
  const also = code === 'blocked' ? severalBlocked(open, decision) : '';
  return {
    code,
    reason: `${said ?? of.fallback}${also}`,
    rule: firstRule(deciding, rule),
    instead: insteadOf(instead, narrower, isUndecidedAt(first, level) || first?.member?.path === null),
  };
}

/** What a rule says instead; for an unknown file or an undecided rule, also how to make it known. */
function insteadOf(
  instead: string | null,
  { instead: how }: NarrowerCall,
  isUnknown: boolean,
): string | null {
  if (instead === null || how === null) return instead ?? how;
  return isUnknown ? `${instead}; or ${how}` : instead;
}

/** Sorted by capability, not by the tool's order; policies of one capability keep their order. */
function inStableOrder(
  judgements: readonly Judgement[],
  capabilities: readonly Capability[],
): readonly Judgement[] {
  const keys = capabilities.map(({ name, ...facts }) => `${name} ${sortedText(facts)}`);
  const keyOf = ({ capability }: Judgement) => keys[capability] ?? '';
  return judgements.toSorted((one, other) =>
    keyOf(one) === keyOf(other) ? 0 : keyOf(one) < keyOf(other) ? -1 : 1,
  );
}

/** Sorted; empty for a single one. */
function severalBlocked(open: readonly Judgement[], { capabilities }: CallDecision): string {
  const blocked = open.filter(({ decision }) => decision === 'blocked');
  const names = new Set(blocked.flatMap(({ capability }) => capabilities[capability]?.name ?? []));
  return names.size < 2 ? '' : ` (blocked: ${[...names].sort().join(', ')})`;
}

/** The first deciding member of a file set, a file among others, or the guarded file; otherwise null. */
function firstFile(first: Judgement | undefined, { capabilities }: CallDecision): string | null {
  const capability = first && capabilities[first.capability];
  if (capability === undefined) return null;
  if (first?.member !== undefined) return memberWithin(first.member, capability.path);
  const isGuarded = capability.name === 'sys.guard' && typeof capability.path === 'string';
  return isGuarded ? (capability.path as string) : fileAmong(capability.path, capabilities);
}

/** The single file of a capability, if the call is about other files as well; otherwise null. */
function fileAmong(path: Json | undefined, capabilities: readonly Capability[]): string | null {
  if (typeof path !== 'string') return null;
  const members = capabilities
    .map((other) => fileSetOf(other.path)?.paths ?? [])
    .find((paths) => paths.length > 1 && paths.includes(path));
  return members === undefined ? null : withinFolder(path, [...members].sort());
}

/** The rule that says the reason, or else the first one. */
function firstRule(deciding: readonly Judgement[], told: Question['rule']): RuleReference | null {
  const [rule] = deciding.flatMap((each) =>
    decidingRules(each).filter(({ id }) => told === null || (each.policy === told.policy && id === told.id)),
  );
  return rule === undefined ? null : { id: rule.id, at: rule.at, decision: rule.decision };
}

function isBy({ policy, id }: NonNullable<Question['rule']>, judgement: Judgement): boolean {
  return judgement.policy === policy && decidingRules(judgement).some((rule) => rule.id === id);
}

/** For refusals whose rules give no reason. */
export function whyInWords({ decision, capabilities, judgements }: CallDecision): string {
  const first = inStableOrder(judgements, capabilities).find(
    (judgement) => judgement.decision === decision && judgement.answered_by === null,
  );
  const capability = first && capabilities[first.capability];
  if (first === undefined || capability === undefined) return decision;
  const [by] = decidingRules(first);
  const verb = decision === 'blocked' ? 'is blocked' : 'needs approval';
  const { member } = first;
  const what =
    member === undefined ? capability.name : `${capability.name} of ${memberWithin(member, capability.path)}`;
  if (by !== undefined) return `${what} ${verb} by the rule ${by.id} (${by.at})`;
  const open = first.undecided.map(({ id, at, why }) => `${id} at ${at} is undecided: ${why}`).join('; ');
  const none = `no rule of ${first.policy} ${open === '' ? 'mentions it' : `certainly applies (${open})`}`;
  return `${what} ${verb}: ${none}, and this is its default`;
}

/** The first reason and the first alternative of the rules that ask. */
export function askingWords(
  questions: readonly Judgement[],
  policies: readonly Policy[],
): Pick<Question, 'reason' | 'rule' | 'instead'> {
  const asks = ({ name }: Policy, { id, decision }: Rule) =>
    questions.some(
      (question) =>
        question.policy === name &&
        question.decision === decision &&
        [...question.rules, ...question.undecided].some((rule) => rule.id === id),
    );
  const asking = policies.flatMap((policy) =>
    policy.rules.filter((rule) => asks(policy, rule)).map((rule) => ({ policy: policy.name, rule })),
  );
  const [told, other] = (['reason', 'instead'] as const).map((key) =>
    asking.find(({ rule }) => rule[key] !== null),
  );
  return {
    reason: told?.rule.reason ?? null,
    rule: told === undefined ? null : { policy: told.policy, id: told.rule.id },
    instead: other?.rule.instead ?? null,
  };
}

/** Hints for the model's next call. Not escaped. */
interface NarrowerCall {
  /** Null if nothing is unknown, or the reason says it. */
  readonly unknown: string | null;
  readonly instead: string | null;
}

/** How the call can be made narrower, by the judgement that refused it. */
function narrowerCall(first: Judgement | undefined, decision: CallDecision, level: Decision): NarrowerCall {
  if (first === undefined) return { unknown: null, instead: null };
  const { member } = first;
  const path = decision.capabilities[first.capability]?.path;
  const undecided = undecidedIn(first, level);
  if (undecided !== undefined) {
    const isAboutFiles = member?.path === null || path === undefined;
    const isFile = isAboutFiles && /\bpath\b/.test(undecided.why);
    return {
      unknown: member === undefined ? undecided.why : null,
      instead: isFile ? namedFiles : `make a call in which this is known: ${undecided.why}`,
    };
  }
  // A file of which nothing is known: the call may need none that is refused.
  if (member?.path === null) return { unknown: null, instead: namedFiles };
  const single = fileAmong(path, decision.capabilities);
  const files = member === undefined || member.of < 2 ? single : firstFilesInWords(member, path);
  if (files === null) {
    const unknown = whyUnknown(first, decision.capabilities);
    return { unknown, instead: unknown === unknownFile ? namedFiles : null };
  }
  const others = 'or name the files that it needs';
  return { unknown: null, instead: `make a narrower call: leave out ${files}, ${others}` };
}

/** Whether it is as strict as this only because a rule could not be decided. */
export function isUndecidedAt(judgement: Judgement | undefined, level: Decision): boolean {
  return judgement !== undefined && undecidedIn(judgement, level) !== undefined;
}

function undecidedIn({ rules, undecided }: Judgement, level: Decision): UndecidedRule | undefined {
  const isLevel = (rule: RuleReference) => rule.decision === level;
  return rules.some(isLevel) ? undefined : undecided.find(isLevel);
}

const namedFiles =
  'make a narrower call: name its files, without variables and without the output of a program; list them with a separate call first, and put `--` before text that may begin with a dash';

function firstFilesInWords(member: DecidingMember, set: Json | undefined): string {
  const names = firstNames(member, set);
  const rest = member.count - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${withSpaces(rest)} more` : ''}`;
}
