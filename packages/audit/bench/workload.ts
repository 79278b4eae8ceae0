import type { DecisionEvent, LogEvent, NonEmpty, OutcomeEvent } from '@ambit/core';

/** A number from 0 to below `below`. */
export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What one call of a run leaves in its log: the decision, and the outcome. Sizes, names and texts are drawn. */
export function callEvents(index: number, random: Random): NonEmpty<LogEvent> {
  const now = Date.UTC(2026, 10, 20, 10) + index * 37;
  const call = `mfz3k2-${index.toString(16).padStart(12, '0')}`;
  // Most files come again, and some are seen once.
  const name = random(5) === 0 ? `draft-${index}` : `report-${random(97)}`;
  const path = `/work/out/${name}.md`;
  const args = {
    path: `out/${name}.md`,
    content: `# Report ${index}\n\n${textOf(10 + random(200), random)}`,
    overwrite: random(2) === 0,
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

/** The same with a file of some eight thousand characters. */
export function longEvents(index: number, random: Random): NonEmpty<LogEvent> {
  const [decision, ...others] = callEvents(index, random) as [DecisionEvent, ...LogEvent[]];
  const args = { path: 'out/long.md', content: `${index}\n${textOf(1000 + random(600), random)}` };
  return [{ ...decision, args }, ...others];
}

/** None of them is a hint of a secret: nearly all events have none. */
const words =
  'the quarter closed with revenue of 4.2 million up by a tenth on year before costs grew more slowly since two \
three migrations were finished early lease in Rotterdam and price next contract carrier both are finance group'.split(
    ' ',
  );

function textOf(count: number, random: Random): string {
  return Array.from({ length: count }, () => words[random(words.length)]).join(' ');
}
