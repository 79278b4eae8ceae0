import { logSchema } from '@ambit/audit';
import { jsonText } from '@ambit/core';
import { policySchema, suiteSchema } from '@ambit/policy';
import { configurationSchema, workerSchema } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, print } from '../../host.js';

export async function schema(host: Host, kind: string): Promise<void> {
  await print(host, jsonText(schemaOf(kind), 2));
}

const schemas: ReadonlyMap<string, () => object> = new Map([
  ['policy', policySchema],
  ['worker', workerSchema],
  ['configuration', configurationSchema],
  ['log', logSchema],
  ['suite', suiteSchema],
]);

function schemaOf(kind: string): object {
  const schema = schemas.get(kind);
  if (schema !== undefined) return schema();
  throw new UnusableError(
    `unknown kind of schema \`${kind}\``,
    'policy, suite, worker, configuration or log',
  );
}
