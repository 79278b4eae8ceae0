import {
  type AskedQuestion,
  type RunRecord,
  type Step,
  type Store,
  type StoredAnswer,
  type StoredQuestion,
  type StoredRun,
  StoreError,
} from './store.js';
import { storedId, storedText } from './stored-text.js';

export function memoryStore(): Store {
  const runs = new Map<string, Stored<RunRecord>>();
  const steps = new Map<string, Stored<Step>[]>();
  const questions = new Map<string, Stored<StoredQuestion>>();
  const kept = new Map<string, Stored<StoredAnswer>>();
  let closed = false;

  /** Synchronous work is atomic here: nothing awaits. */
  const now = async <T>(work: () => T): Promise<T> => {
    if (closed) throw new Error('the store is closed');
    return work();
  };
  const stepsOf = (run: string) => {
    const found = steps.get(storedId(run));
    if (found === undefined) throw new StoreError('REFUSED', `there is no run ${run}`);
    return found;
  };
  const changeRun = (id: string, change: Partial<RunRecord>): void => {
    const record = readOrNull(runs.get(storedId(id)));
    if (record === null) throw new StoreError('REFUSED', `there is no run ${id}`);
    runs.set(id, stored({ ...record, ...change }));
  };

  return {
    begin: (run: StoredRun) =>
      now(() => {
        const record = stored<RunRecord>({ ...run, status: 'running', since: run.begun });
        if (runs.has(storedId(run.id))) throw new StoreError('REFUSED', `there is a run ${run.id} already`);
        runs.set(run.id, record);
        steps.set(run.id, []);
      }),
    run: (id) => now(() => readOrNull(runs.get(storedId(id)))),
    runs: () => now(() => [...runs.values()].map(read).reverse()),
    setStatus: (run, status, at) => now(() => changeRun(run, { status, since: at })),
    resume: (run, { pid, at }) => now(() => changeRun(run, { pid, status: 'running', since: at })),
    forget: ({ id, status, since, pid }) =>
      now(() => {
        const record = readOrNull(runs.get(storedId(id)));
        if (record?.status !== status || record.since !== since || record.pid !== pid) return false;
        runs.delete(id);
        steps.delete(id);
        for (const [question, asked] of questions) if (read(asked).run === id) questions.delete(question);
        return true;
      }),
    append: (run, added) =>
      now(() => {
        const texts = added.map((step) => stored<Step>(step));
        stepsOf(run).push(...texts);
      }),
    steps: (run) => now(() => (steps.get(storedId(run)) ?? []).map(read)),
    ask: (question: AskedQuestion) =>
      now(() => {
        const { id } = question.question;
        const waiting = stored<StoredQuestion>({ ...question, state: 'waiting', answer: null, closed: null });
        const before = readOrNull(questions.get(storedId(id)));
        if (before?.digest === storedId(question.digest) && before.state !== 'withdrawn') return;
        // A new run is the last.
        questions.delete(id);
        questions.set(id, waiting);
      }),
    question: (id) => now(() => readOrNull(questions.get(storedId(id)))),
    questions: () => now(() => [...questions.values()].map(read)),
    answer: (id, { digest, answer, at }) =>
      now(() => {
        storedText(answer);
        const before = readOrNull(questions.get(storedId(id)));
        if (before === null) return 'no_such_question';
        if (before.digest !== digest) return 'another_question';
        if (before.state === 'answered') return 'answered_before';
        if (before.state === 'withdrawn') return 'withdrawn';
        questions.set(id, stored({ ...before, state: 'answered', answer, closed: at }));
        return 'taken';
      }),
    withdraw: (id, at) =>
      now(() => {
        const before = readOrNull(questions.get(storedId(id)));
        if (before?.state !== 'waiting') return;
        questions.set(id, stored({ ...before, state: 'withdrawn', closed: at }));
      }),
    keep: (answer: StoredAnswer) =>
      now(() => {
        const { approval } = answer.answer;
        const text = stored(answer);
        if (kept.has(storedId(approval)))
          throw new StoreError('REFUSED', `the answer ${approval} is kept already`);
        kept.set(approval, text);
      }),
    kept: () => now(() => [...kept.values()].map(read)),
    revoke: (approval, at) =>
      now(() => {
        const before = readOrNull(kept.get(storedId(approval)));
        if (before === null || before.revoked !== null) return false;
        kept.set(approval, stored({ ...before, revoked: at }));
        return true;
      }),
    close: async () => {
      closed = true;
    },
  };
}

/** As text, so no caller can change stored values. */
interface Stored<T> {
  readonly text: string;
  readonly of?: T;
}

function stored<T>(value: T): Stored<T> {
  return { text: storedText(value) };
}

function read<T>({ text }: Stored<T>): T {
  return JSON.parse(text) as T;
}

function readOrNull<T>(value: Stored<T> | undefined): T | null {
  return value === undefined ? null : read(value);
}
