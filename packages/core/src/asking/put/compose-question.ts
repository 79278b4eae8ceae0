import { type Keeping, keepable } from '../../decide/grant.js';
import { type CallDecision, decidingPaths, type Judgement } from '../../decide/judgement.js';
import type { Origin } from '../../decide/origin.js';
import { isOpaque, type Policy } from '../../decide/policy.js';
import { isUnbounded } from '../../decide/reach.js';
import { inTime } from '../../tool/describe-call.js';
import type { Refusal } from '../../tool/outcome.js';
import type { Preview, Tool } from '../../tool/tool.js';
import type { Capability } from '../../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../../words/decision.js';
import { inWords } from '../../words/in-words.js';
import { equalJson, type JsonObject } from '../../words/json.js';
import { orNull, shortened } from '../../words/text.js';
import { type Answered, isAnswered } from '../answer-validity.js';
import type { AskedCall, Attempt } from '../asked-call.js';
import type { AskingOptions } from '../asking-run.js';
import type { Question } from '../question.js';
import { askingWords } from '../refusal.js';

export interface Asked {
  readonly decision: CallDecision;
  readonly questions: readonly Judgement[];
  /** Of the decision's capabilities, in their order. */
  readonly origins: readonly Origin[];
  /** In a mode that asks no one: the refusal, unless an earlier answer applies. */
  readonly otherwise?: Refusal;
}

export type AskedPart = Asked & { readonly part: QuestionPart };

/** Without the parts that are known only when it is asked. */
type Draft = Omit<Question, 'id' | 'call' | 'calls' | 'before'>;

export async function composeQuestion(
  call: AskedCall,
  attempt: Attempt,
  { asked, options }: { readonly asked: AskedPart; readonly options: AskingOptions },
): Promise<Draft> {
  const { part, decision, origins } = asked;
  const { chain, name, tool, toolset } = call;
  const policies = call.policies();
  const { questions, about } = part;
  const capabilities = part.capabilities.map((capability, index) => ({
    capability,
    words: `${inWords(capability, toolset.capabilities, decidingPaths(questions, index))}${confinementInWords(capability, tool)}`,
    ...originOf(capability, decision, origins),
  }));
  if (!isNonEmpty(capabilities)) throw new TypeError('the call carries no capability');
  return {
    chain,
    tool: name,
    summary: about === null ? summaryOf(tool, attempt.args) : inWords(about, toolset.capabilities),
    args: attempt.args,
    capabilities,
    asked_by: questions,
    ...(part.of === 1 ? {} : { part: { number: part.number, of: part.of } }),
    ...askingWords(questions, policies),
    // Answers to repetitions, to parts, and about files at unknown places are never kept.
    keep:
      attempt.isUnknown || part.of > 1 || part.capabilities.some(({ path }) => isUnbounded(path))
        ? null
        : longestKeeping(options, keepable(questions, policies)),
    preview: await previewOf(call, attempt.args, options),
    again: attempt.again ?? (part.number === 1 ? whyAskedAgain(attempt) : null),
    ...(attempt.isUnknown ? { begun: true } : {}),
  };
}

function confinementInWords({ name }: Capability, { confines = false }: Tool): string {
  return isOpaque(name) && !confines ? '; not confined: it can read secrets and use the network' : '';
}

/** Absent if it is the call's tool. */
function originOf(
  capability: Capability,
  { capabilities }: CallDecision,
  origins: readonly Origin[],
): { readonly origin?: Origin } {
  const origin = origins[capabilities.indexOf(capability)];
  return origin === undefined || origin.by === 'tool' ? {} : { origin };
}

/** How long an answer may be kept: without a keeper, at most for the run. */
function longestKeeping({ keeper }: AskingOptions, keep: Omit<Keeping, 'until'> | null): Question['keep'] {
  return keep === null || keeper !== undefined ? keep : { ...keep, remember: 'run' };
}

function whyAskedAgain({ answered }: Attempt): string | null {
  if (answered === null) return null;
  return answered.edited
    ? 'the edited call carries capabilities that were not shown'
    : 'the call changed while it waited';
}

/** Null if the summary fails. A long one is cut. */
function summaryOf(tool: Tool, args: JsonObject): string | null {
  const given = orNull((): unknown => tool.summary?.(args));
  return typeof given !== 'string' || given === '' ? null : shortened(given, longestSummary);
}

const longestSummary = 1000;

/** A preview is optional: the question omits one that fails, is too slow or is invalid. */
async function previewOf(
  { tool, chain, signal }: AskedCall,
  args: JsonObject,
  { clock, describeLimit: limit }: AskingOptions,
): Promise<Preview | null> {
  try {
    const given = await inTime((context) => tool.preview?.(args, context), { chain, signal, clock, limit });
    const { path, before, after } = given as Record<keyof Preview, unknown>;
    return typeof path === 'string' && isTextOrNull(before) && isTextOrNull(after)
      ? { path, before, after }
      : null;
  } catch {
    return null;
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

export interface QuestionPart {
  /** All of the call in the first part, those of the part in the others. */
  readonly capabilities: NonEmpty<Capability>;
  readonly questions: readonly Judgement[];
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** The subject of a separate part; null for all the rest together. */
  readonly about: Capability | null;
}

/** The open questions about a call. A rule with `apart` asks separately about each of its subjects, last. */
export function partsOf(
  { capabilities }: CallDecision,
  questions: readonly Judgement[],
  policies: readonly Policy[],
): NonEmpty<QuestionPart> {
  if (!isNonEmpty(capabilities)) throw new TypeError('the call carries no capability');
  const ranges = rangesApart(capabilities, questions, policies);
  const isIn = ([from, to]: Range, { capability }: Judgement) => capability >= from && capability < to;
  const rest = questions.filter((question) => !ranges.some((range) => isIn(range, question)));
  const apart = ranges.map((range) => ({
    range,
    asked: questions.filter((question) => isIn(range, question)),
  }));
  const all = [...(rest.length > 0 || ranges.length === 0 ? [{ range: null, asked: rest }] : []), ...apart];
  const parts = all.map(({ range, asked }, index): QuestionPart => {
    const place = { number: index + 1, of: all.length };
    const about = range === null ? null : (capabilities[range[0]] ?? null);
    // The person sees the whole call, even if parts are asked separately.
    if (range === null || index === 0) return { capabilities, questions: asked, ...place, about };
    const shown = capabilities.slice(...range);
    const moved = asked.map((question) => ({ ...question, capability: question.capability - range[0] }));
    return { capabilities: shown as unknown as NonEmpty<Capability>, questions: moved, ...place, about };
  });
  return parts as unknown as NonEmpty<QuestionPart>;
}

/** Whether a person has approved this part, and everything approved is still carried. */
export function isAnsweredPart(
  answered: Answered | null,
  part: QuestionPart,
  { capabilities }: CallDecision,
): boolean {
  if (answered === null || answered.edited) return false;
  const isCarried = (shown: Capability) => capabilities.some((capability) => equalJson(capability, shown));
  return (
    part.questions.length > 0 &&
    answered.shown.every(isCarried) &&
    part.questions.every((question) => isAnswered(answered, question, part.capabilities))
  );
}

type Range = readonly [from: number, to: number];

/** Adjacent capabilities with the same name and digest are one subject with several paths. */
function rangesApart(
  capabilities: readonly Capability[],
  questions: readonly Judgement[],
  policies: readonly Policy[],
): readonly Range[] {
  const apart = questions.filter((question) => wantsApart(question, policies));
  const isSame = (one: Capability | undefined, other: Capability | undefined) =>
    one?.name === other?.name && one?.sha256 === other?.sha256;
  const ranges = apart.map(({ capability: index }): Range => {
    let [from, to] = [index, index + 1];
    while (from > 0 && isSame(capabilities[from - 1], capabilities[index])) from -= 1;
    while (to < capabilities.length && isSame(capabilities[to], capabilities[index])) to += 1;
    return [from, to];
  });
  return ranges.filter(([from], index) => ranges.findIndex(([other]) => other === from) === index);
}

function wantsApart({ policy, rules, undecided }: Judgement, policies: readonly Policy[]): boolean {
  const ids = [...rules, ...undecided].map(({ id }) => id);
  return policies.some(
    ({ name, rules: all }) =>
      name === policy && all.some(({ id, apart }) => apart === true && ids.includes(id)),
  );
}
