import { isToolName, isWithin, whatValues } from '@ambit/core';
import {
  agentTool,
  type Entry,
  type Node,
  nearest,
  nearFact,
  quote,
  type Span,
} from '@ambit/policy/internal';
import type { Lint, LintedFile } from '../subject/scope.js';
import { entriesOf, matchersIn, patternsOf, type RuleSite } from '../subject/sites.js';
import { factsFor } from '../subject/toolset-definition.js';

interface FactRead {
  readonly fact: string;
  readonly span: Span;
}

/** What each capability has; and in calls of another agent's sub-agents, its own name. */
const ofAll: ReadonlySet<string> = new Set(['', 'name', 'agent']);

/** A condition on an unknown fact is never decided. */
export const foreignFacts: Lint = ({ file, files, toolsets }, report) => {
  for (const { of, entry } of file.sites.rules.flatMap(matchersIn)) {
    const { name } = of;
    const known = factsFor(name, toolsets);
    const reads = [...factsIn(entry('match')), ...factsIn(entry('except')), ...readIn(entry('when')?.value)];
    for (const { fact, span } of known === null ? [] : reads) {
      if (ofAll.has(fact) || known?.has(fact) || isCarried(fact, name, files)) continue;
      const facts = [...(known?.keys() ?? [])];
      const near = nearFact(fact, name) ?? nearest(fact, facts);
      report('FOREIGN_FACT', span, {
        message: `no known capability called \`${name}\`, or under it, has a fact ${quote(fact)}`,
        help: near === null ? `its facts: ${facts.join(', ')}` : `did you mean \`${near}\`?`,
      });
    }
  }
};

/** Whether a policy itself adds a capability with this fact. */
function isCarried(fact: string, name: string, files: readonly LintedFile[]): boolean {
  return files.some(({ policy }) =>
    policy.carries.some(
      ({ capability }) => isWithin(capability.name, name) && Object.hasOwn(capability, fact),
    ),
  );
}

function factsIn(entry: Entry | undefined): readonly FactRead[] {
  return entriesOf(entry).map(({ key, keySpan }) => ({ fact: key, span: keySpan }));
}

function readIn(node: Node | undefined): readonly FactRead[] {
  if (node?.kind === 'list') return node.items.flatMap(readIn);
  const [entry] = node?.kind === 'map' ? node.entries : [];
  if (entry === undefined) return [];
  const operands = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  switch (entry.key) {
    case 'var':
      return [...operands.slice(0, 1).flatMap(factOf), ...operands.slice(1).flatMap(readIn)];
    case 'missing':
      return operands
        .flatMap((operand) => (operand.kind === 'list' ? operand.items : [operand]))
        .flatMap(factOf);
    case 'missing_some':
      return operands.flatMap((operand) => (operand.kind === 'list' ? operand.items : [])).flatMap(factOf);
    case 'all':
    case 'some':
    case 'none':
      // The second operand speaks about an element.
      return operands.slice(0, 1).flatMap(readIn);
    default:
      return operands.flatMap(readIn);
  }
}

function factOf(node: Node): readonly FactRead[] {
  const [root, fact] = node.kind === 'text' ? node.value.split('.') : [];
  return root === 'capability' && fact !== undefined ? [{ fact, span: node.span }] : [];
}

/** Misspelled values of `what`. Other toolsets may report others. */
export const foreignValues: Lint = ({ file }, report) => {
  for (const { name, patterns } of file.sites.rules.flatMap((site) => [
    ...patternsOf(site, 'what'),
    ...comparedBy(site, 'what'),
  ])) {
    const known = Object.entries(whatValues).flatMap(([of, values]) => (isWithin(of, name) ? values : []));
    for (const node of patterns) {
      if (node.kind !== 'text' || known.includes(node.value)) continue;
      const near = nearest(node.value, known);
      if (near === null) continue;
      const message = `no known capability called \`${name}\`, or under it, says ${quote(node.value)} in \`what\``;
      report('FOREIGN_VALUE', node.span, { message, help: `did you mean ${quote(near)}?` });
    }
  }
};

/** Values of `tool` in `tool.call` that no full name of a tool has: `WebFetch`. */
export const foreignTools: Lint = ({ file }, report) => {
  for (const { name, patterns } of file.sites.rules.flatMap((site) => [
    ...patternsOf(site, 'tool'),
    ...comparedBy(site, 'tool'),
  ]))
    for (const node of isWithin(name, 'tool') ? patterns : []) {
      if (node.kind !== 'text' || /[*?]/.test(node.value)) continue;
      const near = agentTool(node.value);
      if (near === null && isToolName(node.value)) continue;
      report('FOREIGN_VALUE', node.span, {
        message: `no known tool is called ${quote(node.value)}`,
        help:
          near === null
            ? 'a full name is `TOOLSET.TOOL`: `app.send_mail`, `claude-code.web_fetch`'
            : `did you mean \`${near}\`?`,
      });
    }
};

/** The values with which the condition of a rule compares a fact. */
function comparedBy({ rule, entry }: RuleSite, fact: string) {
  const when = entry('when')?.value;
  return rule.about === 'capability' && when !== undefined
    ? [{ name: rule.name, patterns: comparedIn(when, fact) }]
    : [];
}

function comparedIn(node: Node, fact: string): readonly Node[] {
  if (node.kind === 'list') return node.items.flatMap((each) => comparedIn(each, fact));
  const [entry] = node.kind === 'map' ? node.entries : [];
  if (entry === undefined) return [];
  const operands = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  const [first, second] = operands;
  const isFact = (each: Node | undefined) =>
    each?.kind === 'map' && each.entries[0]?.key === 'var' && readIn(each)[0]?.fact === fact;
  if (entry.key === 'in' && isFact(first)) return second?.kind === 'list' ? second.items : [];
  return /^[=!]==?$/.test(entry.key) && operands.some(isFact)
    ? operands
    : operands.flatMap((each) => comparedIn(each, fact));
}
