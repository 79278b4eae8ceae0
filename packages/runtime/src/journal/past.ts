import type { Json, JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import type { Came, Step } from '../store/store.js';

/** The state of a run from its steps, before it resumes. */
export interface Past {
  /** In order. */
  readonly events: readonly LogEvent[];
  readonly entry: JsonObject | null;
  /** By place. */
  readonly started: ReadonlyMap<string, PastWorker>;
  readonly turns: ReadonlyMap<string, PastTurn>;
  readonly calls: ReadonlyMap<string, PastCall>;
  /** The questions whose answers another agent's call has used. */
  readonly taken: ReadonlySet<string>;
}

export interface PastWorker {
  readonly chain: NonEmpty<string>;
  readonly model: string;
  readonly content: Json;
}

export interface PastTurn {
  readonly place: string;
  readonly message: Json;
  readonly calls: readonly string[];
  /** Null until all of its calls have ended. */
  readonly results: Json | null;
}

export interface PastCall {
  readonly events: readonly LogEvent[];
  /** Whether it had begun to execute. */
  readonly isBegun: boolean;
  /** Its result; null if unknown. */
  readonly came: Exclude<Came, { again: true }> | null;
}

export function turnKey(place: string, turn: number): string {
  return `${place} ${turn}`;
}

export function pastOf(steps: readonly Step[]): Past {
  const events: LogEvent[] = [];
  const started = new Map<string, PastWorker>();
  const turns = new Map<string, PastTurn>();
  const calls = new Map<string, PastCall>();
  const taken = new Set<string>();
  let entry: JsonObject | null = null;
  const change = (call: string, changes: Partial<PastCall>) =>
    calls.set(call, { events: [], isBegun: false, came: null, ...calls.get(call), ...changes });
  for (const step of steps) {
    if (step.step === 'entry') entry ??= step.entry;
    else if (step.step === 'started') started.set(step.place, step);
    else if (step.step === 'turn') {
      const { place, message, calls: made } = step;
      turns.set(turnKey(place, step.turn), { place, message, calls: made, results: null });
    } else if (step.step === 'results') {
      const key = turnKey(step.place, step.turn);
      const turn = turns.get(key);
      if (turn !== undefined) turns.set(key, { ...turn, results: step.results });
    } else if (step.step === 'executing') change(step.call, { isBegun: true, came: null });
    else if (step.step === 'taken') taken.add(step.question);
    else if (step.step === 'executed')
      change(step.call, 'again' in step.came ? { isBegun: false } : { came: step.came });
    else {
      events.push(...step.events);
      for (const event of step.events)
        if ('call' in event)
          change(event.call, { events: [...(calls.get(event.call)?.events ?? []), event] });
    }
  }
  return { events, entry, started, turns, calls, taken };
}

/** How the call ended, if recorded; null while it is active. */
export function outcomeIn({ events }: PastCall): Extract<LogEvent, { event: 'outcome' }> | null {
  return events.findLast((event) => event.event === 'outcome') ?? null;
}

/** Milliseconds of work before the interruption. Time parked or dead does not count. */
export function pastDuration({ events }: Pick<Past, 'events'>): number {
  let [total, begun, last]: [number, number | null, number] = [0, null, 0];
  const end = () => {
    // A clock may have been set back.
    if (begun !== null) total += Math.max(0, last - begun);
  };
  for (const { event, now } of events) {
    if (event === 'run') {
      end();
      begun = now;
      last = now;
    }
    last = Math.max(last, now);
  }
  end();
  return total;
}
