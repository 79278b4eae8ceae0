import { printableLines } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { jsonText } from '../../view/json-text.js';
import { checkedModule } from './checked-module.js';

/** The table of what a module's tools report, in Markdown, for its README. */
export async function toolsetDescribe(
  host: Host,
  module: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const { report, table } = await checkedModule(host, module);
  const { toolset, tools } = report;
  const document = { toolset, tools: tools.map(({ tool, capabilities }) => ({ tool, capabilities })) };
  await write(host.stdout, json ? `${jsonText(document)}\n` : printableLines(table));
  return exits.done;
}
