import { counted, printable } from '@ambit/core';
import { formatSections } from '../calls/format-sections.js';
import type { Obstacle } from './answerable.js';
import type { Learning, Left, Proposal } from './learning.js';
import { capabilitiesInWords, capabilityInWords } from './proposed-rule.js';

const most = 5;

/** The result of learning, for a person; escaped. */
export function formatLearning(learning: Learning): string {
  const { approvals, answered, proposals, fewest, left, dropped, guarded } = learning;
  const sections = [
    [headOf(learning), ...(proposals.length < 2 ? [] : [boundOf(fewest)])].join('\n'),
    ...proposals.map((proposal, index) => proposalText(proposal, index + 1)),
    ...(left.length === 0
      ? []
      : [
          [
            `${counted(approvals - answered, 'approval')} that no rule is proposed for:`,
            ...left.map(leftText),
          ].join('\n'),
        ]),
    ...(dropped.length === 0
      ? []
      : [
          [
            'dropped:',
            ...dropped.map(({ words, why }) => `  ${printable(words)}\n    ${printable(why)}`),
          ].join('\n'),
        ]),
    ...(proposals.length === 0
      ? []
      : [
          `judged again under this, and no looser: ${counted(guarded, 'call')} refused by people, blocked, or never learnt from`,
        ]),
  ];
  return formatSections(sections);
}

function headOf({ approvals, answered, proposals }: Learning): string {
  if (approvals === 0) return 'no person approved anything in this log';
  if (proposals.length === 0) return `${counted(approvals, 'approval')} by people, and no rule to propose`;
  return `${counted(proposals.length, 'rule')} would have answered ${answered} of ${counted(approvals, 'approval')} by people`;
}

function boundOf({ exact, atLeast }: Learning['fewest']): string {
  return exact ? 'no fewer can' : `fewer rules may be enough: at least ${atLeast} are needed`;
}

function proposalText(proposal: Proposal, number: number): string {
  const { words, rule, saves, people, sources, untrusted, covers, not } = proposal;
  const rest = sources.length - most;
  return [
    `${number}. ${printable(words)}`,
    `   saves ${counted(saves, 'question')}, approved by ${printable(people.join(', '))}; as far as ${rule.reach} on the ladder`,
    '   drawn from',
    ...sources
      .slice(0, most)
      .map(
        ({ log, seq, tool, capabilities, untrusted: after }) =>
          `     ${printable(`${log} entry ${seq}  ${tool}  ${capabilitiesInWords(capabilities)}`)}${after ? '  (after text from outside)' : ''}`,
      ),
    ...(rest > 0 ? [`     … and ${rest} more`] : []),
    ...(untrusted === 0
      ? []
      : [
          `   ${untrusted} of these ${untrusted === 1 ? 'was' : 'were'} approved after the run had read text from outside (content.untrusted), which may have asked for it: look at ${untrusted === 1 ? 'it' : 'them'} first`,
        ]),
    ...(covers.length === 0 ? [] : ['   newly covers, for example']),
    ...covers.map(
      ({ capability, entry }) =>
        `     ${printable(capabilityInWords(capability))}${entry === null ? '' : printable(`  (${entry.log} entry ${entry.seq}, which no person answered)`)}`,
    ),
    ...(not === null ? [] : ['   still asks about', `     ${printable(capabilityInWords(not))}`]),
  ].join('\n');
}

const reasons: Readonly<Record<Obstacle, (about: string) => string>> = {
  not_asked: () => 'not asked about any more',
  blocked_now: () => 'blocked by now',
  asked_by_rule: (rule) =>
    `asked by the rule ${rule} on purpose, and no permission loosens a rule: edit that rule`,
  asked_by_worker: (policy) => `asked by ${policy}, which is not a policy file`,
  asked_elsewhere: (policy) => `asked by the default of ${policy}, which is not the file that is edited`,
  wants_person: (rule) => `wants a person each time${rule === '' ? '' : `, by the rule ${rule}`}`,
  never_permitted: (name) => `carries ${name}, which is never learnt`,
  secret: (path) => `about a well-known secret, ${path}`,
  masked: () => 'a fact was masked, so the approved call is unknown',
  created_worker: (worker) => `asked for by ${worker}, which a model made`,
  facts_unknown: (name) => `nothing certain is known about its ${name}`,
  too_many: () => 'asks about files in too many folders: permit a folder above them in the policy',
  refused_too: () => 'any rule for it would let pass something that was refused, blocked or is never learnt',
  dropped: () => 'its rules were dropped, see below',
};

function leftText({ obstacle, about, calls, example }: Left): string {
  return `  ${calls}  ${printable(reasons[obstacle](about ?? ''))} (${printable(`${example.log} entry ${example.seq}`)})`;
}
