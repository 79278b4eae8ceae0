import { decide, type Request } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import type { Contender } from '../contender.js';
import type { Workload } from '../workload.js';

/** The least work that an engine with an index could do: one look-up for each capability. */
export const floor: Contender = {
  name: 'floor: one `Map.get` a capability',
  mostRules: Number.POSITIVE_INFINITY,
  prepare: ({ rules, requests }) => {
    const allowed = new Map(rules.map(({ name, allows }) => [name, allows]));
    return (call) => {
      let all = true;
      for (const { name } of (requests[call] as Request).capabilities)
        if (allowed.get(name) !== true) all = false;
      return all;
    };
  },
};

export const settled: Contender = {
  name: 'Ambit, the decision',
  mostRules: Number.POSITIVE_INFINITY,
  prepare: ({ requests, policies }) => {
    const engine = createEngine();
    return (call) => engine.settle(requests[call] as Request, policies) === 'pre_approved';
  },
};

export const explained: Contender = {
  name: 'Ambit, decision and explanation',
  mostRules: Number.POSITIVE_INFINITY,
  prepare: ({ requests, policies }) => {
    const engine = createEngine();
    return (call) => engine.decide(requests[call] as Request, policies).decision === 'pre_approved';
  },
};

export const plain: Contender = {
  name: 'Ambit, the plain definition',
  mostRules: 10_000,
  prepare:
    ({ requests, policies }: Workload) =>
    (call) =>
      decide(requests[call] as Request, policies).decision === 'pre_approved',
};
