import { format } from 'node:util';

type Say = (text: string) => void;

/** Who is told, the last one first of all: there is one console in a process, however many runs. */
const listeners: Say[] = [];
const { warn, error } = console;

/**
 * What libraries say on the console goes there, each text once: on a terminal they would write into the middle of what is drawn.
 * Returns what ends that.
 */
export function takeConsole(say: Say): () => void {
  const said = new Set<string>();
  const once = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  if (listeners.length === 0) Object.assign(console, { warn: tell, error: tell });
  listeners.push(once);
  return () => {
    const at = listeners.indexOf(once);
    if (at < 0) return;
    listeners.splice(at, 1);
    if (listeners.length === 0) Object.assign(console, { warn, error });
  };
}

function tell(...words: readonly unknown[]): void {
  listeners.at(-1)?.(format(...words));
}
