import { checkPolicies } from '@ambit/analysis';
import type { Diagnostic } from '@ambit/policy';
import { worldOf } from '../../../policy/test/world.js';

export const now = Date.parse('2026-11-20T10:00:00Z');

/** What lint finds in a policy, and in the files that it extends. */
export async function findingsIn(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Promise<readonly Diagnostic[]> {
  const report = await checkPolicies(['policy.yaml'], worldOf({ 'policy.yaml': text, ...others }), { now });
  if (!report.ok) throw new Error(report.diagnostics.map(({ message }) => message).join('\n'));
  return report.warnings;
}

/** `line:column CODE` */
export async function codesIn(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const found = await findingsIn(text, others);
  return found.map(({ line, column, code }) => `${line}:${column} ${code}`);
}
