import type { JsonObject, NonEmpty } from '@ambit/core';
import type { ClientName } from '@ambit/policy';

export { type ClientName, clientNames } from '@ambit/policy';

/** One tool call, as the client reports it to its hook. */
export interface ClientCall {
  readonly client: ClientName;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The parent session, if the client gives sub-agents sessions of their own; undefined if it is unknown. */
  readonly parent: string | null | undefined;
  /** The acting workers by name: the client first, then the sub-agent. */
  readonly chain: NonEmpty<string>;
  /** Whether a sub-agent may make the call: the client does not say who does. */
  readonly hidesAgents?: true;
  /** The sub-agent's own name, if it is another than in the chain. */
  readonly agent?: string;
  /** The client's own id of the call; null if it has none. */
  readonly id: string | null;
  /** The absolute folder of the call's relative paths. */
  readonly folder: string;
  /** The tool's name in the client. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Whether the client asks nobody about this call, and runs no other arguments. */
  readonly isFixed?: boolean;
  /** The arguments that the client gets in place of its own, so that it does exactly what `args` describe. */
  readonly argsToRun?: JsonObject;
  /** Whether the client's transcript has a result of the call with this id, if it has one. */
  readonly hasEnded?: (id: string) => boolean;
  /** The MCP server and its tool, if the client names them. */
  readonly server: { readonly name: string; readonly tool: string } | null;
}

/** The reason for a call of the hook. */
export type HookEvent =
  | { readonly kind: 'call'; readonly call: ClientCall }
  /** The tool has run. `error`: why it failed; null if it succeeded. */
  | { readonly kind: 'outcome'; readonly call: ClientCall; readonly error: string | null };

/** A hook's answer to a call. `args` replace the call's own arguments. */
export type HookAnswer =
  | { readonly kind: 'allow'; readonly args?: JsonObject }
  | { readonly kind: 'deny'; readonly reason: string }
  /**
   * The client asks its user. `defers`: Claude Code ends instead, and calls the hook again when it is
   * resumed.
   */
  | { readonly kind: 'ask'; readonly reason: string; readonly args?: JsonObject; readonly defers?: true };

/** Why the input of a hook is not usable; the hook refuses the call. */
export class HookInputError extends Error {
  override readonly name = 'HookInputError';
}
