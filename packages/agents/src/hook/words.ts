import type { Question, Refusal } from '@ambit/core';

/** What the model is told of a refusal: why, by which rule, and what to do instead. */
export function refusalInWords({ reason, rule, instead }: Refusal): string {
  const by = rule === null || reason.includes(rule.id) ? '' : ` (rule ${rule.id})`;
  return `${reason}${by}${instead === null ? '' : `. Instead: ${instead}`}`;
}

/** What the model is told of a question that a person answers elsewhere. */
export function toApprove({ id, reason }: Question): string {
  const why = reason === null ? 'this call needs approval' : `this call needs approval: ${reason}`;
  return `${why}. A person approves it with \`ambit approvals approve ${id}\` in another terminal; then make the very same call again within ten minutes`;
}
