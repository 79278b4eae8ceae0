import { resolve } from 'node:path';
import { type LineJudge, lineToolsetNamed, lineToolsets } from '@ambit/runtime';
import type { Host } from '../../host.js';
import type { OptionsOf } from '../table/table.js';
import { type GivenPolicies, givenPolicies } from './policies.js';

/** The policies of a command, and its toolsets: the built-in ones under the root, and those of modules. */
export async function lineJudge(
  host: Host,
  options: Pick<OptionsOf<'decide'>, 'policy' | 'root' | 'toolset'>,
  hint?: string,
): Promise<{ readonly judge: LineJudge; readonly given: GivenPolicies }> {
  const given = await givenPolicies(host, options, hint);
  const root = resolve(host.folder, options.root);
  const at = {
    environment: host.environment,
    policyFiles: given.files.flatMap(({ name, path }) => [resolve(host.folder, name), path]),
  };
  const { toolset: modules } = options;
  const toolsets =
    modules.length === 0
      ? await lineToolsetNamed(root, at)
      : // Loaded where it is needed, so `decide` starts without it.
        [
          ...(await lineToolsets(root, at)),
          ...(await (await import('./toolsets.js')).givenToolsets(host, modules)),
        ];
  return { judge: { policies: given.policies, toolsets, now: Date.now }, given };
}
