import type { StoredQuestion } from '@ambit/runtime';

/** A question for programs; an answer is bound to the digest. */
export function questionJson({ run, question, digest, asked, state, answer, closed }: StoredQuestion) {
  return { id: question.id, run, state, asked, closed, digest, answer, question };
}
