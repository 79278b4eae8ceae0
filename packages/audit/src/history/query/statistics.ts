import { type Decision, remembered } from '@ambit/core';
import { answerInWords, type CallRow } from './call-row.js';
import { atOnce, type Load, loadOf, ratio, type Tally } from './load.js';

export interface Count {
  readonly name: string;
  readonly count: number;
}

/** Lists are most frequent first. */
export interface Statistics extends Omit<Lists, 'decisive'> {
  readonly calls: number;
  readonly runs: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly decisive: readonly (Count & { readonly decision: Decision })[];
  /** Equal questions (tool, capabilities, reason), with their answers. */
  readonly questions: readonly (Count & { readonly approved: number; readonly refused: number })[];
  /** What people approved and refused. */
  readonly people: readonly {
    readonly person: string;
    readonly approved: number;
    readonly refused: number;
  }[];
  readonly fatigue: Fatigue;
  readonly load: Load;
}

interface Fatigue {
  readonly asked: number;
  readonly per_run: number;
  readonly per_hundred_calls: number;
  /** Questions that had been asked before. */
  readonly equal: number;
  /** Milliseconds until a person answered. */
  readonly median_answer: number | null;
  readonly approved_at_once: number;
}

export async function statisticsOf(rows: AsyncIterable<CallRow> | Iterable<CallRow>): Promise<Statistics> {
  const counts = Object.entries(namesOf).map(([list, names]) => ({ list, names, counts: new Counts() }));
  const runs = new Set<string>();
  const questions = new QuestionCounter();
  let calls = 0;
  let [from, to]: [string | null, string | null] = [null, null];
  for await (const row of rows) {
    calls += 1;
    runs.add(row.run);
    if (from === null || row.time < from) from = row.time;
    if (to === null || row.time > to) to = row.time;
    for (const { names, counts: own } of counts) for (const name of names(row)) own.add(name);
    questions.add(row);
  }
  const lists = Object.fromEntries(counts.map(({ list, counts: own }) => [list, own.list()])) as Lists;
  return {
    calls,
    runs: runs.size,
    from,
    to,
    ...lists,
    decisive: lists.decisive.map(({ name, count }) => {
      const [decision = '', ...rule] = name.split(' ');
      return { name: rule.join(' '), count, decision: decision as Decision };
    }),
    ...questions.statistics({ calls, runs: runs.size }),
  };
}

/** The names that a call counts for, in each list. */
const namesOf = {
  decisions: ({ decision }: CallRow) => [decision ?? 'refused before it was judged'],
  outcomes: ({ outcome }: CallRow) => [outcome ?? 'open'],
  tools: ({ tool }: CallRow) => [tool],
  workers: ({ worker }: CallRow) => [worker],
  decisive: ({ judged, rules }: CallRow) => rules.map((rule) => `${judged} ${rule}`),
  applied: ({ applied }: CallRow) => applied,
  /** Answers by a mode or a kept answer: nobody was asked. */
  unasked: ({ answer }: CallRow) =>
    answer?.how === 'mode' || answer?.how === 'grant' ? [answerInWords(answer)] : [],
};

type Lists = Readonly<Record<keyof typeof namesOf, readonly Count[]>>;

/** Counts the questions of calls, with the answers of people. */
class QuestionCounter {
  readonly #known = new Set<string>();
  readonly #hours = new Map<string, number>();
  readonly #waits: number[] = [];
  readonly #questions = new Tallies();
  readonly #rules = new Tallies();
  readonly #people = new Tallies();
  #approvedAtOnce = 0;

  add(row: CallRow): void {
    this.#count(row.time, 0);
    for (const { id, how, who, approved, after, waited, rules } of row.questions) {
      // One question about several calls is read, and answered, once.
      if (id !== null && this.#known.has(`${row.run} ${id}`)) continue;
      if (id !== null) this.#known.add(`${row.run} ${id}`);
      const question = `${row.tool} (${row.capabilities.join(', ')}), because of ${rules.join(', ')}`;
      const asked = [this.#questions.of(question), ...rules.map((rule) => this.#rules.of(rule))];
      if (!waited) {
        this.#count(row.time, 1);
        for (const tally of asked) tally.questions += 1;
      }
      if (how !== 'person') continue;
      this.#waits.push(after);
      const isAtOnce = approved && after <= atOnce;
      if (isAtOnce) this.#approvedAtOnce += 1;
      for (const tally of [...asked, this.#people.of(who)]) {
        tally[approved ? 'approved' : 'refused'] += 1;
        if (isAtOnce) tally.at_once += 1;
      }
    }
  }

  #count(time: string, questions: number): void {
    const hour = time.slice(0, 13);
    this.#hours.set(hour, (this.#hours.get(hour) ?? 0) + questions);
  }

  statistics({ calls, runs }: Pick<Statistics, 'calls' | 'runs'>) {
    const load = loadOf(this.#hours, this.#rules.mostAskedFirst());
    // The others were asked by an earlier try of the call, and only answered here.
    const questions = this.#questions.mostAskedFirst().filter(([, tally]) => tally.questions > 0);
    return {
      questions: questions.map(([name, tally]) => ({ name, count: tally.questions, ...answersIn(tally) })),
      people: [...this.#people]
        .map(([person, tally]) => ({ person, ...answersIn(tally) }))
        .sort((one, other) => other.approved + other.refused - one.approved - one.refused),
      fatigue: {
        asked: load.questions,
        per_run: ratio(load.questions, runs),
        per_hundred_calls: ratio(load.questions * 100, calls),
        equal: load.questions - questions.length,
        median_answer: median(this.#waits),
        approved_at_once: this.#approvedAtOnce,
      },
      load,
    };
  }
}

class Tallies extends Map<string, Tally> {
  of(name: string): Tally {
    return remembered(this, name, () => ({ questions: 0, approved: 0, refused: 0, at_once: 0 }));
  }

  mostAskedFirst(): readonly (readonly [string, Tally])[] {
    return [...this].sort(
      ([one, many], [other, more]) => more.questions - many.questions || (one < other ? -1 : 1),
    );
  }
}

function answersIn({ approved, refused }: Tally) {
  return { approved, refused };
}

class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  list(): readonly Count[] {
    return [...this.#counts]
      .map(([name, count]) => ({ name, count }))
      .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  }
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
