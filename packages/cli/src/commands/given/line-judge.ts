import { resolve } from 'node:path';
import { type LineJudge, lineToolsetNamed, lineToolsets } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { type GivenPolicies, givenPolicies, type PolicyOptions } from './policies.js';

export interface JudgeOptions extends PolicyOptions {
  readonly root: string;
  /** Modules with further toolsets. */
  readonly toolset?: readonly string[];
}

/** The policies of a command, and its toolsets: the built-in ones under the root, and those of modules. */
export async function lineJudge(
  host: Host,
  options: JudgeOptions,
): Promise<{ readonly judge: LineJudge; readonly given: GivenPolicies }> {
  const given = await givenPolicies(host, options);
  const root = resolve(host.folder, options.root);
  const at = {
    environment: host.environment,
    policyFiles: given.files.flatMap(({ name, path }) => [resolve(host.folder, name), path]),
  };
  const { toolset: modules = [] } = options;
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
