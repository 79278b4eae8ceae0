import type { Capability } from '../words/capability.js';
import type { Decision, NonEmpty } from '../words/decision.js';
import { fileSetOf, folderOf } from '../words/files/file-set.js';
import { withSpaces } from '../words/files/files-in-words.js';
import type { Json } from '../words/json.js';
import { isOpaque } from './policy.js';
import type { AnswerableBy } from './rule.js';

/** It is its own explanation: logs, terminal, model and tests use this value. */
export interface CallDecision {
  /** Answered judgements count as `pre_approved`. */
  readonly decision: Decision;
  /** As reported, and from `carries`. */
  readonly capabilities: NonEmpty<Capability>;
  /** By capability, then by policy; the built-in policy only where one of its rules applies. */
  readonly judgements: readonly Judgement[];
  /** From the first of the strictest rules that has one. */
  readonly reason: string | null;
  readonly instead: string | null;
}

/** Before grants. */
export interface Judgement {
  /** Index into the call's `capabilities`. */
  readonly capability: number;
  /** For a file set: the deciding member. The rest of the judgement is about it. */
  readonly member?: DecidingMember;
  readonly policy: string;
  readonly decision: Decision;
  /** Whether the default counts, because no rule certainly applies. */
  readonly default: boolean;
  /** All rules that certainly apply, in the order of their places. */
  readonly rules: readonly RuleReference[];
  readonly undecided: readonly UndecidedRule[];
  /** Absent if there are none. */
  readonly observed?: readonly RuleReference[];
  readonly answer: AnswerableBy | null;
  readonly answered_by: AnsweredBy | null;
}

export interface RuleReference {
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Decision;
}

/** Its `decision` is its effective one: `needs_approval` for an undecided block that asks. */
export interface UndecidedRule extends RuleReference {
  /** If it differs. */
  readonly rule_decision?: 'blocked';
  readonly why: string;
}

export type AnsweredBy =
  | { readonly by: 'rule'; readonly id: string; readonly at: string }
  | { readonly by: 'reference'; readonly worker: string; readonly tool: string }
  | { readonly by: 'kept'; readonly approval: string; readonly person: string };

export interface DecidingMember {
  /** The first of the strictest members; null for unknown members. */
  readonly path: string | null;
  /** Members with an equally strict judgement. */
  readonly count: number;
  /** The unknown members of an open set count as one. */
  readonly of: number;
}

/** The rules that say the decision of a judgement. Those that certainly apply come first. */
export function decidingRules({
  decision,
  rules,
  undecided,
}: Judgement): readonly (RuleReference & Partial<UndecidedRule>)[] {
  return [...rules, ...undecided].filter((rule) => rule.decision === decision);
}

export function judgedBy({ judgements }: Pick<CallDecision, 'judgements'>): readonly string[] {
  return [...new Set(judgements.map(({ policy }) => policy))];
}

/** `/w/src/.env (1 of 1 204 files)`. Not escaped. */
export function memberInWords({ path, count, of }: DecidingMember): string {
  if (path !== null) return `${path} (${withSpaces(count)} of ${withSpaces(of)} files)`;
  const known = of === 1 ? '' : `, besides ${withSpaces(of - 1)} known ${of === 2 ? 'one' : 'ones'}`;
  return `files that are not known before the call runs${known}`;
}

/** What is unknown about the files or the program of a judgement; null if nothing is. Not escaped. */
export function whyUnknown(
  { capability, member }: Judgement,
  capabilities: readonly Capability[],
): string | null {
  if (member?.path === null) return memberInWords(member);
  const { name, why, path, secret } = capabilities[capability] ?? { name: '' };
  if (isOpaque(name)) return typeof why === 'string' ? why : null;
  return name === 'secret.read' && path === undefined && secret === undefined ? unknownFile : null;
}

export const unknownFile = 'it is not known which file';

const mostNamed = 3;

/** The first deciding members, as far as they are known, relative to the folder of all; empty for unknown ones. */
export function firstNames({ path, count, of }: DecidingMember, set: Json | undefined): readonly string[] {
  if (path === null) return [];
  const members = [...(fileSetOf(set)?.paths ?? [])].sort();
  // Only the first is known where some members were judged less strictly.
  const named = count === of && members.length > 0 ? members.slice(0, mostNamed) : [path];
  return named.map((name) => withinFolder(name, members));
}

/** The first deciding members for a model: `.env, a.key (2 of 2 files)`. Not escaped. */
export function memberWithin(member: DecidingMember, set: Json | undefined): string {
  const names = firstNames(member, set);
  const rest = member.count > names.length && names.length > 1 ? ', …' : '';
  return memberInWords({ ...member, path: member.path === null ? null : `${names.join(', ')}${rest}` });
}

/** Relative to the folder of these sorted members; the name alone if that is `/`. */
export function withinFolder(path: string, members: readonly string[]): string {
  const folder = folderOf(members);
  if (folder === null || folder === '/' || folder === path) return path.slice(path.lastIndexOf('/') + 1);
  return path.slice(folder.length + 1);
}

/** Empty unless others are judged less strictly. */
export function decidingPaths(judgements: readonly Judgement[], capability: number): readonly string[] {
  const paths = judgements.flatMap(({ capability: index, member }) =>
    index === capability && member !== undefined && member.count < member.of ? (member.path ?? []) : [],
  );
  return [...new Set(paths)];
}
