import { resolve } from 'node:path';
import { describeLine, judgeLine, lineToolsets } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import type { Host } from '../../host.js';
import { writeSets } from '../../view/written-sets.js';
import { filterLines, lineStreams } from '../given/filter.js';
import { type JudgeOptions, lineJudge } from '../given/line-judge.js';
import { requireClosed } from '../given/policies.js';

export type LineAnswers = (line: string) => Promise<object>;

type DecideOptions = JudgeOptions & { readonly open?: boolean };

export async function decide(host: Host, options: DecideOptions): Promise<Exit> {
  const { allUsable } = await filterLines(lineStreams(host), await lineAnswers(host, options));
  return allUsable ? exits.done : exits.bad;
}

export async function lineAnswers(host: Host, options: DecideOptions): Promise<LineAnswers> {
  const { judge, given } = await lineJudge(host, options);
  requireClosed(given, options);
  const written = writeSets(host);
  return async (line) => written(await judgeLine(line, judge));
}

export async function capabilities(host: Host, { root }: { readonly root: string }): Promise<Exit> {
  const folder = resolve(host.folder, root);
  const toolsets = await lineToolsets(folder, { environment: host.environment, policyFiles: [] });
  const written = writeSets(host);
  const { allUsable } = await filterLines(lineStreams(host), async (line) =>
    written(await describeLine(line, { toolsets })),
  );
  return allUsable ? exits.done : exits.bad;
}
