import type { Decision, DecisionEvent } from '@ambit/core';

export const key = Buffer.alloc(32, 7);
export const now = Date.UTC(2026, 10, 20, 10);

export function decisionEvent(
  call: string,
  decision: Decision | null = 'pre_approved',
  args: DecisionEvent['args'] = {},
): DecisionEvent {
  const base = {
    now,
    event: 'decision',
    call,
    chain: ['main'],
    tool: 'filesystem.write_file',
    args,
    context: {},
    history: [],
    grants: [],
  } as const;
  if (decision === null) return { ...base, decision, code: 'bad_input', why: 'no path' };
  return {
    ...base,
    decision,
    capabilities: [{ name: 'fs.write', path: '/w/a.md' }],
    judgements: [
      {
        capability: 0,
        policy: 'policy.yaml',
        decision,
        default: false,
        rules: [{ id: 'ask', at: 'policy.yaml:3:5', decision }],
        undecided: [],
        answer: decision === 'needs_approval' ? 'any' : null,
        answered_by: null,
      },
    ],
    reason: 'files are looked at',
    instead: null,
  };
}
