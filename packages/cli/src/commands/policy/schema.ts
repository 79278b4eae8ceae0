import { logSchema } from '@ambit/audit';
import { jsonText } from '@ambit/core';
import { policySchema, suiteSchema } from '@ambit/policy';
import { configurationSchema, workerSchema } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';

export async function schema(host: Host, kind: string): Promise<Exit> {
  await write(host.stdout, `${jsonText(schemaOf(kind), 2)}\n`);
  return exits.done;
}

function schemaOf(kind: string): object {
  switch (kind) {
    case 'policy':
      return policySchema();
    case 'worker':
      return workerSchema();
    case 'configuration':
      return configurationSchema();
    case 'log':
      return logSchema();
    case 'suite':
      return suiteSchema();
    default:
      throw new UnusableError(
        `unknown kind of schema \`${kind}\``,
        'policy, suite, worker, configuration or log',
      );
  }
}
