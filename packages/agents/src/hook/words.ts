import type { Json, Question, Refusal } from '@ambit/core';

/** What the model is told of a refusal: why, by which rule, and what to do instead. */
export function refusalInWords({ reason, rule, instead }: Refusal): string {
  const by = rule === null || reason.includes(rule.id) ? '' : ` (rule ${rule.id})`;
  return `${reason}${by}${instead === null ? '' : `. Instead: ${instead}`}`;
}

/** What the client's user is asked. Of a command that runs confined, the client itself shows only what confines it. */
export function asked({ reason }: Question, command: Json | undefined): string {
  const why = reason ?? 'this call needs approval';
  return typeof command === 'string' ? `${why}. The command, which runs confined: ${command}` : why;
}

/** What the model is told of a question that a person answers elsewhere. */
export function toApprove({ id, reason }: Question): string {
  const why = reason === null ? 'this call needs approval' : `this call needs approval: ${reason}`;
  return `${why}. A person approves it with \`ambit approvals approve ${id}\` in another terminal; then make the same call again within ten minutes`;
}
