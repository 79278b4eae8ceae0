import { printableLines } from '@ambit/core';
import { type McpServer, toolsetNameOf } from './server-definition.js';

const mostWords = 4_000;

/** A failure between us and a server, with its words marked as such and escaped. */
export function printableError(
  error: unknown,
  { server, ended }: { readonly server: McpServer; readonly ended: string | null },
): string {
  const said = error instanceof Error ? error.message : String(error);
  const text = printableLines(said.slice(0, mostWords));
  return `${toolsetNameOf(server)}: ${ended === null ? text : `${printableLines(ended)} (${text})`}`;
}
