import type { Capability } from '@ambit/core';
import { shellAt } from '../../src/index.js';
import { cwd, home } from './fixture.js';

const toolset = shellAt(cwd, { home, guarded: [] });
const [tool] = toolset.tools;

/** What the toolset says about a line. */
export async function describeLine(command: string): Promise<readonly Capability[]> {
  if (tool === undefined) throw new TypeError('the toolset has no tool');
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const { capabilities } = await tool.describe({ command }, context);
  return capabilities;
}
