import type { WrittenRule } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';

/** `no-secrets (policy.yaml:14:7)` */
export function ruleInWords({ id, at }: Pick<WrittenRule, 'id' | 'at'>): string {
  return `${quote(id)} (${quote(at).slice(1, -1)})`;
}

export function rulesInWords(rules: readonly Pick<WrittenRule, 'id' | 'at'>[]): string {
  const shown = rules.slice(0, most).map(ruleInWords);
  const left = rules.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

const most = 5;
