import type { DecisionEvent, LogEvent, NonEmpty, OutcomeEvent } from '@ambit/core';

/** What one call of a run leaves in its log: the decision, and the outcome. */
export function callEvents(index: number): NonEmpty<LogEvent> {
  const now = Date.UTC(2026, 10, 20, 10) + index * 37;
  const call = `mfz3k2-${index.toString(16).padStart(12, '0')}`;
  const path = `/work/out/report-${index % 97}.md`;
  const args = {
    path: `out/report-${index % 97}.md`,
    content: `# Report ${index}\n\n${prose}`,
    overwrite: index % 2 === 0,
  };
  const judgement = {
    policy: 'policy.yaml',
    default: false,
    undecided: [],
    answered_by: null,
  } as const;
  const decision: DecisionEvent = {
    now,
    event: 'decision',
    call,
    chain: ['orchestrator', 'writer'],
    tool: 'filesystem.write_file',
    args,
    context: { env: 'ci', ticket: 'OPS-1234' },
    history: ['fs.read', 'fs.list', 'worker.call', 'data.share'],
    grants: [],
    decision: 'pre_approved',
    capabilities: [
      { name: 'fs.write', path, bytes: 612, exists: true },
      { name: 'fs.list', path: '/work/out' },
    ],
    judgements: [
      {
        ...judgement,
        capability: 0,
        decision: 'pre_approved',
        rules: [{ id: 'out-folder', at: 'policy.yaml:12:7', decision: 'pre_approved' }],
        answer: null,
      },
      {
        ...judgement,
        capability: 1,
        decision: 'pre_approved',
        rules: [{ id: 'capabilities.fs.list[0]', at: 'policy.yaml:8:3', decision: 'pre_approved' }],
        answer: null,
      },
    ],
    reason: null,
    instead: null,
  };
  const outcome: OutcomeEvent = { now: now + 12, event: 'outcome', call, outcome: 'completed' };
  return [decision, outcome];
}

/** The same with a file of eight thousand characters. */
export function longEvents(index: number): NonEmpty<LogEvent> {
  const [decision, ...others] = callEvents(index) as [DecisionEvent, ...LogEvent[]];
  return [
    { ...decision, args: { path: 'out/long.md', content: `${index}\n${prose.repeat(12)}` } },
    ...others,
  ];
}

const prose =
  'The quarter closed with revenue of 4.2 million, up by a tenth on the year before. Costs grew more slowly, at 3 per cent, since two of the three migrations were finished early. The open questions are the lease in Rotterdam and the price of the next contract with the carrier: both are with the finance group until March. '.repeat(
    2,
  );
