import { type Entry, type Node, type Problem, quote } from '@ambit/policy/internal';
import type { Lint } from './scope.js';
import type { RuleSite } from './sites.js';

/** Patterns for `program` that hold arguments: the fact is a name, or an absolute path, and nothing else. */
export const programPatterns: Lint = ({ file }) =>
  file.sites.rules.flatMap((site) => matchesOf(site).flatMap(patternsOf).flatMap(problemWith));

function problemWith(node: Node): readonly Problem[] {
  if (node.kind !== 'text' || /^[/*?]/.test(node.value)) return [];
  const [program = '', argument] = node.value.trim().split(/\s+/);
  if (argument === undefined) return [];
  const word = argument.includes('*') ? 'status' : argument;
  return [
    {
      code: 'NO_SUCH_PROGRAM',
      span: node.span,
      message: `no program is called ${quote(node.value)}: \`program\` is a name without arguments`,
      help: `\`program: ${program}\`, and \`when: { "==": [{ var: capability.argv.1 }, ${word}] }\` beside \`match\``,
    },
  ];
}

/** `match` and `except` of a rule, or of each member of a combination. */
function matchesOf({ rule, entry }: RuleSite): readonly (Entry | undefined)[] {
  if (rule.about !== 'combination') return [entry('match'), entry('except')];
  const list = entry('capabilities')?.value;
  return (list?.kind === 'list' ? list.items : []).flatMap((item) =>
    item.kind === 'map' ? item.entries.filter(({ key }) => key === 'match' || key === 'except') : [],
  );
}

function patternsOf(entry: Entry | undefined): readonly Node[] {
  const program =
    entry?.value.kind === 'map' ? entry.value.entries.find(({ key }) => key === 'program') : undefined;
  if (program === undefined) return [];
  return program.value.kind === 'list' ? program.value.items : [program.value];
}
