import { escapeText } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';

/** A rule by its id and place, `file:line:column`. */
export interface RuleName {
  readonly id: string;
  readonly at: string;
}

/** `no-secrets (policy.yaml:14:7)`; escaped. */
export function ruleInWords({ id, at }: RuleName): string {
  return `${quote(id)} (${escapeText(at)})`;
}

export function rulesInWords(rules: readonly RuleName[]): string {
  const shown = rules.slice(0, most).map(ruleInWords);
  const left = rules.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

const most = 5;
