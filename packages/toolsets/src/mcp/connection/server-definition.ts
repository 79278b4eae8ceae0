import type { Json, JsonObject } from '@ambit/core';

/** An MCP server as its configuration states it. Values, ready to be compared and shown. */
export interface McpServer {
  /** `mcp-KEY` is the name of its toolset. */
  readonly key: string;
  readonly program: McpProgram | McpSite;
  /** Whether its hints about its own tools count: read only, destructive, open or closed world. */
  readonly trusted: boolean;
  /** Put before the names that a model sees. */
  readonly prefix: string;
  /** Further capabilities of its tools besides `mcp.call`, by tool name. */
  readonly carries: Readonly<Record<string, readonly CarriedCapability[]>>;
  /** Milliseconds that it may take to start, and for one call. */
  readonly limits: { readonly start: number; readonly call: number };
}

/** A program that speaks over its standard input and output. */
export interface McpProgram {
  readonly transport: 'stdio';
  /** A name that is looked for in the fixed search path, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that it runs in; absolute. */
  readonly folder: string;
  /** All that it sees besides `PATH`, `HOME` and `LANG`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Something that speaks over HTTP. */
export interface McpSite {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A capability that every call of a tool carries, its facts written out or drawn from the arguments. */
export interface CarriedCapability {
  readonly name: string;
  readonly facts: Readonly<Record<string, CarriedFact>>;
}

export type CarriedFact =
  | { readonly is: Json }
  /** The names on the way to an argument; through lists, all that is in them. */
  | { readonly arg: readonly string[] };

export function toolsetNameOf({ key }: Pick<McpServer, 'key'>): string {
  return `mcp-${key}`;
}

export const usualStartLimit = 60_000;
export const usualCallLimit = 60_000;

/** A request of a server that its client's user, or model, answers. */
export type ServerQuestion = 'elicitation/create' | 'sampling/createMessage';

/** What a server may ask for, beyond answering calls. Without it, everything is refused. */
export interface Asked {
  /** Answers a question of the server to the user or to the model; null where it is not answered. */
  readonly answer: (
    method: ServerQuestion,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject | null>;
  /** The folders that it is told of, as URIs. */
  readonly roots: readonly string[];
  readonly notified: (method: string, params: JsonObject) => void;
}
