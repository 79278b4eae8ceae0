import {
  errorCode,
  isOpaque,
  type Json,
  type Judgement,
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
  const why = `${whyAsked(question) ?? needed(question)}${askedAgain(question)}`;
  return typeof command === 'string'
    ? `${why}. The command, which runs confined: ${printableLines(command)}`
    : why;
}

/** The text for the model about a question that a person answers elsewhere. */
export function reasonToApprove(question: Question): string {
  const reason = whyAsked(question);
  const why = reason === null ? needed(question) : `this call needs approval: ${reason}`;
  return `${why}${askedAgain(question)}. A person approves it with \`ambit approvals approve ${question.id}\` in another terminal; then make the same call again in this session, within ten minutes`;
}

function askedAgain({ again }: Question): string {
  return again === null ? '' : `; ${again}`;
}

/** The reason of a rule, what is unknown about what that rule asks about, and what else the call would do that asks. */
function whyAsked(question: Question): string | null {
  const { reason, rule, asked_by: judgements, capabilities } = question;
  if (reason === null) return null;
  const all = capabilities.map(({ capability }) => capability);
  const nameOf = ({ capability }: Judgement) => all[capability]?.name ?? '';
  const isUnknown = (each: Judgement) => isOpaque(nameOf(each));
  const own = judgements.filter((each) => rule === null || isAskedBy(rule, each));
  const opaque = own.filter(isUnknown);
  const why = [...opaque, ...own].map((each) => whyUnknown(each, all)).find((each) => each !== null);
  const unknown = why === undefined ? '' : ` (${printable(why).slice(0, longest)})`;
  // What an unknown program runs is said by then.
  const isSaid = (each: Judgement) =>
    opaque.length > 0 ? isUnknown(each) || nameOf(each).startsWith('code.') : own.includes(each);
  const others = judgements.filter((each) => !isSaid(each));
  const also = acts(others, question);
  return `${reason}${unknown}${also === '' ? '' : `; it would also ${also}`}`;
}

function isAskedBy(
  { policy, id }: NonNullable<Question['rule']>,
  { policy: by, rules, undecided }: Judgement,
): boolean {
  return by === policy && [...rules, ...undecided].some((rule) => rule.id === id);
}

/** What a call would do that needs approval, where the policy gives no reason. */
function needed(question: Question): string {
  const all = acts(question.asked_by, question);
  return `this call needs approval${all === '' ? '' : `: it would ${all}`}`;
}

function acts(judgements: readonly Judgement[], { capabilities }: Question): string {
  const asking = [...new Set(judgements.map(({ capability }) => capabilities[capability]?.words ?? ''))];
  // An unknown host may be a private one, too.
  const isSaid = (each: string) =>
    each === '' || asking.some((other) => each === `${other}, a private address`);
  const words = asking.filter((each) => !isSaid(each)).map((each) => printable(each).slice(0, longest));
  const more = words.length > mostNamed ? ` and ${words.length - mostNamed} more` : '';
  return `${words.slice(0, mostNamed).join(', ')}${more}`;
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
