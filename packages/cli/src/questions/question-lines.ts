import { subjectOf } from '@ambit/audit';
import { type Answer, printable, type Question, shortened } from '@ambit/core';
import type { StoredQuestion } from '@ambit/runtime';
import { ago, type Looks, styled, timeText, wrapped } from '../view/text.js';

/** Escaped. */
export function questionLines(
  { question, run, state, asked, answer }: StoredQuestion,
  { now, ...looks }: Looks & { readonly now: number },
): readonly string[] {
  const standing = state === 'answered' && answer !== null ? answerText(answer) : state;
  const head = `${printable(question.id)}  ${printable(standing)}, asked ${ago(asked, now)} ago, run ${printable(run)}`;
  const about = askedOf(question).map(({ words }) => words);
  const times =
    question.calls === undefined ? '' : `, ${question.calls.length} times: an answer is for all of them`;
  return [
    styled(head, state === 'waiting' ? 'bold' : 'dim', looks),
    ...wrapped(
      `${question.chain.join(' › ')} wants to call ${question.tool}${times}${subjectText(question)}`,
      looks.width,
      '  ',
    ),
    ...wrapped(about.join('; '), looks.width, '  to '),
  ];
}

/** The command or URL; empty without one, and if a fact of the asked capabilities is the same, such as a path. */
function subjectText(question: Question): string {
  const subject = shortened(subjectOf(question.args), 200);
  const facts = askedOf(question).flatMap(({ capability }) => Object.values(capability).map(String));
  const isSaid = subject === '' || facts.some((fact) => `/${fact}`.endsWith(`/${subject}`));
  return isSaid ? '' : `: ${subject}`;
}

function askedOf({ capabilities, asked_by }: Question): readonly Question['capabilities'][0][] {
  const asked = capabilities.filter((_, index) => asked_by.some(({ capability }) => capability === index));
  return asked.length === 0 ? capabilities : asked;
}

/** Not escaped. */
export function answerText(answer: Answer): string {
  if (answer.answer === 'approve') {
    const edited = answer.args === undefined ? '' : ', with other arguments';
    const { remember, reach, until } = answer.keep ?? {};
    const lasting = until === undefined ? '' : `, until ${timeText(until)}`;
    const kept = answer.keep === undefined ? '' : `, kept (${remember}, ${reach}${lasting})`;
    return `approved by ${answer.person}${edited}${kept}`;
  }
  const done = answer.answer === 'stop' ? 'refused, and the run stopped,' : 'refused';
  return `${done} by ${answer.person}${answer.note === undefined ? '' : `: ${answer.note}`}`;
}

export function questionJson({ run, question, digest, asked, state, answer, closed }: StoredQuestion) {
  return { id: question.id, run, state, asked, closed, digest, answer, question };
}
