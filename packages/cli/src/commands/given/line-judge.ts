import { resolve } from 'node:path';
import type { Toolset } from '@ambit/core';
import { type LineJudge, lineToolsets } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { type GivenPolicies, givenPolicies, type PolicyOptions } from './policies.js';

export interface JudgeOptions extends PolicyOptions {
  readonly root: string;
  /** Modules with further toolsets. */
  readonly toolset?: readonly string[];
}

/** The policies of a command, and the toolsets under its root: the built-in ones, and those of modules. */
export async function lineJudge(
  host: Host,
  options: JudgeOptions,
): Promise<{ readonly judge: LineJudge; readonly given: GivenPolicies }> {
  const given = await givenPolicies(host, options);
  const toolsets = await lineToolsets(resolve(host.folder, options.root), {
    environment: host.environment,
    policyFiles: given.files.flatMap(({ name, path }) => [resolve(host.folder, name), path]),
  });
  const more = options.toolset?.length ? await loaded(host, options.toolset) : [];
  return { judge: { policies: given.policies, toolsets: [...toolsets, ...more], now: Date.now }, given };
}

/** Loaded where it is needed, so `decide` starts without it. */
async function loaded(host: Host, modules: readonly string[]): Promise<readonly Toolset[]> {
  const { givenToolsets } = await import('./toolsets.js');
  return givenToolsets(host, modules);
}
