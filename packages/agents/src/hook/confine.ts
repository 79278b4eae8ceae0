import { type Capability, isWithin, type JsonObject, opaque } from '@ambit/core';
import { type ConfinedLine, confinedLine } from '@ambit/shell';
import type { ClientCall } from '../clients/client-call.js';
import { clientOf } from '../clients/clients.js';
import { pathsFrom } from '../clients/fields.js';
import { Arguments } from '../clients/tool-table.js';
import type { ClientWorld } from '../describe/describe-client-call.js';

/** A confined call that the client may run instead of the original call. */
export interface Confining {
  readonly kind: ConfinedLine['kind'];
  /** The part of an answer that runs the same command confined. `call` is the call's id in the log. */
  readonly answer: (call: string) => { readonly args: JsonObject };
}

/**
 * How an opaque command runs confined. Null if the client ignores changed arguments, its shell may run something else
 * first, this machine cannot confine, or too many secrets would have to be hidden. The call is then judged as unconfined.
 */
export async function confiningOf(
  call: ClientCall,
  capabilities: readonly Capability[],
  world: ClientWorld,
): Promise<Confining | null> {
  const { tools, rewrites } = clientOf(call.client);
  if (
    rewrites === 'never' ||
    call.server !== null ||
    !capabilities.some(({ name }) => isWithin(name, opaque))
  )
    return null;
  if ((await world.repositorySetting('commands'))?.mayRunFirst === true) return null;
  const uses = tools.get(call.tool)?.uses(new Arguments(call.args)) ?? [];
  const [use] = uses;
  if (uses.length !== 1 || use?.kind !== 'shell' || use.command === null || use.folder === null) return null;
  const { command, folder = '.' } = use;
  const [at = '', ...others] = pathsFrom(call.folder, folder);
  if (others.length > 0) return null;
  const confined = await confinedLine({ ...world, command, folder: at, described: capabilities }).catch(
    () => null,
  );
  if (confined === null) return null;
  const { kind, line } = confined;
  return { kind, answer: (id) => ({ args: { ...call.args, command: line(id) } }) };
}
