import type { CallDecision } from '@ambit/core';

/** The decision on a call with one capability that a policy's default permits. */
export const permitted = (name: string): CallDecision => ({
  decision: 'pre_approved',
  capabilities: [{ name }],
  judgements: [
    {
      policy: 'p',
      capability: 0,
      decision: 'pre_approved',
      rules: [],
      default: true,
      answer: null,
      answered_by: null,
      undecided: [],
    },
  ],
  reason: null,
  instead: null,
});
