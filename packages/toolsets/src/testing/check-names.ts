import type { Toolset } from '@ambit/core';
import { type Finding, finding } from './finding.js';

/** Words that judge: only policies decide. */
const opinions: ReadonlySet<string> = new Set(
  `safe unsafe harmless harmful dangerous risky benign malicious trusted untrustworthy allow allowed allowable deny denied
  forbid forbidden permit permitted approve approved approval preapproved pre_approved needs_approval unapproved block blocked
  ok okay good bad legal illegal authorized authorised unauthorized unauthorised reviewed sensitive_ok low_risk high_risk`.split(
    /\s+/,
  ),
);

/** `content.untrusted` is a fact. */
export function opinionated(name: string): boolean {
  return name
    .split('.')
    .some((word) => opinions.has(word) || word.split('_').some((part) => opinions.has(part)));
}

export function checkNames({ name, capabilities }: Toolset): readonly Finding[] {
  const findings = capabilities
    .filter((definition) => opinionated(definition.name))
    .map((definition) =>
      finding(
        'NAME_DECIDES',
        `the capability \`${definition.name}\` is an opinion; state the fact that it is drawn from`,
      ),
    );
  const twice = capabilities.filter(
    (one, index) => capabilities.findIndex((other) => other.name === one.name) !== index,
  );
  return [
    ...findings,
    ...twice.map((one) => finding('UNDECLARED_CAPABILITY', `${name} defines \`${one.name}\` twice`)),
  ];
}
