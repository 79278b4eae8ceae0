import { judgeLine } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { filterLines } from '../filter.js';
import type { Host } from '../host.js';
import { type JudgeOptions, lineJudge } from '../line-judge.js';
import { requireClosed } from '../policies.js';
import { writeSets } from '../written-sets.js';

export async function decide(host: Host, options: JudgeOptions & { readonly open?: boolean }): Promise<Exit> {
  const { judge, given } = await lineJudge(host, options);
  requireClosed(given, options);
  const written = writeSets(host);
  const { allUsable } = await filterLines(host, async (line) => written(await judgeLine(line, judge)));
  return allUsable ? exits.done : exits.bad;
}
