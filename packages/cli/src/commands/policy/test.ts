import { jsonText } from '@ambit/core';
import { formatReport, type LoadedSuite, loadSuite, reportSuites, type SuitesReport } from '@ambit/policy';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { suiteFiles } from './suite-files.js';
import { suiteWorld } from './suite-world.js';

export interface TestOptions {
  readonly root?: string;
  readonly toolset?: readonly string[];
  readonly coverage?: boolean;
  readonly minCoverage?: number;
  readonly mutate?: boolean;
  readonly maxSurvivors?: number;
  readonly json?: boolean;
}

export async function test(host: Host, paths: readonly string[], options: TestOptions): Promise<Exit> {
  const {
    root,
    coverage = false,
    minCoverage,
    mutate: mutation = false,
    maxSurvivors,
    json = false,
  } = options;
  if (maxSurvivors !== undefined && !mutation) throw new UnusableError('--max-survivors needs --mutate');
  const files = await suiteFiles(host, paths);
  const world = await suiteWorld(host, { root, now: Date.now(), toolset: options.toolset });
  const loaded: LoadedSuite[] = [];
  for (const file of files) loaded.push(await loadSuite(file, world));
  const report = reportSuites(loaded, { coverage: coverage || minCoverage !== undefined, mutation });
  await write(host.stdout, `${json ? jsonText(report) : formatReport(report, { mutation })}\n`);
  return exitOf(report, { minCoverage, maxSurvivors });
}

function exitOf(
  { ok, counts, coverage, mutation }: SuitesReport,
  {
    minCoverage = 0,
    maxSurvivors = 0,
  }: { minCoverage: number | undefined; maxSurvivors: number | undefined },
): Exit {
  if (!ok) return exits.unusable;
  const isUncovered = coverage !== null && 100 * coverage.matched < minCoverage * coverage.total;
  const isUnnoticed = mutation !== null && mutation.survivors.length > maxSurvivors;
  return counts.failed > 0 || isUncovered || isUnnoticed ? exits.bad : exits.done;
}
