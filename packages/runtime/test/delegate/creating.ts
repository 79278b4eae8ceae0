import type { Json, JsonObject } from '@ambit/core';
import { callsIn, type Files, type Options, out, runAt, worker, workplace } from '../session.js';

export const creating = { version: 1, default: 'needs_approval', capabilities: { worker: 'needs_approval' } };

export const files: Files = {
  'policy.yaml': creating,
  'main.worker': worker({ sandbox: out, toolsets: { delegation: {}, filesystem: {}, helper: {} } }),
  'helper.worker': worker({}),
};

export const scorer = { name: 'scorer', instructions: 'Give a score.', description: 'Scores' };
export const create = (more: JsonObject = {}) => ['worker_create', { ...scorer, ...more }] as const;
export const callIt = (name = 'scorer') => ['worker_call', { worker: name, input: 'score it' }] as const;

/** A run in which `main` makes these calls, one after another, and the new worker does what it is told. */
export async function runOf(
  turns: readonly Json[],
  { more = {}, options = {}, does = [] }: { more?: Files; options?: Options; does?: readonly Json[] } = {},
) {
  const script = { main: [...turns, { say: 'done' }], scorer: [...does, { say: '7 of 10' }], helper: [] };
  const place = workplace({ ...files, 'script.yaml': script, ...more });
  const ran = await runAt(place, { mode: 'approve_all', ...options });
  return { ...ran, place, calls: callsIn(ran.events) };
}

export const created = ({ text }: ReturnType<typeof workplace>, name = 'scorer') =>
  text(`generated/${name}.worker`);
