import type { JsonObject } from '@ambit/core';
import type { ClientCall, ClientName, HookAnswer, HookEvent } from './client-call.js';
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
  readonly tools: ToolTable;
  /** `stage` is what the hook was installed for; some clients do not say it in the input. Throws `HookInputError`. */
  readonly read: (input: JsonObject, stage: HookStage) => HookEvent;
  readonly write: (answer: HookAnswer) => Written;
  /** The MCP server's tool that a name stands for, where the client's input does not say it. Null: it may be one, or not. */
  readonly mayBeServerTool: (tool: string) => boolean;
}

export const hookStages = ['before', 'after'] as const;
export type HookStage = (typeof hookStages)[number];

export function answered(value: object): Written {
  return { stdout: JSON.stringify(value), stderr: '', exit: 0 };
}

export const silent: Written = { stdout: '', stderr: '', exit: 0 };

/** What every client takes for a refusal: exit code 2 with a line on stderr. */
export function failedHook(reason: string): Written {
  return { stdout: '', stderr: `${reason}\n`, exit: 2 };
}

export type { ClientCall, HookAnswer, HookEvent };
