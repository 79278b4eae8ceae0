import { type ClientName, clientNames, isClientName } from '@ambit/agents';
import { UnusableError } from '../../failure.js';

export function requireClient(name: string): asserts name is ClientName {
  if (!isClientName(name))
    throw new UnusableError(`\`${name}\` is not a client; the clients are ${clientNames.join(', ')}`);
}
