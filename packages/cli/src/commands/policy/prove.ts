import { formatAttenuation, proveAttenuation } from '@ambit/analysis';
import { loadPolicies } from '@ambit/policy';
import { isWorkerName, type NonEmpty } from '@ambit/runtime';
import { type Exit, exits, UnloadableError, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { jsonText } from '../../view/json-text.js';
import { policyWorld } from '../given/policies.js';

export interface ProveOptions {
  readonly attenuates?: boolean;
  readonly root: string;
  readonly json?: boolean;
}

export async function prove(
  host: Host,
  {
    child,
    parent,
    files,
  }: { readonly child: string; readonly parent: string; readonly files: NonEmpty<string> },
  { attenuates = false, root, json = false }: ProveOptions,
): Promise<Exit> {
  if (!attenuates)
    throw new UnusableError('what is to be proved is not said', 'ambit prove --attenuates CHILD PARENT FILE');
  for (const worker of [child, parent])
    if (!isWorkerName(worker)) throw new UnusableError(`no worker can be called \`${worker}\``);
  const loaded = await loadPolicies(files, await policyWorld(host, { root }));
  if (!loaded.ok) throw new UnloadableError(loaded.diagnostics);
  const proof = proveAttenuation(loaded.policies, { child, parent });
  const text = json ? jsonText({ child, parent, proof }) : formatAttenuation(proof, { child, parent });
  await write(host.stdout, `${text}\n`);
  return proof.status === 'proved' ? exits.done : exits.bad;
}
