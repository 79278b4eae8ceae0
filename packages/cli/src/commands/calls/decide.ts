import { resolve } from 'node:path';
import { describeLine, judgeLine, lineToolsets } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import type { Host } from '../../host.js';
import { writeSets } from '../../view/written-sets.js';
import { filterLines } from '../given/filter.js';
import { type JudgeOptions, lineJudge } from '../given/line-judge.js';
import { requireClosed } from '../given/policies.js';

export async function decide(host: Host, options: JudgeOptions & { readonly open?: boolean }): Promise<Exit> {
  const { judge, given } = await lineJudge(host, options);
  requireClosed(given, options);
  const written = writeSets(host);
  const { allUsable } = await filterLines(host, async (line) => written(await judgeLine(line, judge)));
  return allUsable ? exits.done : exits.bad;
}

export async function capabilities(host: Host, { root }: { readonly root: string }): Promise<Exit> {
  const folder = resolve(host.folder, root);
  const toolsets = await lineToolsets(folder, { environment: host.environment, policyFiles: [] });
  const written = writeSets(host);
  const { allUsable } = await filterLines(host, async (line) =>
    written(await describeLine(line, { toolsets })),
  );
  return allUsable ? exits.done : exits.bad;
}
