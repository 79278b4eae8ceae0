import { type Capability, isCapability } from '../words/capability.js';
import type { Clock } from '../words/clock.js';
import type { NonEmpty } from '../words/decision.js';
import { frozenCopy, isJson, type Json, type JsonObject } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import type { DescribeContext, Description, Tool } from './tool.js';

/** A checked description of a call, or why it is invalid. */
export type Described =
  | {
      readonly ok: true;
      readonly capabilities: readonly Capability[];
      readonly mapped: readonly Capability[];
      readonly cannot: string | null;
    }
  | { readonly ok: false; readonly why: string };

/** Milliseconds that a tool may take to describe a call, unless the run says otherwise. */
const usualLimit = 10_000;

const late: unique symbol = Symbol('late');

/**
 * Has a tool describe a call, within the time limit. Exceptions and invalid descriptions become a reason. At
 * once, where the tool does not give a promise.
 */
export function describeCall(tool: Tool, args: JsonObject, within: Bounds): Described | Promise<Described> {
  const failed = (error: unknown): Described => ({
    ok: false,
    why: `describing failed: ${messageOf(error)}`,
  });
  const check = (description: unknown): Described => {
    if (description !== late) return checkedDescription(description);
    const why = within.signal.aborted ? 'cancelled while it was described' : 'describing took too long';
    return { ok: false, why };
  };
  try {
    const description = inTime((context) => tool.describe(args, context), within);
    return description instanceof Promise ? description.then(check).catch(failed) : check(description);
  } catch (error) {
    return failed(error);
  }
}

/** Who asks a tool to speak, and how long it may take. */
export interface Bounds {
  readonly chain: NonEmpty<string>;
  readonly clock: Clock;
  /** In milliseconds; ten seconds where left out. */
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
  readonly learnt?: Json | undefined;
}

/**
 * The description, or `late` after the time limit or a cancellation. A description that is there at once needs
 * no timer, and one that does not read the signal needs none.
 */
export function inTime(say: (context: DescribeContext) => unknown, bounds: Bounds): unknown {
  const { chain, signal, learnt } = bounds;
  let done: { readonly end: AbortController; readonly within: AbortSignal } | null = null;
  const within = () => {
    if (done === null) {
      const end = new AbortController();
      done = { end, within: AbortSignal.any([signal, end.signal]) };
    }
    return done.within;
  };
  const known = learnt === undefined ? {} : { learnt };
  const end = () => done?.end.abort();
  let isPending = false;
  try {
    const given = say({
      chain,
      ...known,
      get signal() {
        return within();
      },
    });
    isPending = typeof given === 'object' && given !== null && 'then' in given;
    return isPending ? inLimit(Promise.resolve(given), within, bounds).finally(end) : given;
  } finally {
    if (!isPending) end();
  }
}

async function inLimit(
  saying: Promise<unknown>,
  within: () => AbortSignal,
  { clock, limit = usualLimit }: Bounds,
): Promise<unknown> {
  if (await isSettled(saying)) return saying;
  return Promise.race([saying, clock.after(limit, within()).then(() => late)]);
}

/** Whether a promise is settled by the next step, as that of an async function without an await is. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  promise.then(end, end);
  await Promise.resolve();
  return isOver;
}

function checkedDescription(description: unknown): Described {
  if (typeof description !== 'object' || description === null)
    return { ok: false, why: 'the tool gave no description' };
  const { capabilities, cannot = null, mapped = [] } = description as Partial<Description>;
  if (cannot !== null && typeof cannot !== 'string') return { ok: false, why: '`cannot` is not a text' };
  if (!Array.isArray(capabilities)) return { ok: false, why: 'the tool gave no list of capabilities' };
  const odd = capabilities.find((capability) => !isCapability(capability)) as unknown;
  if (odd !== undefined || capabilities.includes(undefined))
    return { ok: false, why: `not a capability: ${shortly(odd)}` };
  if (!Array.isArray(mapped) || !mapped.every((one: unknown) => isCapability(one)))
    return { ok: false, why: '`mapped` is not a list of capabilities' };
  return {
    ok: true,
    capabilities: capabilities.map((capability) => frozenCopy(capability)),
    mapped: mapped.map((capability) => frozenCopy(capability)),
    cannot,
  };
}

function shortly(value: unknown): string {
  return isJson(value) ? JSON.stringify(value).slice(0, 200) : typeof value;
}
