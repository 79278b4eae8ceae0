import { type Answer, counted, jsonText, printableLines } from '@ambit/core';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { isAgreed, personOf, requirePerson } from '../../questions/person.js';
import { answerText } from '../../questions/question-lines.js';
import { questionText } from '../../questions/question-text.js';
import { looksOf } from '../../view/text.js';
import { resumeLine } from './approvals-answer.js';
import { byId } from './by-id.js';
import { withStore } from './with-store.js';

/**
 * Shows all open questions of a run in full, and approves them together, each for its call alone. A question that
 * comes or changes meanwhile was not seen, and stays open.
 */
export async function approveRun(
  host: Host,
  id: string | undefined,
  { run: wanted, json = false, ...others }: { readonly run: string; readonly json?: boolean },
): Promise<Exit> {
  if (id !== undefined || Object.keys(others).length > 0)
    throw new UnusableError('--run approves each question once, and takes no ID and no other option');
  await requirePerson(host);
  return withStore(host, async (store) => {
    const { id: run } = byId(await store.runs(), wanted, {
      noun: 'run',
      idOf: ({ id }) => id,
      list: 'ambit runs list',
    });
    const seen = (await store.questions()).filter((one) => one.run === run && one.state === 'waiting');
    const looks = looksOf(host.stderr, host.environment);
    for (const { question } of seen)
      await write(host.stderr, `${questionText(question, { ...looks, whole: true }).text}\n`);
    const asks = `approve ${seen.length === 1 ? 'this call' : `these ${seen.length} calls, each once`}? [y/N] `;
    const isApproved = seen.length > 0 && (await isAgreed(host, asks));
    const answer: Answer = { answer: 'approve', person: personOf(host) };
    const answers: { readonly id: string; readonly taken: string }[] = [];
    for (const { question, digest } of isApproved ? seen : []) {
      const taken = await store.answer(question.id, { digest, answer, at: Date.now() });
      answers.push({ id: question.id, taken });
    }
    const left = seen.length - answers.filter(({ taken }) => taken === 'taken').length;
    const lines = [
      ...answers.map(({ id, taken }) => `${id}  ${taken === 'taken' ? answerText(answer) : words[taken]}\n`),
      ...(seen.length === 0 ? [`the run ${run} has no open questions\n`] : []),
      ...(left === 0 ? [] : [`${counted(left, 'question')} not approved\n`]),
      answers.length === 0 ? '' : await resumeLine(host, store, run),
    ];
    if (json) await write(host.stdout, `${jsonText({ run, answers })}\n`);
    else await write(host.stdout, printableLines(lines.join('')));
    return seen.length > 0 && left === 0 ? exits.done : exits.bad;
  });
}

const words: Readonly<Record<string, string>> = {
  answered_before: 'was answered meanwhile',
  withdrawn: 'was withdrawn meanwhile',
  another_question: 'has changed meanwhile, and is open',
  no_such_question: 'is gone',
};
