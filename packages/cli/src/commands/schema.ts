import { type Exit, exits, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';

export async function schema(host: Host, kind: string): Promise<Exit> {
  await write(host.stdout, `${jsonText(await schemaOf(kind), 2)}\n`);
  return exits.done;
}

async function schemaOf(kind: string): Promise<object> {
  switch (kind) {
    case 'policy':
      return (await import('@ambit/policy')).policySchema();
    case 'worker':
      return (await import('@ambit/runtime')).workerSchema();
    case 'log':
      return (await import('@ambit/audit')).logSchema();
    case 'suite':
      return (await import('@ambit/policy')).suiteSchema();
    default:
      throw new UnusableError(`there is no schema of \`${kind}\``, 'policy, suite, worker or log');
  }
}
