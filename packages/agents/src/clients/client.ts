import { type JsonObject, printableLines } from '@ambit/core';
import type { ClientName, HookAnswer, HookEvent } from './client-call.js';
import type { PathOrigin } from './fields.js';
import type { ToolTable } from './tool-table.js';

/** The output of a hook, and the exit code of its process. */
export interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: 0 | 2;
}

/** One client: the input format of its hook, its tools, and the format of answers. */
export interface Client {
  readonly name: ClientName;
  /** Whether the client can ask its user, so that the hook may answer `ask`. */
  readonly canAsk: boolean;
  /** Whether the agent begins a call that may change something only when its other calls have ended. */
  readonly isSerial?: boolean;
  /**
   * When the client runs arguments that the hook changed: never, if the hook permits the call, or also if a person is
   * asked.
   */
  readonly rewrites: 'never' | 'permitted' | 'asked_too';
  readonly tools: ToolTable;
  /** The absolute paths that the client may take a path for; one of them null if it may search for another file. */
  readonly pathsOf: (path: string, from: PathOrigin, isSearched?: boolean) => readonly (string | null)[];
  /**
   * `stage` is the event that the hook was installed for; some clients do not name it in the input. Throws
   * `HookInputError`.
   */
  readonly read: (input: JsonObject, stage: HookStage) => HookEvent;
  readonly write: (answer: HookAnswer, isFixed?: boolean) => Written;
  /** Whether a name outside the table may be a tool of an MCP server. */
  readonly mayBeServerTool: (tool: string) => boolean;
  /** Whether a name outside the table is a tool that a program of the settings runs. */
  readonly runsProgram?: (tool: string) => boolean;
}

export type HookStage = 'before' | 'after';

export function answered(value: object): Written {
  return { stdout: JSON.stringify(value), stderr: '', exit: 0 };
}

export const silent: Written = { stdout: '', stderr: '', exit: 0 };

/** The refusal that every client accepts: exit code 2 with a line on stderr. */
export function failedHook(reason: string): Written {
  return { stdout: '', stderr: `${printableLines(reason)}\n`, exit: 2 };
}
