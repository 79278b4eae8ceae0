import { type ClientName, clientNames, isClientName } from '@ambit/agents';
import { nearest } from '@ambit/core';
import { UnusableError } from '../../failure.js';

/** Throws for another name. `others` are words that may be meant instead: the names of commands. */
export function clientNamed(name: string, others: readonly string[] = []): ClientName {
  if (isClientName(name)) return name;
  const all = [...clientNames, ...others];
  const near = nearest(name, all) ?? all.find((one) => name.length > 2 && one.startsWith(name)) ?? null;
  throw new UnusableError(
    `\`${name}\` is not a client; the clients are ${clientNames.join(', ')}`,
    near === null ? 'ambit --help' : `did you mean ${near}?`,
  );
}
