import { decidingPaths } from '../../decide/deciding-member.js';
import { type Keeping, keepable } from '../../decide/grant.js';
import type { CallDecision, Judgement } from '../../decide/judgement.js';
import { isOpaque } from '../../decide/opacity.js';
import type { Origin } from '../../decide/origin.js';
import { isUnbounded } from '../../decide/reach.js';
import { inTime } from '../../tool/describe-call.js';
import type { Refusal } from '../../tool/outcome.js';
import type { Preview, Tool } from '../../tool/tool.js';
import type { Capability } from '../../words/capability.js';
import { isNonEmpty } from '../../words/decision.js';
import { inWords } from '../../words/in-words.js';
import type { JsonObject } from '../../words/json.js';
import type { AskedCall, Attempt } from '../asked-call.js';
import type { AskingOptions } from '../asking-run.js';
import type { Question } from '../question.js';
import { askingWords } from '../refusal.js';
import type { QuestionPart } from './question-parts.js';

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
export type Draft = Omit<Question, 'id' | 'call' | 'calls' | 'before'>;

export async function composeQuestion(
  call: AskedCall,
  attempt: Attempt,
  {
    asked: { part, decision, origins },
    options,
  }: { readonly asked: AskedPart; readonly options: AskingOptions },
): Promise<Draft> {
  const { chain, name, tool, toolset } = call;
  const policies = call.policies();
  const { questions, about } = part;
  const capabilities = part.capabilities.map((capability, index) => ({
    capability,
    words: `${inWords(capability, toolset.capabilities, decidingPaths(questions, index))}${confinementInWords(capability, tool)}`,
    ...originOf(capability, decision, origins),
  }));
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
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
        : longest(options, keepable(questions, policies)),
    preview: await previewOf(call, attempt.args, options),
    again: attempt.again ?? (part.number === 1 ? changed(attempt) : null),
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

/** Without a keeper, at most for the run. */
function longest({ keeper }: AskingOptions, keep: Omit<Keeping, 'until'> | null): Question['keep'] {
  return keep === null || keeper !== undefined ? keep : { ...keep, remember: 'run' };
}

function changed({ answered }: Attempt): string | null {
  if (answered === null) return null;
  return answered.edited
    ? 'the edited call carries capabilities that were not shown'
    : 'the call changed while it waited';
}

/** Null if the summary fails. A long one is cut. */
function summaryOf(tool: Tool, args: JsonObject): string | null {
  try {
    const given: unknown = tool.summary?.(args);
    if (typeof given !== 'string' || given === '') return null;
    return given.length <= longestSummary ? given : `${given.slice(0, longestSummary)}…`;
  } catch {
    return null;
  }
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
