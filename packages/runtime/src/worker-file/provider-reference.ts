import { type Entry, expectKind, helpFor, quote, type Reporting } from '@ambit/policy/yaml';
import { providerTools } from '../toolsets/provider-tools.js';

/** `provider: { tools: [web_search] }`: what a worker's model may be offered of its provider, where a policy lets it. */
export function checkProviderReference(
  { tools }: Readonly<Record<string, Entry | undefined>>,
  reporting: Reporting,
): void {
  const list = tools === undefined ? undefined : expectKind(tools.value, ['list'], reporting);
  const seen = new Set<string>();
  for (const item of list?.items ?? []) {
    const name = expectKind(item, ['text'], reporting);
    if (name === undefined) continue;
    if (!providerTools.includes(name.value))
      reporting.problems.add('UNKNOWN_TOOL', name.span, {
        message: `${quote(name.value)} is no tool of a provider`,
        help: helpFor(name.value, providerTools),
      });
    else if (seen.has(name.value))
      reporting.problems.add('BAD_VALUE', name.span, {
        message: `${quote(name.value)} is there twice`,
        help: 'once is enough',
      });
    seen.add(name.value);
  }
}
