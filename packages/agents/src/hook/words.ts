import {
  errorCode,
  type Json,
  printable,
  printableLines,
  type Question,
  type Refusal,
  whyUnknown,
} from '@ambit/core';
import { stateFolder } from '@ambit/runtime';

/** The refusal text for the model: the reason, the rule, and the alternative. */
export function refusalInWords({ reason, rule, instead }: Refusal): string {
  const by = rule === null || reason.includes(rule.id) ? '' : ` (rule ${rule.id})`;
  return `${reason}${by}${instead === null ? '' : `. Instead: ${instead}`}`;
}

/**
 * The question for the client's user. For a confined command, the client itself shows only the confinement.
 */
export function questionForUser(question: Question, command?: Json): string {
  const why = whyAsked(question) ?? needed(question);
  return typeof command === 'string'
    ? `${why}. The command, which runs confined: ${printableLines(command)}`
    : why;
}

/** The text for the model about a question that a person answers elsewhere. */
export function reasonToApprove(question: Question): string {
  const reason = whyAsked(question);
  const why = reason === null ? needed(question) : `this call needs approval: ${reason}`;
  return `${why}. A person approves it with \`ambit approvals approve ${question.id}\` in another terminal; then make the same call again in this session, within ten minutes`;
}

/** The reason of the policy, and what is unknown about the call. */
function whyAsked({ reason, asked_by: judgements, capabilities }: Question): string | null {
  const all = capabilities.map(({ capability }) => capability);
  const why = judgements.map((judgement) => whyUnknown(judgement, all)).find((each) => each !== null);
  return reason === null || why === undefined ? reason : `${reason} (${printable(why).slice(0, longest)})`;
}

/** What a call would do that needs approval, where the policy gives no reason. */
function needed({ asked_by: judgements, capabilities }: Question): string {
  const asking = new Set(judgements.map(({ capability }) => capabilities[capability]?.words ?? ''));
  const words = [...asking].filter((each) => each !== '').map((each) => printable(each).slice(0, longest));
  const more = words.length > mostNamed ? ` and ${words.length - mostNamed} more` : '';
  const would = words.length === 0 ? '' : `: it would ${words.slice(0, mostNamed).join(', ')}${more}`;
  return `this call needs approval${would}`;
}

const mostNamed = 3;
const longest = 200;

/** Whether the disk may have failed: full, read-only, or not writable for this user. */
export function mayBeDiskError(error: unknown): boolean {
  return /^(?:E(?:NOSPC|DQUOT|ROFS|ACCES|PERM|IO|EXIST)|WRITE_FAILED|FAILED)$/.test(errorCode(error) ?? '');
}

/** How to make the state folder writable again, as the end of a message. */
export function stateFolderRemedy(environment: Parameters<typeof stateFolder>[0]): string {
  return `: the state folder ${stateFolder(environment)} must be a folder that you can write, on a disk with room`;
}
