import {
  type RunRecord,
  type Step,
  type Store,
  type StoredAnswer,
  type StoredQuestion,
  StoreError,
} from './store.js';
import { storedId } from './stored-text.js';

/** Values by id, in the order in which they were put. */
export interface Table<Value> {
  has(id: string): boolean;
  get(id: string): Value | null;
  all(): readonly Value[];
  /** As the last one, in place of an older one. */
  put(id: string, value: Value): void;
  change(id: string, value: Value): void;
  delete(id: string): void;
}

/** What a store holds. */
export interface Tables {
  readonly runs: Table<RunRecord>;
  readonly questions: Table<StoredQuestion>;
  readonly kept: Table<StoredAnswer>;
  /** By run. */
  readonly steps: {
    add(run: string, steps: readonly Step[]): void;
    of(run: string): readonly Step[];
    delete(run: string): void;
  };
}

/** Where the tables are. Each work is atomic. */
export interface TablePlace {
  readonly read: <T>(work: (tables: Tables) => T) => Promise<T>;
  readonly write: <T>(work: (tables: Tables) => T, when?: 'now' | 'soon') => Promise<T>;
  /** Takes deleted values out of the files beside the place. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The rules of a store, wherever its tables are. */
export function tableStore({ read, write, settle, close }: TablePlace): Store {
  const changeRun = (id: string, changes: Partial<RunRecord>) =>
    write(({ runs }) => runs.change(id, { ...requireRun(id, runs.get(id)), ...changes }));
  return {
    begin: (run) =>
      write(({ runs }) => {
        if (runs.has(run.id)) throw new StoreError('REFUSED', `the run ${run.id} exists already`);
        runs.put(run.id, { ...run, status: 'running', since: run.begun });
      }),
    run: (id) => read(({ runs }) => runs.get(id)),
    runs: () => read(({ runs }) => runs.all().toReversed()),
    setStatus: (run, status, at) => changeRun(run, { status, since: at }),
    resume: (run, { pid, at }) => changeRun(run, { pid, status: 'running', since: at }),
    async forget({ id, status, since, pid }) {
      const isForgotten = await write(({ runs, questions, steps }) => {
        const found = runs.get(id);
        if (found?.status !== status || found.since !== since || found.pid !== pid) return false;
        for (const { run, question } of questions.all()) if (run === id) questions.delete(question.id);
        steps.delete(id);
        runs.delete(id);
        return true;
      });
      if (isForgotten) await settle();
      return isForgotten;
    },
    append: (run, added, when) =>
      write(({ runs, steps }) => {
        requireRun(run, runs.has(run) || null);
        steps.add(run, added);
      }, when),
    steps: (run) => read(({ steps }) => steps.of(run)),
    ask: (asked) =>
      write(({ questions }) => {
        const { id } = asked.question;
        const before = questions.get(id);
        if (before?.digest === storedId(asked.digest) && before.state !== 'withdrawn') return;
        questions.put(id, { ...asked, state: 'waiting', answer: null, closed: null });
      }),
    question: (id) => read(({ questions }) => questions.get(id)),
    questions: () => read(({ questions }) => questions.all()),
    answer: (id, { digest, answer, at }) =>
      write(({ questions }) => {
        const before = questions.get(id);
        if (before === null) return 'no_such_question';
        if (before.digest !== digest) return 'another_question';
        if (before.state === 'answered') return 'answered_before';
        if (before.state === 'withdrawn') return 'withdrawn';
        questions.change(id, { ...before, state: 'answered', answer, closed: at });
        return 'taken';
      }),
    withdraw: (id, at) =>
      write(({ questions }) => {
        const before = questions.get(id);
        if (before?.state === 'waiting') questions.change(id, { ...before, state: 'withdrawn', closed: at });
      }),
    keep: (answer) =>
      write(({ kept }) => {
        const { approval } = answer.answer;
        if (kept.has(approval)) throw new StoreError('REFUSED', `the answer ${approval} is already kept`);
        kept.put(approval, answer);
      }),
    kept: () => read(({ kept }) => kept.all()),
    revoke: (approval, at) =>
      write(({ kept }) => {
        const before = kept.get(approval);
        if (before === null || before.revoked !== null) return false;
        kept.change(approval, { ...before, revoked: at });
        return true;
      }),
    close,
  };
}

function requireRun<T>(id: string, found: T | null): T {
  if (found === null) throw new StoreError('REFUSED', `there is no run ${id}`);
  return found;
}
