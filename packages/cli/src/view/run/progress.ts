import { format } from 'node:util';
import type { RunResult, SessionEvent, Step } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';

export interface Progress {
  /** Before the first event of a resumed run. */
  recall(past: readonly Step[]): void;
  take(event: SessionEvent): void;
  /** Shows a line of the program itself. */
  say(line: string): void;
  /** A stream for other writers to the screen. */
  through(output: OutputStream): OutputStream;
  /** While another writer has the screen, lines wait. */
  hold(isTaken: boolean): void;
  /** A second call has no effect. */
  close(result?: Pick<RunResult, 'status' | 'why'>): void;
}

export const noProgress: Progress = {
  through: (output) => output,
  recall: () => undefined,
  say: () => undefined,
  take: () => undefined,
  hold: () => undefined,
  close: () => undefined,
};

export function together(all: readonly Progress[]): Progress {
  const toAll = (tell: (each: Progress) => void) => {
    for (const each of all) tell(each);
  };
  return {
    through: (output) => all.reduce((stream, each) => each.through(stream), output),
    recall: (past) => toAll((each) => each.recall(past)),
    take: (event) => toAll((each) => each.take(event)),
    say: (line) => toAll((each) => each.say(line)),
    hold: (isTaken) => toAll((each) => each.hold(isTaken)),
    close: (result) => toAll((each) => each.close(result)),
  };
}

type Say = (text: string) => void;

/** The last one first: a process has one console for all runs. */
const listeners: Say[] = [];
const { debug, log, info, warn, error } = console;

/** Takes the console output of libraries and toolsets. The returned function stops it. */
export function takeConsole(say: Say): () => void {
  // A separate object, so that two registrations end independently.
  const listener: Say = (text) => say(text);
  if (listeners.length === 0)
    Object.assign(console, { debug: tell, log: tell, info: tell, warn: tell, error: tell });
  listeners.push(listener);
  return () => {
    const at = listeners.indexOf(listener);
    if (at < 0) return;
    listeners.splice(at, 1);
    if (listeners.length === 0) Object.assign(console, { debug, log, info, warn, error });
  };
}

function tell(...words: readonly unknown[]): void {
  listeners.at(-1)?.(format(...words));
}
