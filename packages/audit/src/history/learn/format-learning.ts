import { counted } from '@ambit/core';
import { formatSections } from '../calls/format-sections.js';
import { type Learning, type Left, obstacles, type Proposal } from './learning.js';
import { capabilitiesInWords, capabilityInWords } from './proposed-rule.js';

const most = 5;

/** The result of learning, for a person; escaped. */
export function formatLearning(learning: Learning): string {
  const { approvals, answered, proposals, fewest, left, dropped, guarded } = learning;
  const head = headOf(learning);
  const again = `judged again under these rules, and no looser: ${counted(guarded, 'call')} refused by people, blocked, or never learnt from`;
  return formatSections([
    proposals.length < 2 ? [head] : [head, boundOf(fewest)],
    ...proposals.map((proposal, index) => [...proposalLines(proposal, index + 1)]),
    left.length === 0
      ? []
      : [`${counted(approvals - answered, 'approval')} that no rule is proposed for:`, ...left.map(leftText)],
    dropped.length === 0
      ? []
      : ['dropped:', ...dropped.flatMap(({ words, why }) => [`  ${words}`, `    ${why}`])],
    proposals.length === 0 ? [] : [again],
  ]);
}

function headOf({ approvals, answered, proposals }: Learning): string {
  if (approvals === 0) return 'no person approved anything in this log';
  if (proposals.length === 0) return `${counted(approvals, 'approval')} by people, and no rule to propose`;
  return `${counted(proposals.length, 'rule')} would have answered ${answered} of ${counted(approvals, 'approval')} by people`;
}

function boundOf({ exact, atLeast }: Learning['fewest']): string {
  return exact ? 'no fewer can' : `fewer rules may be enough: at least ${atLeast} are needed`;
}

function* proposalLines(proposal: Proposal, number: number): Generator<string, void, undefined> {
  const { words, rule, saves, people, sources, untrusted, covers, not } = proposal;
  yield `${number}. ${words}`;
  yield `   saves ${counted(saves, 'question')}, approved by ${people.join(', ')}; reach ${rule.reach}`;
  yield '   drawn from';
  for (const { log, seq, tool, capabilities, untrusted: after } of sources.slice(0, most))
    yield `     ${log} entry ${seq}  ${tool}  ${capabilitiesInWords(capabilities)}${after ? '  (after text from outside)' : ''}`;
  if (sources.length > most) yield `     … and ${sources.length - most} more`;
  const [were, them] = untrusted === 1 ? ['was', 'it'] : ['were', 'them'];
  if (untrusted > 0)
    yield `   ${untrusted} of these ${were} approved after the run had read text from outside (content.untrusted), which may have asked for it: look at ${them} first`;
  if (covers.length > 0) yield '   newly covers, for example';
  for (const { capability, entry } of covers) {
    const place = entry === null ? '' : `  (${entry.log} entry ${entry.seq}, which no person answered)`;
    yield `     ${capabilityInWords(capability)}${place}`;
  }
  if (not === null) return;
  yield '   still asks about';
  yield `     ${capabilityInWords(not)}`;
}

function leftText({ obstacle, about, calls, example }: Left): string {
  return `  ${calls}  ${obstacles[obstacle](about ?? '')} (${example.log} entry ${example.seq})`;
}
