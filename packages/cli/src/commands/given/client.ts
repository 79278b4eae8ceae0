import { type ClientName, clientNames, isClientName } from '@ambit/agents';
import { nearest } from '@ambit/core';
import { UnusableError } from '../../failure.js';

/** `others` are words that may be meant instead: the names of commands. */
export function requireClient(name: string, others: readonly string[] = []): asserts name is ClientName {
  if (isClientName(name)) return;
  const all = [...clientNames, ...others];
  const near = nearest(name, all) ?? all.find((one) => name.length > 2 && one.startsWith(name)) ?? null;
  throw new UnusableError(
    `\`${name}\` is not a client; the clients are ${clientNames.join(', ')}`,
    near === null ? 'ambit --help' : `did you mean ${near}?`,
  );
}
