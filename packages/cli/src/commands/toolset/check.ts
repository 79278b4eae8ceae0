import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { jsonText } from '../../view/json-text.js';
import { checkedModule } from './checked-module.js';

export interface ToolsetCheckOptions {
  readonly runs: number;
  readonly seed: number;
  readonly execute?: boolean;
  readonly confine?: boolean;
  readonly json?: boolean;
}

/** Whether the toolset of a module keeps the rules of one; 1 where it does not. */
export async function toolsetCheck(
  host: Host,
  module: string,
  { runs, seed, execute = false, confine = false, json = false }: ToolsetCheckOptions,
): Promise<Exit> {
  if (runs < 1) throw new UnusableError('--runs is at least 1');
  if (confine && !execute) throw new UnusableError('--confine goes with --execute');
  const { report, text } = await checkedModule(host, module, { runs, seed, execute, confine });
  await write(host.stdout, json ? `${jsonText(report)}\n` : text);
  return report.findings.length === 0 ? exits.done : exits.bad;
}
