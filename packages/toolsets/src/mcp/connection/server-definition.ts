import type { Json, JsonObject } from '@ambit/core';

/** The first revision of the protocol without sessions. */
export const firstStateless = '2026-07-28';

/** As configured. */
export interface McpServer {
  readonly key: string;
  readonly program: McpProgram | McpSite;
  /** Whether its hints about its tools count. */
  readonly trusted: boolean;
  /** Put before the names that a model sees. */
  readonly prefix: string;
  /** By tool name, besides `mcp.call`. */
  readonly carries: Readonly<Record<string, readonly CarriedCapability[]>>;
  /** Milliseconds. */
  readonly limits: { readonly start: number; readonly call: number };
}

export interface McpProgram {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  /** Besides `PATH`, `HOME` and `LANG`. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface McpSite {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Its facts are literal or come from arguments. */
export interface CarriedCapability {
  readonly name: string;
  readonly facts: Readonly<Record<string, CarriedFact>>;
}

export type CarriedFact =
  | { readonly is: Json }
  /** Names on the way to an argument; a list stands for all its items. */
  | { readonly arg: readonly string[] };

export function toolsetNameOf({ key }: Pick<McpServer, 'key'>): string {
  return `mcp-${key}`;
}

export const usualStartLimit = 60_000;
export const usualCallLimit = 60_000;

export type ServerQuestion = 'elicitation/create' | 'sampling/createMessage';

/** What a server may ask for. Without it, everything is refused. */
export interface Asked {
  /** Null if the question is not answered. */
  readonly answer: (
    method: ServerQuestion,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject | null>;
  /** URIs. */
  readonly roots: readonly string[];
  readonly notified: (method: string, params: JsonObject) => void;
}
