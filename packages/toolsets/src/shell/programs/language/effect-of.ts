import type { Effect, PathAccess } from '../../effect.js';
import { type Word, word } from '../../word.js';
import { inFolder, unknown, within } from '../words.js';

/** A file that a text names, and what happens to it. */
export function file(access: PathAccess, name: string | Word | null, folder: Word | null): Effect {
  return { kind: 'path', access, word: within(folder, asWord(name)) };
}

/** A folder that a text names, with all that is in it. */
export function tree(access: PathAccess, name: string | Word | null, folder: Word | null): Effect {
  return { kind: 'path', access, word: within(folder, asWord(name)), deep: true };
}

/** Text that the shell runs; null where it is put together only then. */
export function shell(text: string | Word | null, folder: Word | null): Effect {
  return { kind: 'code', language: 'sh', text: asWord(text), ...inFolder(folder) };
}

export function load(name: string | Word | null, folder: Word | null): Effect {
  return { kind: 'load', word: within(folder, asWord(name)) };
}

export function connect(to: string | Word | null): Effect {
  return { kind: 'connect', to: typeof to === 'string' ? word(to) : to };
}

export function listen(port: string | undefined): Effect {
  const number = Number(port);
  const isPort = port !== undefined && Number.isInteger(number) && number > 0 && number < 65_536;
  return { kind: 'capability', capability: { name: 'net.listen', ...(isPort ? { port: number } : {}) } };
}

export function admin(what: string): Effect {
  return { kind: 'capability', capability: { name: 'sys.admin', what } };
}

export function opaque(text: string, why: string): Effect {
  return { kind: 'opaque', text, why };
}

function asWord(name: string | Word | null): Word {
  if (name === null) return unknown('?');
  return typeof name === 'string' ? word(name) : name;
}
