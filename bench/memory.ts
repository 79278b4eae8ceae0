import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Request } from '@ambit/core';
import { createEngine, type Engine } from '@ambit/policy';
import { type Workload, workloadOf } from './workload.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of heap for each rule, besides those of the policy itself. */
export interface HeapOfRules {
  readonly rules: number;
  /** Once the policy was read. */
  readonly read: number;
  /** Once 10 000 calls were decided, and once they were explained. */
  readonly decided: number;
  readonly explained: number;
}

export function measureHeap(rules: number): HeapOfRules {
  const workload = workloadOf(rules);
  warmUp();
  const before = heap();
  const engine = createEngine();
  const bytes = [1, workload.requests.length].map((calls) => {
    run(engine, workload, 'settle', calls);
    return heap() - before;
  });
  run(engine, workload, 'decide', workload.requests.length);
  const explained = heap() - before;
  const [read = 0, decided = 0] = bytes;
  run(engine, workload, 'settle', 1);
  return { rules, read: read / rules, decided: decided / rules, explained: explained / rules };
}

/**
 * The first call also creates things that do not belong to a rule, such as compiled code. This is a function of its own, because
 * the arguments of a call stay in the registers of its frame, and would be measured as part of the state before.
 */
function warmUp(): void {
  run(createEngine(), workloadOf(20), 'settle', 10_000);
  run(createEngine(), workloadOf(20), 'decide', 10_000);
}

function run(engine: Engine, { requests, policies }: Workload, what: keyof Engine, calls: number): void {
  for (let call = 0; call < calls; call += 1) engine[what](requests[call] as Request, policies);
}

function heap(): number {
  for (let time = 0; time < 4; time += 1) collect();
  return process.memoryUsage().heapUsed;
}
