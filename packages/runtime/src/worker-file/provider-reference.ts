import { type JsonObject, textsOf } from '@ambit/core';
import { type Entry, expectKind, helpFor, quote, type Reporting } from '@ambit/policy/yaml';
import type Anthropic from '@anthropic-ai/sdk';

/** Tools that run at the model's provider, unguarded; by the provider's names. */
const offered = {
  web_search: { name: 'web_search', type: 'web_search_20250305' },
  web_fetch: { name: 'web_fetch', type: 'web_fetch_20250910' },
  code_execution: { name: 'code_execution', type: 'code_execution_20250825' },
} as const satisfies Readonly<Record<string, Anthropic.ToolUnion>>;

export const providerTools: readonly string[] = Object.keys(offered);

export function providerTool(name: string): Anthropic.ToolUnion | null {
  return Object.hasOwn(offered, name) ? offered[name as keyof typeof offered] : null;
}

export function providerToolsIn({ tools }: JsonObject): readonly string[] {
  return textsOf(tools);
}

/** `provider: { tools: [web_search] }`, where a policy has a rule for them. */
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
        message: `${quote(name.value)} is not a tool of a provider`,
        help: helpFor(name.value, providerTools),
      });
    else if (seen.has(name.value))
      reporting.problems.add('BAD_VALUE', name.span, {
        message: `${quote(name.value)} is a duplicate`,
        help: 'once is enough',
      });
    seen.add(name.value);
  }
}
