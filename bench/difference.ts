import type { NonEmpty } from '@ambit/core';
import { loadPolicyText, type WrittenPolicy } from '@ambit/policy';
import { seeded } from './random.js';

const folders = { home: '/home/ada', root: '/w' };
/** Of how many rules a fact is a condition, besides the one that each has. */
const share = 0.3;
const names = Array.from({ length: 40 }, (_, index) => `area${index % 8}.act${Math.floor(index / 8)}`);

/**
 * Two versions of a policy of many rules over 40 capabilities, with conditions on four facts (a path, a host, an amount and a
 * team); in the second, one rule of a hundred was changed.
 */
export function versionsOf(rules: number): readonly [NonEmpty<WrittenPolicy>, NonEmpty<WrittenPolicy>] {
  const random = seeded(rules);
  const lines = Array.from({ length: rules }, (_, index) => ruleAt(index, random));
  const changed = lines.map((line, index) => (index % 100 === 7 ? ruleAt(index, random) : line));
  return [policyOf(lines), policyOf(changed)];
}

interface Line {
  readonly name: string;
  readonly rule: string;
}

function ruleAt(index: number, random: () => number): Line {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const number = (most: number) => Math.floor(random() * most);
  const decision = pick(['pre_approved', 'pre_approved', 'needs_approval', 'blocked']);
  const path = pick([`/w/p${number(20)}/**`, `**/*.e${number(12)}`, `/w/p${number(20)}/*/f${number(5)}`]);
  const host = pick([`**.d${number(15)}.example`, `*.d${number(15)}.example`, `h${number(30)}.example`]);
  const amount = pick([`{ from: ${number(50)} }`, `{ to: ${number(50)} }`, String(number(50))]);
  const facts = [`path: "${path}"`, `host: "${host}"`, `amount: ${amount}`];
  // One fact at least, and each of the others now and then.
  const first = number(3);
  const chosen = facts.filter((_, place) => place === first || random() < share);
  const when = random() < share ? `, when: { "==": [{ var: capability.team }, t${number(9)}] }` : '';
  return {
    name: names[index % names.length] as string,
    rule: `{ id: r${index}, decision: ${decision}, match: { ${chosen.join(', ')} }${when} }`,
  };
}

function policyOf(lines: readonly Line[]): NonEmpty<WrittenPolicy> {
  const sections = names.map((name) =>
    [`  ${name}:`, ...lines.filter((line) => line.name === name).map(({ rule }) => `    - ${rule}`)].join(
      '\n',
    ),
  );
  const text = `version: 1\ndefault: needs_approval\ncapabilities:\n${sections.join('\n')}\n`;
  const loaded = loadPolicyText('policy.yaml', text, folders);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return [loaded.policy];
}
