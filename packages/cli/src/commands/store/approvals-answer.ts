import { type Answer, isJsonObject, type JsonObject, jsonText, printableLines } from '@ambit/core';
import { canGoOn, runStatus, type Store, type StoredQuestion } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { personOf, requirePerson } from '../../questions/person.js';
import { answerText } from '../../questions/question-lines.js';
import { rungsOf } from '../../questions/rungs.js';
import { questionNamed } from './by-id.js';
import { withStore } from './with-store.js';

interface CommonOptions {
  /** The shown digest, or its beginning: another question with the same id is not answered. */
  readonly digest?: string;
  readonly json?: boolean;
}

export interface ApproveOptions extends CommonOptions {
  readonly keep?: 'run' | 'always';
  readonly reach?: string;
  /** Milliseconds since 1970. */
  readonly until?: number;
  /** JSON. */
  readonly args?: string;
}

export interface DenyOptions extends CommonOptions {
  readonly note?: string;
  readonly askAgain?: boolean;
}

export async function approve(host: Host, id: string | undefined, options: ApproveOptions): Promise<Exit> {
  await requirePerson(host);
  if (id === undefined) throw new UnusableError('no question is given', 'give an ID, or --run RUN');
  const args = options.args === undefined ? null : argumentsIn(options.args);
  if (args !== null && options.keep !== undefined)
    throw new UnusableError('an answer with other arguments holds for this call alone', 'leave --keep out');
  if (options.keep === undefined && (options.reach !== undefined || options.until !== undefined))
    throw new UnusableError(
      '--reach and --until say how an answer is kept',
      'give --keep run or --keep always',
    );
  return answered(host, id, options, (found) => ({
    answer: 'approve',
    person: personOf(host),
    ...(options.keep === undefined ? {} : { keep: keeping(found, options, options.keep) }),
    ...(args === null ? {} : { args }),
  }));
}

export async function deny(host: Host, id: string, options: DenyOptions): Promise<Exit> {
  return answered(host, id, options, () => ({
    answer: 'refuse',
    person: personOf(host),
    ...(options.note === undefined ? {} : { note: options.note }),
    ...(options.askAgain === true ? { ask_again: true } : {}),
  }));
}

/** Gives the answer, and reports the result. */
async function answered(
  host: Host,
  id: string,
  { digest: shown, json = false }: CommonOptions,
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
    const isKept = answer?.answer === 'approve' && answer.keep !== undefined;
    const resumes = await resumeLine(host, store, run);
    const resumed =
      resumes === '' || !isKept ? resumes : `the answer is kept once the run resumes\n${resumes}`;
    const said = {
      taken: `${answer === null ? '' : answerText(answer)}\n${resumed}`,
      answered_before: `${question.id} was answered before: ${now?.answer == null ? 'by another person' : answerText(now.answer)}\n`,
      withdrawn: `${question.id} was withdrawn: the time to answer is over, or its run has ended\n`,
      another_question: `${question.id} has changed; read it again with ${host.program} approvals show ${question.id}\n`,
      no_such_question: `${question.id} is gone\n`,
    }[taken];
    if (json)
      await write(host.stdout, `${jsonText({ id: question.id, run, taken, answer: now?.answer ?? null })}\n`);
    else await write(taken === 'taken' ? host.stdout : host.stderr, printableLines(said));
    return taken === 'taken' ? exits.done : exits.bad;
  });
}

/** The command that resumes a stopped run; empty for a run that goes on by itself or cannot. */
export async function resumeLine({ program }: Host, store: Store, run: string): Promise<string> {
  const asking = await store.run(run);
  const isLeft = asking !== null && runStatus(asking) !== 'running' && canGoOn(asking);
  return isLeft ? `${program} run --resume ${run} resumes it\n` : '';
}

function keeping({ question }: StoredQuestion, { reach, until }: ApproveOptions, remember: 'run' | 'always') {
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
    throw new UnusableError(`--args is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UnusableError('--args is not a JSON object', `--args '{"path": "out/a.md"}'`);
}
