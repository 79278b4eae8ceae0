import type { Decision } from '@ambit/core';
import type { CallRow } from './call-row.js';
import { atOnce, type Load, LoadCounter } from './load.js';

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
    questions: new Counts(),
  };
  const runs = new Set<string>();
  const people = new Answers();
  const answers = new Answers();
  const waits: number[] = [];
  const known = new Set<string>();
  const load = new LoadCounter();
  let [calls, asked, approvedAtOnce] = [0, 0, 0];
  let [from, to]: [string | null, string | null] = [null, null];
  for await (const row of rows) {
    calls += 1;
    load.call(row.time);
    runs.add(row.run);
    if (from === null || row.time < from) from = row.time;
    if (to === null || row.time > to) to = row.time;
    counts.decisions.add(row.decision ?? 'refused before it was judged');
    counts.outcomes.add(row.outcome ?? 'open');
    counts.tools.add(row.tool);
    counts.workers.add(row.worker);
    for (const rule of row.rules) counts.decisive.add(`${row.judged} ${rule}`);
    for (const rule of row.applied) counts.applied.add(rule);
    for (const { id, how, who, approved, after, waited, rules } of row.questions) {
      // One question about several calls is read, and answered, once.
      if (id !== null && known.has(`${row.run} ${id}`)) continue;
      if (id !== null) known.add(`${row.run} ${id}`);
      const question = `${row.tool} (${row.capabilities.join(', ')}), because of ${rules.join(', ')}`;
      const about = { time: row.time, rules };
      if (!waited) {
        asked += 1;
        load.question(about);
        counts.questions.add(question);
      }
      if (how !== 'person') continue;
      load.answer(about, { approved, after });
      waits.push(after);
      if (approved && after <= atOnce) approvedAtOnce += 1;
      people.add(who, approved);
      answers.add(question, approved);
    }
  }
  const questions = counts.questions.list();
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
    questions: questions.map((question) => ({ ...question, ...answers.to(question.name) })),
    people: people
      .names()
      .map((person) => ({ person, ...people.to(person) }))
      .sort((one, other) => other.approved + other.refused - one.approved - one.refused),
    fatigue: {
      asked,
      per_run: ratio(asked, runs.size),
      per_hundred_calls: ratio(asked * 100, calls),
      equal: asked - questions.length,
      median_answer: median(waits),
      approved_at_once: approvedAtOnce,
    },
    load: load.load(),
  };
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

function ratio(of: number, to: number): number {
  return to === 0 ? 0 : Math.round((of / to) * 100) / 100;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
