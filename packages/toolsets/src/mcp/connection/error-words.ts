import { printableLines } from '@ambit/core';
import { type McpServer, toolsetNameOf } from './server-definition.js';

const mostWords = 4_000;

/** What went wrong between us and a server, with its own words marked as such and nothing unprintable in them. */
export function printableError(
  error: unknown,
  { server, ended }: { readonly server: McpServer; readonly ended: string | null },
): string {
  const said = error instanceof Error ? error.message : String(error);
  const text = printableLines(said.slice(0, mostWords));
  return `${toolsetNameOf(server)}: ${ended === null ? text : `${printableLines(ended)} (${text})`}`;
}
