import { UnloadableError } from './failure.js';
import { failureText } from './failure-text.js';
import { type Host, write } from './host.js';
import { jsonText } from './view/json-text.js';

/** Says on stderr what went wrong, and as a document where one is asked for. */
export async function sayFailure(
  error: unknown,
  { message, hint }: { readonly message: string; readonly hint: string | null },
  { argv, host }: { readonly argv: readonly string[]; readonly host: Host },
): Promise<void> {
  const diagnostics = error instanceof UnloadableError ? { diagnostics: error.diagnostics } : {};
  if (argv.includes('--json'))
    await write(host.stdout, `${jsonText({ error: { message, hint, ...diagnostics } })}\n`);
  await write(host.stderr, failureText(error, { message, hint }));
}
