import { format } from 'node:util';

type Say = (text: string) => void;

/** The last registration comes first: a process has one console for all runs. */
const listeners: Say[] = [];
const { debug, log, info, warn, error } = console;

/** Takes the console output of libraries and toolsets. The returned function stops it. */
export function takeConsole(say: Say): () => void {
  // A separate object, so that each of two registrations ends by itself.
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
