import { randomBytes } from 'node:crypto';
import { type JsonObject, messageOf, StartOver } from '@ambit/core';
import { ServerError } from '@ambit/toolsets';
import type { Routes } from './routes.js';
import { errorIn, questionFor, refusal } from './texts.js';

export type Judge = Awaited<ReturnType<typeof import('@ambit/agents/judge').openJudge>>;

export interface Serving {
  readonly routes: Routes;
  /** Opens the judge of all calls. `asks`: whether the client's user can be asked. */
  readonly open: (asks: boolean) => Promise<Judge>;
  /** Milliseconds for which a call waits for `ambit approvals`; 0 for none. */
  readonly hold: number;
  readonly say: (line: string) => void;
}

/** The user's answer to a question of ours, or the result that asks for it. */
export type Answer = 'approve' | 'deny' | { readonly ask: JsonObject };

/** One request of a client, whatever it came by. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: (params: JsonObject) => void;
  /** Puts a question of ours about a call, which has this id, to the client's user. */
  readonly answer: (message: string, id: string) => Promise<Answer>;
  /** The answer that came with the request, to the question about the call with this id. */
  readonly answered?: { readonly id: string; readonly decision: 'approve' | 'deny' };
}

/** What the requests of one client share. */
export interface Around {
  readonly serving: Serving;
  readonly judging: () => Promise<Judge>;
  /** How many calls wait for a person. */
  held: number;
  /** How many requests to the client's model are not answered yet. */
  sampling: number;
}

/** What the server refused is its own error, under its own code and in its own words. */
export async function passed(pass: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await pass();
  } catch (error) {
    if (error instanceof ServerError) throw Object.assign(new Error(error.said), { code: error.code });
    throw error;
  }
}

interface Judged {
  readonly tool: string;
  readonly args: JsonObject;
  readonly what: string;
  readonly asks: boolean;
}

/** A permitted call, on its way to the server. */
export interface Passing {
  /** Whether somebody was asked, and took their time. */
  readonly wasAsked: boolean;
  /** For a call that runs on after its answer: its outcome is recorded by what is returned. */
  readonly later: () => (error: string | null) => void;
}

/** Passes a call on if it is permitted: the decision is recorded before, and the outcome afterwards. */
export async function judged(
  { tool, args, what, asks }: Judged,
  around: Around,
  asking: Asking,
  pass: (passing: Passing) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { signal, answer, answered } = asking;
  const judge = await around.judging();
  const id = answered?.id ?? newId();
  let call = { id, tool, args };
  const first = answered === undefined ? await judge.judge(call) : null;
  const given =
    first?.decision === 'needs_approval'
      ? !asks
        ? 'deny'
        : await answer(questionFor({ what, args }, first.reason), id)
      : (answered?.decision ?? null);
  if (given !== null && typeof given === 'object') return given.ask;
  if (given === 'deny') {
    await judge.deny(call);
    return refusal(
      'REFUSED: the user did not approve this call. Do not try it again unless they ask for it.',
    );
  }
  let verdict = first === null || given === 'approve' ? await judge.approve(call) : first;
  if (asks && verdict.question !== null && verdict.decision === 'blocked') {
    const judgeAgain = () => {
      call = { ...call, id: newId() };
      return judge.judge(call);
    };
    verdict = await held({ verdict, judge, judgeAgain, asking }, around);
  }
  if (verdict.decision !== 'pre_approved') return refusal(`BLOCKED by policy: ${verdict.reason}`);
  let result: JsonObject;
  let isLater = false;
  const ended = call;
  const later = () => {
    isLater = true;
    return (error: string | null) => void judge.ended(ended, error);
  };
  try {
    signal.throwIfAborted();
    result = await passed(() => pass({ wasAsked: verdict !== first, later }));
  } catch (error) {
    const why =
      error instanceof StartOver
        ? 'the server changed the definition of this tool during the session; a person has to accept it first'
        : messageOf(error);
    await judge.ended(call, why);
    if (error instanceof Error && 'code' in error) throw error;
    return refusal(`The call failed: ${why}`);
  }
  // The next call is judged after this is recorded, and refused where it cannot be.
  if (!isLater) void judge.ended(call, errorIn(result));
  return result;
}

function newId(): string {
  return `gw-${randomBytes(12).toString('hex')}`;
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
/** Milliseconds, for a client that is told of progress; others give up after a minute. */
const longestHold = 10 * 60_000;
const betweenMessages = 5_000;

/** Holds a call while a person answers at `ambit approvals`. Gives the last verdict: after the answer, or as it was. */
async function held({ verdict, judge, judgeAgain, asking }: Held, around: Around): Promise<Verdict> {
  const { hold, say } = around.serving;
  const { signal, progress } = asking;
  if (hold === 0 || around.held >= mostHeld) return verdict;
  const until = Date.now() + (progress === undefined ? hold : Math.max(hold, longestHold));
  around.held += 1;
  let now = verdict;
  let count = 0;
  try {
    // An answer is worth nothing where the session changed something meanwhile: then there is another question.
    while (now.question !== null && Date.now() < until) {
      const message = `waits for a person: ambit approvals approve ${now.question.id}`;
      // Below what the server reports of its own progress.
      const tell = () => {
        count += 1;
        progress?.({ progress: count / 1_000_000, message });
      };
      say(`a call ${message}`);
      tell();
      const telling = setInterval(tell, betweenMessages);
      try {
        // Also where the call was cancelled meanwhile: it withdraws the question.
        await judge.settled(now.question.id, until, signal);
      } finally {
        clearInterval(telling);
      }
      if (Date.now() >= until || signal.aborted) break;
      now = await judgeAgain();
    }
    return now;
  } finally {
    around.held -= 1;
  }
}
