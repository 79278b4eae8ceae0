import type { JsonObject } from '@ambit/core';
import { own } from './fields.js';

/** What a call of a client's tool does. A fact that is null is unknown. */
export type Use =
  | { readonly kind: 'shell'; readonly command: string | null; readonly folder?: string | null }
  | {
      readonly kind: 'file';
      readonly access: 'read' | 'list' | 'write' | 'delete';
      readonly path: string | null;
      readonly bytes?: number;
    }
  /** Reads all files below a folder that a search goes through. `isIgnoring`: but those that ignore rules name. */
  | { readonly kind: 'search'; readonly path: string | null; readonly isIgnoring: boolean }
  | { readonly kind: 'connect'; readonly url: string | null }
  | { readonly kind: 'agent'; readonly worker: string | null }
  /** Brings text into the run that an outsider may have written. */
  | { readonly kind: 'untrusted'; readonly source: string }
  /** Starts or runs code that the call does not show in full. */
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'persists'; readonly what: string };

/** A tool of a client. */
export interface ClientTool {
  /** The full name by which policies know it. */
  readonly name: string;
  /** All arguments that are known. A call with another one also carries `tool.call`. */
  readonly known: readonly string[];
  readonly uses: (args: Arguments) => readonly Use[];
}

/** By the client's own names. Names come from a model: a map, and no object. */
export type ToolTable = ReadonlyMap<string, ClientTool>;

/** The arguments of a call, of which nothing is certain. */
export class Arguments {
  constructor(readonly all: JsonObject) {}

  /** Null where it is missing or is not text. */
  text(name: string): string | null {
    const value = own(this.all, name);
    return typeof value === 'string' ? value : null;
  }

  has(name: string): boolean {
    return (own(this.all, name) ?? null) !== null;
  }

  /** A path that may be left out: then it is the folder of the call. */
  path(name: string): string | null {
    return this.has(name) ? this.text(name) : '.';
  }

  /** Several paths, as a text or a list; the folder of the call where it is left out. */
  paths(name: string): readonly (string | null)[] {
    const value = own(this.all, name) ?? null;
    if (value === null) return ['.'];
    if (!Array.isArray(value)) return [this.text(name)];
    return value.length === 0 ? ['.'] : value.map((each) => (typeof each === 'string' ? each : null));
  }
}

/** `known`: names of arguments, with blanks between them. */
export function clientTool(name: string, known: string, uses: ClientTool['uses']): ClientTool {
  return { name, known: known.split(' ').filter((each) => each !== ''), uses };
}

/** The size of a text in UTF-8, as a fact of writing it. */
export function bytesOf(text: string | null): { readonly bytes?: number } {
  return text === null ? {} : { bytes: Buffer.byteLength(text) };
}

/** URLs in a text that a client fetches; one that is unknown where there is none. */
export function urlsIn(text: string | null): readonly Use[] {
  const found = text?.match(/\bhttps?:\/\/[^\s<>"'`)\]}]+/gi) ?? [];
  const urls: readonly (string | null)[] = found.length === 0 ? [null] : found;
  return urls.flatMap((url) => fetched(url));
}

export function fetched(url: string | null): readonly Use[] {
  return [
    { kind: 'connect', url },
    { kind: 'untrusted', source: url ?? 'the web' },
  ];
}
