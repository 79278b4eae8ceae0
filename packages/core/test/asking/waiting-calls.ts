import type { Answer, Approver, CallOutcome } from '../../src/index.js';
import { turn } from '../guard/manual-clock.js';
import { type Setting, stage } from '../guard/stage.js';

export const put = (path = '/w/a') => ({ tool: 'put', args: { path } });
export const codes = (outcomes: readonly CallOutcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.refusal.code : outcome.status));

/** An approver that is told what to answer when a test says so. */
export const later = (setting: Setting = {}) => {
  const open: ((answer: Answer) => void)[] = [];
  const wait: Approver['ask'] = () => new Promise((resolve) => open.push(resolve));
  const set = stage({ answers: [wait], ...setting });
  return {
    ...set,
    say: async (index: number, answer: Answer) => {
      open[index]?.(answer);
      await turn();
    },
  };
};

export const approve = { answer: 'approve', person: 'ann' } as const;
export const refuse = { answer: 'refuse', person: 'ann' } as const;
