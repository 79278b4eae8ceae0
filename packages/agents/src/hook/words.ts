import { type Json, printableLines, type Question, type Refusal } from '@ambit/core';

/** The refusal text for the model: the reason, the rule, and the alternative. */
export function refusalInWords({ reason, rule, instead }: Refusal): string {
  const by = rule === null || reason.includes(rule.id) ? '' : ` (rule ${rule.id})`;
  return `${reason}${by}${instead === null ? '' : `. Instead: ${instead}`}`;
}

/**
 * The question for the client's user. For a confined command, the client itself shows only the confinement.
 */
export function asked({ reason }: Question, command: Json | undefined): string {
  const why = reason ?? 'this call needs approval';
  return typeof command === 'string'
    ? `${why}. The command, which runs confined: ${printableLines(command)}`
    : why;
}

/** The text for the model about a question that a person answers elsewhere. */
export function toApprove({ id, reason }: Question): string {
  const why = reason === null ? 'this call needs approval' : `this call needs approval: ${reason}`;
  return `${why}. A person approves it with \`ambit approvals approve ${id}\` in another terminal; then make the same call again within ten minutes`;
}
