import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatShow, showNotes, showPolicies } from '@ambit/policy';
import { type Host, print } from '../../host.js';
import { looksOf } from '../../view/text.js';
import { givenPolicies, sayUnnamed } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

export async function show(host: Host, options: OptionsOf<'show'>): Promise<void> {
  const { worker, json } = options;
  const { policies } = await givenPolicies(host, options);
  const of = worker === undefined ? {} : { worker };
  const isKnown = worker === 'main' || existsSync(resolve(host.folder, `${worker}.worker`));
  if (worker !== undefined && !isKnown) await sayUnnamed(host, policies, worker);
  const [rows, notes] = [showPolicies(policies, of), showNotes(policies, of)];
  await print(
    host,
    json ? { rows, notes } : formatShow(rows, notes, looksOf(host.stdout, host.environment).width),
  );
}
