import type { JsonObject } from '@ambit/core';
import { own } from './fields.js';

/** The effects of a call of a client's tool. A fact that is null is unknown. */
export type Use =
  | { readonly kind: 'shell'; readonly command: string | null; readonly folder?: string | null }
  | {
      readonly kind: 'file';
      readonly access: 'read' | 'list' | 'write' | 'delete';
      readonly path: string | null;
      readonly bytes?: number;
    }
  /**
   * Reads all files below a folder that a search walks. `isIgnoring`: except files that ignore rules exclude.
   */
  | { readonly kind: 'search'; readonly path: string | null; readonly isIgnoring: boolean }
  | { readonly kind: 'connect'; readonly url: string | null }
  | { readonly kind: 'agent'; readonly worker: string | null }
  /** Adds text to the run that an outsider may have written. */
  | { readonly kind: 'untrusted'; readonly source: string }
  /** Starts or runs code that the call does not show in full. */
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'persists'; readonly what: string };

/** A tool of a client. */
export interface ClientTool {
  /** The tool's full name in policies. */
  readonly name: string;
  /** All known arguments. A call with any other argument also carries `tool.call`. */
  readonly known: readonly string[];
  readonly uses: (args: Arguments) => readonly Use[];
}

/**
 * Tools by the client's own names. The names in calls come from a model, so this is a map and not an object.
 */
export type ToolTable = ReadonlyMap<string, ClientTool>;

/** The unchecked arguments of a call. */
export class Arguments {
  constructor(readonly all: JsonObject) {}

  /** Null if the argument is missing or not text. */
  text(name: string): string | null {
    const value = own(this.all, name);
    return typeof value === 'string' ? value : null;
  }

  has(name: string): boolean {
    return (own(this.all, name) ?? null) !== null;
  }

  /** An optional path; the folder of the call by default. */
  path(name: string): string | null {
    return this.has(name) ? this.text(name) : '.';
  }

  /** Several paths, as a text or a list; the folder of the call by default. */
  paths(name: string): readonly (string | null)[] {
    const value = own(this.all, name) ?? null;
    if (value === null) return ['.'];
    if (!Array.isArray(value)) return [this.text(name)];
    return value.length === 0 ? ['.'] : value.map((each) => (typeof each === 'string' ? each : null));
  }
}

/** `known`: names of arguments, separated by blanks. */
export function clientTool(name: string, known: string, uses: ClientTool['uses']): ClientTool {
  return { name, known: known.split(' ').filter((each) => each !== ''), uses };
}

/** The size of a text in UTF-8, as a fact of writing it. */
export function bytesOf(text: string | null): { readonly bytes?: number } {
  return text === null ? {} : { bytes: Buffer.byteLength(text) };
}

/** URLs in a text that a client fetches; one unknown URL if there is none. */
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
