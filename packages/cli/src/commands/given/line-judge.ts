import { resolve } from 'node:path';
import { type LineJudge, lineToolsets } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { type GivenPolicies, givenPolicies, type PolicyOptions } from './policies.js';

export interface JudgeOptions extends PolicyOptions {
  readonly root: string;
}

/** The policies of a command, and the built-in toolsets under its root. */
export async function lineJudge(
  host: Host,
  options: JudgeOptions,
): Promise<{ readonly judge: LineJudge; readonly given: GivenPolicies }> {
  const given = await givenPolicies(host, options);
  const toolsets = await lineToolsets(resolve(host.folder, options.root), {
    environment: host.environment,
    policyFiles: given.files.flatMap(({ name, path }) => [resolve(host.folder, name), path]),
  });
  return { judge: { policies: given.policies, toolsets, now: Date.now }, given };
}
