import type { StoredQuestion } from '@ambit/runtime';

/** A question as other programs read it; the digest is what an answer is bound to. */
export function questionJson({ run, question, digest, asked, state, answer, closed }: StoredQuestion) {
  return { id: question.id, run, state, asked, closed, digest, answer, question };
}
