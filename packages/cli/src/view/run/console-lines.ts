import { format } from 'node:util';

type Say = (text: string) => void;

/** Who is told, the last one first of all: there is one console in a process, however many runs. */
const listeners: Say[] = [];
const { debug, log, info, warn, error } = console;

/**
 * What libraries and toolsets say on the console goes there: they would write into the middle of what is drawn on a terminal, or
 * among the lines that a program reads. Returns what ends that.
 */
export function takeConsole(say: Say): () => void {
  // One of its own, so that one who listens twice ends each by itself.
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
