import { type Capability, isJsonObject, type Json } from '@ambit/core';

/** A server's statements about a tool of its own. */
export interface Hints {
  readonly read_only: boolean;
  readonly destructive: boolean;
  readonly open_world: boolean;
}

/** The specification's worst case, for missing and for untrusted hints. */
export const worstHints: Hints = { read_only: false, destructive: true, open_world: true };

/** The hints of a trusted server. A missing or invalid hint has the worst case. */
export function hintsIn(annotations: Json | undefined): Hints {
  if (!isJsonObject(annotations)) return worstHints;
  const read_only = annotations.readOnlyHint === true;
  return {
    read_only,
    // A tool that changes nothing destroys nothing, unless the server contradicts itself.
    destructive: read_only ? annotations.destructiveHint === true : annotations.destructiveHint !== false,
    open_world: annotations.openWorldHint !== false,
  };
}

/** `mcp.call` with these hints, or `mcp.call.changed` in its place. */
export function callCapability(
  call: { readonly server: string; readonly tool: string; readonly changed: boolean },
  hints: Hints,
): Capability {
  const { server, tool, changed } = call;
  return { name: changed ? 'mcp.call.changed' : 'mcp.call', server, tool, ...hints };
}
