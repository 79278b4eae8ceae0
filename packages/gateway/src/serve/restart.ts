import { messageOf } from '@ambit/core';
import { otherNames } from '../upstream/other-tools.js';
import { startArguments } from '../upstream/start-tool.js';
import { type ClientState, newId } from './pass-if-permitted.js';
import type { Served } from './routes.js';

const starting = new WeakMap<Served, Promise<string | null>>();

/** Starts a server again that has ended, if that is permitted. Returns why it does not run; null if it runs. */
export async function requireRunning(served: Served, client: ClientState): Promise<string | null> {
  if (served.running.ended === null) return null;
  const begun = starting.get(served) ?? judgeStart(served, client).finally(() => starting.delete(served));
  starting.set(served, begun);
  const why = await begun;
  return why === null ? null : `${served.running.ended}, and was not started again: ${why}`;
}

async function judgeStart(served: Served, { judging }: ClientState): Promise<string | null> {
  const judge = await judging();
  const call = { id: newId(), tool: otherNames.start, args: startArguments(served.starting) };
  const { decision, reason } = await judge.judge(call);
  // An answer of the client would be one to its call, too.
  if (decision === 'needs_approval') await judge.deny(call);
  if (decision !== 'pre_approved') return decision === 'blocked' ? reason : 'its start needs approval';
  const why = await served.restart().then(() => null, messageOf);
  await judge.ended(call, why);
  return why;
}
