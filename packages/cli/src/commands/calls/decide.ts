import { resolve } from 'node:path';
import { printable } from '@ambit/core';
import { describeLine, judgeLine, lineToolsets } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { setLister } from '../../view/set-lister.js';
import { filterLines, lineStreams } from '../given/filter.js';
import { lineJudge } from '../given/line-judge.js';
import { requireClosed } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

export type LineAnswers = (line: string) => Promise<object>;

export async function decide(host: Host, options: OptionsOf<'decide'>): Promise<Exit> {
  const answers = await lineAnswers(host, options);
  const decisions = new Set<unknown>();
  const { allUsable } = await filterLines(lineStreams(host), async (line) => {
    const answer = await answers(line);
    if ('decision' in answer) decisions.add(answer.decision);
    return answer;
  });
  if (!allUsable) return exits.bad;
  if (options.exitCode !== true) return exits.done;
  if (decisions.has('blocked')) return exits.blocks;
  return decisions.has('needs_approval') ? exits.asks : exits.done;
}

export async function lineAnswers(host: Host, options: OptionsOf<'decide'>): Promise<LineAnswers> {
  const { judge, given } = await lineJudge(host, options);
  requireClosed(given, options);
  const listSets = setLister(host);
  const { toolset: modules } = options;
  const said = new Set<string>();
  return async (line) => {
    const answer = await judgeLine(line, judge);
    const reported = modules.length > 0 && 'capabilities' in answer ? answer.capabilities : [];
    for (const { name, tool } of reported)
      if (name === 'tool.call' && typeof tool === 'string' && !said.has(tool)) {
        said.add(tool);
        const { unknownTool } = await import('./call-hints.js');
        for (const note of await unknownTool(tool, judge.toolsets))
          await write(host.stderr, `ambit: ${printable(note)}\n`);
      }
    return listSets(answer);
  };
}

export async function capabilities(host: Host, { root }: OptionsOf<'capabilities'>): Promise<Exit> {
  const folder = resolve(host.folder, root);
  const toolsets = await lineToolsets(folder, { environment: host.environment, policyFiles: [] });
  const listSets = setLister(host);
  const { allUsable } = await filterLines(lineStreams(host), async (line) =>
    listSets(await describeLine(line, { toolsets })),
  );
  return allUsable ? exits.done : exits.bad;
}
