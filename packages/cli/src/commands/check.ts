import { type Diagnostic, formatDiagnostics, loadPolicies } from '@ambit/policy';
import { printable } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { policyWorld } from '../policies.js';

/** Each file by itself, with what it extends: the policies that a call combines need not be the ones that are checked. */
export async function check(
  host: Host,
  files: readonly string[],
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const results = await Promise.all(files.map((file) => checked(host, file)));
  if (json) await write(host.stdout, `${jsonText({ files: results })}\n`);
  else for (const result of results) await write(host.stdout, `${inWords(result)}\n`);
  if (results.some(({ ok }) => !ok)) return exits.unusable;
  return results.some(({ diagnostics }) => diagnostics.length > 0) ? exits.bad : exits.done;
}

interface Checked {
  readonly file: string;
  readonly ok: boolean;
  /** Of the file and all that it extends. */
  readonly rules: number;
  readonly diagnostics: readonly Diagnostic[];
}

async function checked(host: Host, file: string): Promise<Checked> {
  const loaded = await loadPolicies([file], await policyWorld(host, {}));
  if (!loaded.ok) return { file, ok: false, rules: 0, diagnostics: loaded.diagnostics };
  const rules = loaded.policies.reduce((sum, policy) => sum + policy.rules.length, 0);
  return { file, ok: true, rules, diagnostics: loaded.warnings };
}

function inWords({ file, ok, rules, diagnostics }: Checked): string {
  const count = `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
  const found = diagnostics.length === 0 ? '' : `${formatDiagnostics(diagnostics)}\n\n`;
  return `${found}${ok ? `${printable(file)}: ok, ${count}` : `${printable(file)}: does not load`}`;
}
