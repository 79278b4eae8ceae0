import { formatDiagnostics } from '@ambit/policy';
import { printableLines } from '@ambit/runtime';
import { UnloadableError } from './failure.js';

/** What went wrong, for a person; escaped. */
export function failureText(
  error: unknown,
  { message, hint }: { readonly message: string; readonly hint: string | null },
): string {
  const lines =
    error instanceof UnloadableError
      ? [reportOf(error), `ambit: ${message}`]
      : [`ambit: ${message}`, ...(hint === null ? [] : [`hint: ${hint}`])];
  return `${printableLines(lines.join('\n'))}\n`;
}

function reportOf({ diagnostics, others }: UnloadableError): string {
  const parts = [...(diagnostics.length === 0 ? [] : [formatDiagnostics(diagnostics)]), ...others];
  return `${parts.join('\n\n')}\n`;
}
