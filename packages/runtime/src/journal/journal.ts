import {
  type Interrupted,
  interruptedCall,
  type Json,
  type JsonObject,
  type Log,
  type LogEvent,
  type NonEmpty,
  withoutHistory,
} from '@ambit/core';
import type { Came, RunRecord, Step, Store } from '../store/store.js';

/** The steps of one run: those from before it was interrupted, and where new ones go. */
export type Journal = ReturnType<typeof openJournal>;

export function openJournal(store: Pick<Store, 'append'>, run: string, steps: readonly Step[]) {
  const past = pastOf(steps);
  const starts = new Map<string, number>();
  let isClosed = false;
  return {
    past,
    /** Durable when it resolves. Rejects what cannot be stored: the caller then stops the run. */
    append: async (...added: NonEmpty<Step>): Promise<void> => {
      if (isClosed && !added.every(isEnd))
        throw new Error('the run is stored as it was, and continues when it is resumed');
      await store.append(run, added);
    },
    /** The id of a call that starts a toolset; the same until that call has an outcome. */
    startId(place: string, toolset: string): string {
      const name = `${place}.start-${toolset}`;
      let number = starts.get(name) ?? 0;
      while (isOver(`${name}.${number}`)) number += 1;
      starts.set(name, number + 1);
      return `${name}.${number}`;
    },
    /** Stores only the end of the run from now on. */
    close(): void {
      isClosed = true;
    },
  };

  function isOver(call: string): boolean {
    const known = past.calls.get(call);
    return known !== undefined && outcomeIn(known) !== null;
  }
}

function isEnd(step: Step): boolean {
  return step.step === 'events' && step.events.every(({ event }) => event === 'end');
}

/** A log that first stores each event, before masking. So a crash loses no event. */
export function keptLog(log: Log, journal: Journal): Log {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(events, when) {
      const stored = events.map((event) =>
        event.event === 'decision' ? { ...withoutHistory(event), history: [] } : event,
      ) as unknown as typeof events;
      const keeping = last.then(() => journal.append({ step: 'events', events: stored }));
      last = keeping.catch(() => undefined);
      return keeping.then(() => log.append(events, when));
    },
  };
}

export function startedAs(
  journal: Journal,
  place: string,
  toolset: string,
): { readonly id: string; readonly interrupted?: Interrupted } {
  const id = journal.startId(place, toolset);
  const past = journal.past.calls.get(id);
  // The effects of a start ended with its process.
  return past === undefined ? { id } : { id, interrupted: interruptedCall(past.events, false) };
}

/** A stored run that is resumed. */
export interface Resumption {
  readonly record: RunRecord;
  readonly steps: readonly Step[];
  readonly past: Past;
  /** Whether a person stopped it although the store says otherwise. */
  readonly isStopped: boolean;
}

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

interface PastWorker {
  readonly chain: NonEmpty<string>;
  readonly model: string;
  readonly content: Json;
}

interface PastTurn {
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
