import { randomUUID } from 'node:crypto';
import { type DependentCalls, type JsonObject, messageOf, StartOver } from '@ambit/core';
import { ServerError } from '@ambit/toolsets';
import { otherNames } from '../upstream/other-tools.js';
import { startArguments } from '../upstream/start-tool.js';
import { shownData } from './notices.js';
import { type EffectsOf, PlaceBeside } from './place-beside.js';
import type { Routes, Served } from './routes.js';
import { errorIn, questionFor, refusal, withoutReserved } from './texts.js';

export type Judge = Awaited<ReturnType<typeof import('@ambit/agents/judge').openJudge>>;

export interface Serving {
  readonly routes: Routes;
  /** Opens the judge of all calls. `asks`: whether the client's user can be asked. */
  readonly open: (asks: boolean) => Promise<Judge>;
  readonly effectsOf: EffectsOf;
  /** Milliseconds for which a call waits for `ambit approvals`; 0 for no waiting. */
  readonly hold: number;
  readonly say: (line: string) => void;
}

/** The user's answer to a question from Ambit, or the result that asks for it. */
export type Answer = 'approve' | 'deny' | { readonly ask: JsonObject };

/** One request of a client, on any transport. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: (params: JsonObject) => void;
  /** Asks the client's user a question from Ambit about the call with this id. */
  readonly answer: (message: string, id: string) => Promise<Answer>;
  /** The answer, sent with the request, to the question about the call with this id. */
  readonly answered?: { readonly id: string; readonly decision: 'approve' | 'deny' };
  /** Whether the result of a call may be a task, by the extension of the stateless revision. */
  readonly takesTask?: boolean;
}

/** State that the requests of one client share. */
export interface ClientState {
  readonly serving: Serving;
  readonly judging: () => Promise<Judge>;
  readonly dependent: DependentCalls;
  /** The number of calls that wait for a person. */
  held: number;
  /** The number of unanswered requests to the client's model. */
  sampling: number;
}

/** An error of the server is passed on with its own code, message and data. */
export async function withServerErrors<T>(pass: () => Promise<T>): Promise<T> {
  try {
    return await pass();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { code, said, data } = error;
    // Its URLs would be opened, and nobody has judged them.
    const isShown = data !== undefined && code !== opensUrls;
    throw Object.assign(new Error(said), { code, ...(isShown && { data: shownData(data) }) });
  }
}

/** The protocol's code for a request that needs URLs to be opened first. */
const opensUrls = -32_042;

interface Judged {
  readonly tool: string;
  readonly args: JsonObject;
  readonly what: string;
  readonly asks: boolean;
}

/** A permitted call, on its way to the server. */
export interface Passing {
  /** Whether it took time: a person was asked, or another call had to end first. */
  readonly hasWaited: boolean;
  /** For a call that continues after its answer: the returned function records its outcome. */
  readonly later: () => (error: string | null) => void;
}

type Pass = (passing: Passing) => Promise<JsonObject>;

/** Passes a call on if it is permitted: the decision is recorded before, and the outcome afterwards. */
export async function passIfPermitted(
  judged: Judged,
  client: ClientState,
  asking: Asking,
  pass: Pass,
): Promise<JsonObject> {
  const { dependent, serving } = client;
  const place = new PlaceBeside(judged, {
    dependent,
    effectsOf: serving.effectsOf,
    signal: asking.signal,
  });
  let isLater = false;
  try {
    const permitted = await permittedCall(judged, { client, asking, place });
    if ('result' in permitted) return permitted.result;
    const { call, wasAsked, judge } = permitted;
    const hasWaited = wasAsked || place.hasWaited;
    const later = () => {
      isLater = true;
      return (error: string | null) => {
        place.end();
        void judge.ended(call, error);
      };
    };
    let result: JsonObject;
    place.pass();
    try {
      asking.signal.throwIfAborted();
      result = withoutReserved(await withServerErrors(() => pass({ hasWaited, later })));
    } catch (error) {
      const why =
        error instanceof StartOver
          ? 'the server changed the definition of this tool during the session; a person has to accept it first'
          : messageOf(error);
      await judge.ended(call, why);
      if (error instanceof Error && 'code' in error) throw error;
      return refusal(`The call failed: ${why}`);
    }
    // After the answer is written. The next call is judged after this record, and refused if recording fails.
    if (!isLater) process.nextTick(() => void judge.ended(call, errorIn(result)));
    return result;
  } finally {
    if (!isLater) place.end();
  }
}

interface Permitted {
  readonly call: Parameters<Judge['judge']>[0];
  readonly wasAsked: boolean;
  readonly judge: Judge;
}

/** The permitted call, or the result that the client receives instead. While a person is asked, no other call waits for it. */
async function permittedCall(
  { tool, args, what, asks }: Judged,
  {
    client,
    asking,
    place,
  }: { readonly client: ClientState; readonly asking: Asking; readonly place: PlaceBeside },
): Promise<Permitted | { readonly result: JsonObject }> {
  const { answer, answered } = asking;
  const judge = await client.judging();
  const id = answered?.id ?? newId();
  let call = { id, tool, args };
  if (answered?.decision !== 'deny') await place.begin();
  const first = answered === undefined ? await judge.judge(call) : null;
  let given: Answer | null = answered?.decision ?? null;
  if (first?.decision === 'needs_approval') {
    place.end();
    given = asks ? await answer(questionFor({ what, args }, first.reason), id) : 'deny';
    if (given === 'approve') await place.begin();
  }
  if (given !== null && typeof given === 'object') return { result: given.ask };
  if (given === 'deny') {
    await judge.deny(call);
    const why = 'the user did not approve this call. Do not try it again unless they ask for it.';
    return { result: refusal(`REFUSED: ${why}`) };
  }
  let verdict = first === null || given === 'approve' ? await judge.approve(call) : first;
  if (asks && verdict.question !== null && verdict.decision === 'blocked') {
    const judgeAgain = async () => {
      call = { ...call, id: newId() };
      await place.begin();
      const again = await judge.judge(call);
      if (again.decision !== 'pre_approved') place.end();
      return again;
    };
    place.end();
    verdict = await holdCall({ verdict, judge, judgeAgain, asking }, client);
  }
  if (verdict.decision !== 'pre_approved') return { result: refusal(`BLOCKED by policy: ${verdict.reason}`) };
  return { call, wasAsked: verdict !== first, judge };
}

export function newId(): string {
  return `gw-${randomUUID().replaceAll('-', '')}`;
}

type Verdict = Awaited<ReturnType<Judge['judge']>>;

interface Held {
  /** A refusal with a question that a person answers elsewhere. */
  readonly verdict: Verdict;
  readonly judge: Judge;
  readonly judgeAgain: () => Promise<Verdict>;
  readonly asking: Asking;
}

const mostHeld = 50;
/**
 * The waiting time in milliseconds for a client that receives progress; other clients give up after a minute.
 */
const longestHold = 10 * 60_000;
const betweenMessages = 5_000;

/**
 * Holds a call while a person answers at `ambit approvals`. Returns the last verdict: after the answer, or
 * unchanged.
 */
async function holdCall({ verdict, judge, judgeAgain, asking }: Held, client: ClientState): Promise<Verdict> {
  const { hold, say } = client.serving;
  const { signal, progress } = asking;
  if (hold === 0 || client.held >= mostHeld) return verdict;
  const until = Date.now() + (progress === undefined ? hold : Math.max(hold, longestHold));
  client.held += 1;
  let now = verdict;
  let count = 0;
  try {
    // An answer no longer applies if the session changed something meanwhile: then there is another question.
    while (now.question !== null && Date.now() < until) {
      const message = `waits for a person: ambit approvals approve ${now.question.id}`;
      // Lower than the progress that the server itself reports.
      const tell = () => {
        count += 1;
        progress?.({ progress: count / 1_000_000, message });
      };
      say(`a call ${message}`);
      tell();
      const timer = setInterval(tell, betweenMessages);
      try {
        // This also runs if the call was cancelled meanwhile: it withdraws the question.
        await judge.settled(now.question.id, until, signal);
      } finally {
        clearInterval(timer);
      }
      if (Date.now() >= until || signal.aborted) break;
      now = await judgeAgain();
    }
    return now;
  } finally {
    client.held -= 1;
  }
}

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
