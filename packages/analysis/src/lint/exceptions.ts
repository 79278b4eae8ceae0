import type { WrittenMember } from '@ambit/policy';
import { type Entry, type Node, type Problem, quote } from '@ambit/policy/internal';
import { isMatchWithin, separatingFact } from './match-relations.js';
import { heardSites, type Lint } from './scope.js';

/** Exceptions that take everything away again, and those that take nothing away. */
export const exceptions: Lint = ({ file }) =>
  heardSites(file).flatMap(({ rule, entry }) => {
    if (rule.about !== 'combination')
      return problemWith(
        rule,
        entry('except'),
        rule.decision === 'pre_approved' ? 'permission' : 'restriction',
      );
    const nodes = entry('capabilities')?.value;
    return rule.members.flatMap((member, index) =>
      problemWith(member, exceptOf(nodes?.kind === 'list' ? nodes.items[index] : undefined), 'member'),
    );
  });

function problemWith(
  { match, except }: Pick<WrittenMember, 'match' | 'except'>,
  entry: Entry | undefined,
  kind: 'permission' | 'restriction' | 'member',
): readonly Problem[] {
  if (entry === undefined || match === null || except === null) return [];
  const span = entry.keySpan;
  if (isMatchWithin(match, except))
    return [
      {
        code: 'NEVER_APPLIES',
        span,
        message: `everything that \`match\` covers is excepted again, so this ${never[kind]}`,
        help: 'an exception is narrower than what it excepts from',
      },
    ];
  const apart = separatingFact(match, except);
  if (apart === null) return [];
  return [
    {
      code: 'IDLE_EXCEPTION',
      span,
      message: `nothing that \`match\` covers is excepted here: no ${quote(apart)} is covered by both`,
      help: 'make the two patterns meet, or take the exception away',
    },
  ];
}

const never = {
  permission: 'permits nothing',
  restriction: 'never applies for certain',
  member: 'is never present for certain',
} as const;

function exceptOf(node: Node | undefined): Entry | undefined {
  return node?.kind === 'map' ? node.entries.find(({ key }) => key === 'except') : undefined;
}
