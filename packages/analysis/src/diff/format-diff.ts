import { groupedBy, isNonEmpty } from '@ambit/core';
import { escapeText } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import { unsettledInWords } from '../exact/blind-spot.js';
import { manyFilesInWords, shownCall, unknownFilesInWords } from '../exact/call.js';
import { verdictInWords } from '../exact/verdict.js';
import type { DecisionChange, EditSummary, PolicyDifference } from './diff.js';

/** For people: changes by edit, the smallest first, each with an example. */
export function formatDiff(diff: PolicyDifference): string {
  const { changes, unknown, edits } = diff;
  const groups = groupedBy(changes, (change) => change.edits.join());
  const effective = new Set(changes.flatMap((change) => change.edits));
  const idle = edits.filter((_, index) => !effective.has(index));
  return [
    [headline(diff)],
    ...[...groups.values()].map((group) => groupLines(group, edits)),
    manyFilesInWords(changes.map(({ call }) => call)),
    ...(unknown.length === 0
      ? []
      : [['not settled, so these may be decided differently', ...unknown.flatMap(unsettledInWords)]]),
    ...(idle.length === 0
      ? []
      : [
          [
            `no call is ${unknown.length === 0 ? '' : 'known to be '}decided differently because of`,
            ...idle.map((edit) => `  ${editInWords(edit)}`),
          ],
        ]),
  ]
    .filter(isNonEmpty)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headline({ equal, changes, unknown, counts }: PolicyDifference): string {
  if (equal) return 'equal: no call can tell the two apart';
  const found = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([direction, count]) => `${count} ${direction}`);
  const open = unknown.length === 0 ? [] : [`${unknown.length} not settled`];
  const [noun, verb] = changes.length === 1 ? ['class', 'is'] : ['classes', 'are'];
  const what =
    changes.length === 0
      ? 'no difference was found'
      : `${changes.length} ${noun} of calls ${verb} decided differently`;
  return `${what}: ${[...found, ...open].join(', ')}`;
}

function groupLines(group: readonly DecisionChange[], edits: readonly EditSummary[]): readonly string[] {
  const causes = (group[0] as DecisionChange).edits.map((index) => editInWords(edits[index] as EditSummary));
  return [
    ...(causes.length > 1 ? ['only together:'] : []),
    ...causes.map((cause) => (causes.length > 1 ? `  ${cause}` : cause)),
    ...group.flatMap(({ direction, capability, from, to, call }) => [
      `  ${direction}: ${escapeText(capability)}`,
      `    from ${verdictInWords(from)} to ${verdictInWords(to)}`,
      ...unknownFilesInWords(call).map((files) => `    ${files}`),
      `    ${shownCall(call)}`,
    ]),
  ];
}

const subjects: Readonly<Record<EditSummary['kind'], string>> = {
  rule: 'the rule',
  default: 'the default',
  carries: 'what `carries` adds',
  grants: 'what `grants` admits',
  policy: 'the policy',
};

function editInWords({ kind, what, id, old, new: now }: EditSummary): string {
  const named = kind === 'rule' || kind === 'policy' ? ` ${quote(id)}` : '';
  if (kind === 'policy') return `${what} ${subjects[kind]}${named}`;
  const place = now === null ? (old ?? '') : old === null || old === now ? now : `${now}, was ${old}`;
  return `${what} ${subjects[kind]}${named} (${escapeText(place)})`;
}
