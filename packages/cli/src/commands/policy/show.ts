import { jsonText } from '@ambit/core';
import { formatShow, showNotes, showPolicies } from '@ambit/policy';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { givenPolicies, type PolicyOptions } from '../given/policies.js';

export async function show(
  host: Host,
  options: PolicyOptions & { readonly worker?: string; readonly json?: boolean },
): Promise<Exit> {
  const { worker, json = false } = options;
  const { policies } = await givenPolicies(host, options);
  const of = worker === undefined ? {} : { worker };
  const [rows, notes] = [showPolicies(policies, of), showNotes(policies, of)];
  await write(host.stdout, json ? `${jsonText({ rows, notes })}\n` : formatShow(rows, notes));
  return exits.done;
}
