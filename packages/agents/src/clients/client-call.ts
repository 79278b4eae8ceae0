import type { JsonObject, NonEmpty } from '@ambit/core';

/** Agents whose tool calls Ambit can judge through their hooks. */
export const clientNames = ['claude-code', 'codex', 'gemini', 'copilot', 'opencode'] as const;
export type ClientName = (typeof clientNames)[number];

/** One tool call, as a client's hook was told of it. */
export interface ClientCall {
  readonly client: ClientName;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The session that this one belongs to, where the client gives sub-agents sessions of their own. */
  readonly parent: string | null;
  /** Who acts: the client first, then the sub-agent. Names of workers. */
  readonly chain: NonEmpty<string>;
  /** The client's own id of the call; null where it has none. */
  readonly id: string | null;
  /** Absolute. Where relative paths of the call begin. */
  readonly folder: string;
  /** As the client names it. */
  readonly tool: string;
  readonly args: JsonObject;
  /** The MCP server and its tool, where the client says which they are. */
  readonly server: { readonly name: string; readonly tool: string } | null;
}

/** What a hook was called for. */
export type HookEvent =
  | { readonly kind: 'call'; readonly call: ClientCall }
  /** The tool has run. `error`: why it failed; null where it did not. */
  | { readonly kind: 'outcome'; readonly call: ClientCall; readonly error: string | null };

/** What a hook answers to a call. `args` take the place of the call's own. */
export type HookAnswer =
  | { readonly kind: 'allow'; readonly args?: JsonObject }
  | { readonly kind: 'deny'; readonly reason: string }
  /** The client asks the person who uses it. `defers`: Claude Code ends instead, and asks the hook again once it is resumed. */
  | { readonly kind: 'ask'; readonly reason: string; readonly args?: JsonObject; readonly defers?: true };

/** Why the input of a hook cannot be used; the hook refuses the call. */
export class HookInputError extends Error {
  override readonly name = 'HookInputError';
}
