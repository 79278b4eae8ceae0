import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '@ambit/core';
import type { OutputStream } from '../../host.js';

/** Colours, and the mode for pasted text. */
const harmless = /^\[(?:[0-9;]*m|\?2004h)/;

/** Text of another writer below a view: a question. */
export class Pinned {
  #text = '';
  #isSteered = false;

  add(text: string): void {
    this.#text += text;
    this.#isSteered ||= isSteering(text);
  }

  /** Null if writing the lines again would change them. */
  lines(): readonly string[] | null {
    return this.#isSteered ? null : this.#text.split('\n');
  }

  leave(): void {
    this.#isSteered = true;
  }
}

/** The number of terminal lines of a line that it wraps. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / columns));
}

export function overheard(stream: OutputStream, onText: (text: string) => void): OutputStream {
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    onText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return (stream.write as (...all: unknown[]) => boolean).call(stream, chunk, ...rest);
  };
  return new Proxy(stream, {
    get(target, key) {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Whether a text does more than print lines. */
function isSteering(text: string): boolean {
  const [first = '', ...others] = text.replaceAll('\n', '').split('\u001b');
  return [first, ...others.map((part) => (harmless.test(part) ? part.replace(harmless, '') : '\u001b'))].some(
    (part) => /\p{Cc}/u.test(part),
  );
}
