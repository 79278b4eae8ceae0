import type { CallOutcome, Json, Refusal } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';

/** An outcome as the model is told it. A refusal says why, by which rule, and what to do instead; an edit is told whatever came of it. */
export function toolResult(id: string, outcome: CallOutcome): Anthropic.ToolResultBlockParam {
  const { edited = null } = outcome;
  const when = outcome.status === 'refused' ? '' : ' before it ran';
  const note =
    edited === null ? '' : `A person edited the arguments of this call${when}: ${JSON.stringify(edited)}\n\n`;
  const content = note + contentOf(outcome);
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(outcome.status === 'completed' ? {} : { is_error: true }),
    content,
  };
}

function contentOf(outcome: CallOutcome): string {
  if (outcome.status === 'completed') return inText(outcome.result);
  return outcome.status === 'failed' ? `failed: ${outcome.error}` : refusalInText(outcome.refusal);
}

function refusalInText({ code, reason, rule, instead }: Refusal): string {
  return [
    `refused (${code}): ${reason}`,
    ...(rule === null ? [] : [`rule: ${rule.id} (${rule.at})`]),
    ...(instead === null ? [] : [`instead: ${instead}`]),
  ].join('\n');
}

function inText(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 1);
}
