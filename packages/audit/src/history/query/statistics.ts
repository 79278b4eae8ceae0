import type { Decision } from '@ambit/core';
import type { CallRow } from './call-row.js';
import { atOnce, type Load, LoadCounter, ratio } from './load.js';

export interface Count {
  readonly name: string;
  readonly count: number;
}

/** Lists are most frequent first. */
export interface Statistics {
  readonly calls: number;
  readonly runs: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly decisions: readonly Count[];
  readonly outcomes: readonly Count[];
  readonly tools: readonly Count[];
  readonly workers: readonly Count[];
  readonly decisive: readonly (Count & { readonly decision: Decision })[];
  readonly applied: readonly Count[];
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
  const counts = {
    decisions: new Counts(),
    outcomes: new Counts(),
    tools: new Counts(),
    workers: new Counts(),
    decisive: new Counts(),
    applied: new Counts(),
  };
  const runs = new Set<string>();
  const questions = new QuestionCounter();
  let calls = 0;
  let [from, to]: [string | null, string | null] = [null, null];
  for await (const row of rows) {
    calls += 1;
    runs.add(row.run);
    if (from === null || row.time < from) from = row.time;
    if (to === null || row.time > to) to = row.time;
    counts.decisions.add(row.decision ?? 'refused before it was judged');
    counts.outcomes.add(row.outcome ?? 'open');
    counts.tools.add(row.tool);
    counts.workers.add(row.worker);
    for (const rule of row.rules) counts.decisive.add(`${row.judged} ${rule}`);
    for (const rule of row.applied) counts.applied.add(rule);
    questions.add(row);
  }
  return {
    calls,
    runs: runs.size,
    from,
    to,
    decisions: counts.decisions.list(),
    outcomes: counts.outcomes.list(),
    tools: counts.tools.list(),
    workers: counts.workers.list(),
    decisive: counts.decisive.list().map(({ name, count }) => {
      const [decision = '', ...rule] = name.split(' ');
      return { name: rule.join(' '), count, decision: decision as Decision };
    }),
    applied: counts.applied.list(),
    ...questions.statistics({ calls, runs: runs.size }),
  };
}

/** Counts the questions of calls, with the answers of people. */
class QuestionCounter {
  readonly #load = new LoadCounter();
  readonly #known = new Set<string>();
  readonly #questions = new Counts();
  readonly #answers = new Answers();
  readonly #people = new Answers();
  readonly #waits: number[] = [];
  #asked = 0;
  #approvedAtOnce = 0;

  add(row: CallRow): void {
    this.#load.call(row.time);
    for (const { id, how, who, approved, after, waited, rules } of row.questions) {
      // One question about several calls is read, and answered, once.
      if (id !== null && this.#known.has(`${row.run} ${id}`)) continue;
      if (id !== null) this.#known.add(`${row.run} ${id}`);
      const question = `${row.tool} (${row.capabilities.join(', ')}), because of ${rules.join(', ')}`;
      const about = { time: row.time, rules };
      if (!waited) {
        this.#asked += 1;
        this.#load.question(about);
        this.#questions.add(question);
      }
      if (how !== 'person') continue;
      this.#load.answer(about, { approved, after });
      this.#waits.push(after);
      if (approved && after <= atOnce) this.#approvedAtOnce += 1;
      this.#people.add(who, approved);
      this.#answers.add(question, approved);
    }
  }

  statistics({ calls, runs }: Pick<Statistics, 'calls' | 'runs'>) {
    const questions = this.#questions.list();
    return {
      questions: questions.map((question) => ({ ...question, ...this.#answers.to(question.name) })),
      people: this.#people
        .names()
        .map((person) => ({ person, ...this.#people.to(person) }))
        .sort((one, other) => other.approved + other.refused - one.approved - one.refused),
      fatigue: {
        asked: this.#asked,
        per_run: ratio(this.#asked, runs),
        per_hundred_calls: ratio(this.#asked * 100, calls),
        equal: this.#asked - questions.length,
        median_answer: median(this.#waits),
        approved_at_once: this.#approvedAtOnce,
      },
      load: this.#load.load(),
    };
  }
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

class Answers {
  readonly #answers = new Map<string, { approved: number; refused: number }>();

  add(name: string, approved: boolean): void {
    const known = this.to(name);
    known[approved ? 'approved' : 'refused'] += 1;
    this.#answers.set(name, known);
  }

  to(name: string): { approved: number; refused: number } {
    return this.#answers.get(name) ?? { approved: 0, refused: 0 };
  }

  names(): readonly string[] {
    return [...this.#answers.keys()];
  }
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
