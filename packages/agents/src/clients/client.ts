import type { JsonObject } from '@ambit/core';
import type { ClientName, HookAnswer, HookEvent } from './client-call.js';
import type { ToolTable } from './tool-table.js';

/** What a hook writes, and the exit code of its process. */
export interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: 0 | 2;
}

/** One client: how it tells its hook of a call, which tools it has, and how it is answered. */
export interface Client {
  readonly name: ClientName;
  /** Whether the client can ask the person who uses it, so that the hook may answer `ask`. */
  readonly canAsk: boolean;
  /** Whether it runs other arguments that the hook answers with: where it permits, or also where a person is asked. */
  readonly rewrites: 'never' | 'permitted' | 'asked_too';
  readonly tools: ToolTable;
  /** `stage` is what the hook was installed for; some clients do not say it in the input. Throws `HookInputError`. */
  readonly read: (input: JsonObject, stage: HookStage) => HookEvent;
  readonly write: (answer: HookAnswer) => Written;
  /** Whether a name outside the table may be that of an MCP server's tool. */
  readonly mayBeServerTool: (tool: string) => boolean;
}

export type HookStage = 'before' | 'after';

export function answered(value: object): Written {
  return { stdout: JSON.stringify(value), stderr: '', exit: 0 };
}

export const silent: Written = { stdout: '', stderr: '', exit: 0 };

/** What every client takes for a refusal: exit code 2 with a line on stderr. */
export function failedHook(reason: string): Written {
  return { stdout: '', stderr: `${reason}\n`, exit: 2 };
}
