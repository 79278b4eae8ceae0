import { formatShow, showPolicies } from '@ambit/policy';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { givenPolicies, type PolicyOptions } from '../policies.js';

export async function show(
  host: Host,
  options: PolicyOptions & { readonly worker?: string; readonly json?: boolean },
): Promise<Exit> {
  const { worker, json = false } = options;
  const { policies } = await givenPolicies(host, options);
  const rows = showPolicies(policies, worker === undefined ? {} : { worker });
  await write(host.stdout, json ? `${jsonText({ rows })}\n` : `${formatShow(rows)}`);
  return exits.done;
}
