import { type Answer, counted, isJsonObject, type JsonObject, messageOf, printableLines } from '@ambit/core';
import { canGoOn, runStatus, type Store, type StoredQuestion } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { rungsOf } from '../../questions/choose-keep.js';
import { confirm, personOf, requirePerson } from '../../questions/person.js';
import { answerText } from '../../questions/question-lines.js';
import { questionText } from '../../questions/question-text.js';
import { looksOf } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { questionNamed, runNamed, withStore } from './with-store.js';

export async function approve(
  host: Host,
  id: string | undefined,
  options: OptionsOf<'approvals approve'>,
): Promise<Exit> {
  const { run, json: _, ...others } = options;
  if (run !== undefined && (id !== undefined || Object.keys(others).length > 0))
    throw new UnusableError('--run approves each question once, and takes no ID and no other option');
  await requirePerson(host);
  if (run !== undefined) return approveRun(host, run, options);
  if (id === undefined) throw new UnusableError('no question is given', 'give an ID, or --run RUN');
  const args = options.args === undefined ? null : argumentsIn(options.args);
  if (args !== null && options.keep !== undefined)
    throw new UnusableError('an answer with other arguments holds for this call alone', 'leave --keep out');
  if (options.keep === undefined && (options.reach !== undefined || options.until !== undefined))
    throw new UnusableError(
      '--reach and --until say how an answer is kept',
      'give --keep run or --keep always',
    );
  return answerQuestion(host, id, options, (found) => ({
    answer: 'approve',
    person: personOf(host),
    ...(options.keep === undefined ? {} : { keep: keeping(found, options, options.keep) }),
    ...(args === null ? {} : { args }),
  }));
}

export async function deny(host: Host, id: string, options: OptionsOf<'approvals deny'>): Promise<Exit> {
  return answerQuestion(host, id, options, () => ({
    answer: 'refuse',
    person: personOf(host),
    ...(options.note === undefined ? {} : { note: options.note }),
    ...(options.askAgain === true ? { ask_again: true } : {}),
  }));
}

async function answerQuestion(
  host: Host,
  id: string,
  { digest: shown, json }: Pick<OptionsOf<'approvals approve'>, 'digest' | 'json'>,
  answerTo: (found: StoredQuestion) => Answer,
): Promise<Exit> {
  return withStore(host, async (store) => {
    const before = await questionNamed(store, id);
    const { question, digest, run } = before;
    // Rules for open questions do not apply to a closed one.
    const answer = before.state === 'waiting' ? answerTo(before) : null;
    const isAsShown = shown === undefined || digest.startsWith(shown);
    const taken =
      answer === null
        ? before.state === 'withdrawn'
          ? 'withdrawn'
          : 'answered_before'
        : isAsShown
          ? await store.answer(question.id, { digest, answer, at: Date.now() })
          : 'another_question';
    const now = await store.question(question.id);
    const next = answer === null ? '' : await nextLines(host, store, { run, answer });
    const said = {
      taken: `${answer === null ? '' : answerText(answer)}\n${next}`,
      answered_before: `${question.id} was answered before: ${now?.answer == null ? 'by another person' : answerText(now.answer)}\n`,
      withdrawn: `${question.id} was withdrawn: the time to answer is over, or its run has ended\n`,
      another_question: `${question.id} has changed; read it again with ${host.program} approvals show ${question.id}\n`,
      no_such_question: `${question.id} is gone\n`,
    }[taken];
    if (json) await print(host, { id: question.id, run, taken, answer: now?.answer ?? null });
    else await write(taken === 'taken' ? host.stdout : host.stderr, printableLines(said));
    return taken === 'taken' ? exits.done : exits.bad;
  });
}

/** How the call goes on after an answer; empty where it does so by itself, or cannot. */
async function nextLines(
  { program }: Host,
  store: Store,
  { run, answer }: { readonly run: string; readonly answer: Answer },
): Promise<string> {
  const asking = await store.run(run);
  const isApproved = answer.answer === 'approve';
  // A hook or a program may have refused the call, with its question open.
  if (asking?.mode === 'client')
    return isApproved
      ? 'if it was refused meanwhile, the agent must make the same call again, within ten minutes\n'
      : '';
  if (asking === null || runStatus(asking) === 'running' || !canGoOn(asking)) return '';
  const kept = isApproved && answer.keep !== undefined ? 'the answer is kept once the run resumes\n' : '';
  return `${kept}${program} run --resume ${run} resumes it\n`;
}

function keeping(
  { question }: StoredQuestion,
  { reach, until }: OptionsOf<'approvals approve'>,
  remember: 'run' | 'always',
) {
  if (question.keep === null)
    throw new UnusableError('an answer to this question holds for this call alone', 'leave --keep out');
  if (remember === 'always' && question.keep.remember === 'run')
    throw new UnusableError(
      'the policies that ask let an answer be kept for the run at most',
      'give --keep run',
    );
  if (until !== undefined && until <= Date.now())
    throw new UnusableError('--until is in the past', 'give a later time');
  const rungs = rungsOf(question);
  const rung = reach === undefined ? rungs[0] : rungs.find((one) => one.reach === reach);
  if (rung === undefined)
    throw new UnusableError(
      `an answer to this question cannot be kept as far as \`${reach ?? ''}\``,
      rungs.length === 0 ? 'leave --keep out' : `one of ${rungs.map((one) => one.reach).join(', ')}`,
    );
  return { remember, reach: rung.reach, ...(until === undefined ? {} : { until }) };
}

function argumentsIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new UnusableError(`--args is not JSON: ${messageOf(error)}`);
  }
  throw new UnusableError('--args is not a JSON object', `--args '{"path": "out/a.md"}'`);
}

/**
 * Shows all open questions of a run in full, and approves them together. A question that changes meanwhile stays
 * open.
 */
async function approveRun(
  host: Host,
  wanted: string,
  { json }: OptionsOf<'approvals approve'>,
): Promise<Exit> {
  return withStore(host, async (store) => {
    const { id: run } = runNamed(await store.runs(), wanted);
    const seen = (await store.questions()).filter((one) => one.run === run && one.state === 'waiting');
    const looks = looksOf(host.stderr, host.environment);
    for (const { question } of seen)
      await write(host.stderr, `${questionText(question, { ...looks, whole: true })}\n`);
    const asks = `approve ${seen.length === 1 ? 'this call' : `these ${seen.length} calls, each once`}? [y/N] `;
    const isApproved = seen.length > 0 && (await confirm(host, asks));
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
      answers.length === 0 ? '' : await nextLines(host, store, { run, answer }),
    ];
    await print(host, json ? { run, answers } : printableLines(lines.join('')));
    return seen.length > 0 && left === 0 ? exits.done : exits.bad;
  });
}

const words: Readonly<Record<string, string>> = {
  answered_before: 'was answered meanwhile',
  withdrawn: 'was withdrawn meanwhile',
  another_question: 'has changed meanwhile, and is open',
  no_such_question: 'is gone',
};
