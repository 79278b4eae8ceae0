import type { CallOutcome, Json, Refusal } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';

/** An outcome as the model is told it. A refusal says why, by which rule, and what to do instead. */
export function toolResult(id: string, outcome: CallOutcome): Anthropic.ToolResultBlockParam {
  if (outcome.status === 'completed') {
    const note =
      outcome.edited === null
        ? ''
        : `A person edited the arguments of this call before it ran: ${JSON.stringify(outcome.edited)}\n\n`;
    return { type: 'tool_result', tool_use_id: id, content: note + inText(outcome.result) };
  }
  const content = outcome.status === 'failed' ? `failed: ${outcome.error}` : refusalInText(outcome.refusal);
  return { type: 'tool_result', tool_use_id: id, is_error: true, content };
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
