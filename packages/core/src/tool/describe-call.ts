import { type Capability, capabilityOf } from '../words/capability.js';
import type { Clock } from '../words/clock.js';
import type { NonEmpty } from '../words/decision.js';
import { isJson, type Json, type JsonObject } from '../words/json.js';
import { messageOf } from '../words/text.js';
import type { DescribeContext, Description, Tool } from './tool.js';

export type Described =
  | {
      readonly ok: true;
      readonly capabilities: readonly Capability[];
      readonly mapped: readonly Capability[];
      readonly cannot: string | null;
    }
  | { readonly ok: false; readonly why: string };

/** Milliseconds. */
const usualLimit = 10_000;

const late: unique symbol = Symbol('late');

/** Has a tool describe a call in time. Exceptions and invalid descriptions become a reason. */
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

export interface Bounds {
  readonly chain: NonEmpty<string>;
  readonly clock: Clock;
  /** Milliseconds; ten seconds by default. */
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
  readonly learnt?: Json | undefined;
}

/** `late` after the limit or a cancellation. A synchronous description needs no timer. */
export function inTime(say: (context: DescribeContext) => unknown, bounds: Bounds): unknown {
  const context = new Speaking(bounds);
  let isPending = false;
  try {
    const given = say(context);
    isPending = typeof given === 'object' && given !== null && 'then' in given;
    return isPending ? inLimit(Promise.resolve(given), context, bounds) : given;
  } finally {
    if (!isPending) Speaking.end(context);
  }
}

/** Its signal is created on demand, because it costs more than a decision. */
class Speaking implements DescribeContext {
  readonly chain: NonEmpty<string>;
  declare readonly learnt?: Json;
  declare readonly signal: AbortSignal;
  readonly #bounds: Bounds;
  #end: AbortController | null = null;
  #signal: AbortSignal | null = null;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.chain = bounds.chain;
    if (bounds.learnt !== undefined) this.learnt = bounds.learnt;
    Object.defineProperty(this, 'signal', Speaking.#ownSignal);
  }

  static end(speaking: Speaking): void {
    speaking.#end?.abort();
  }

  /** An own property, so that copies of a context include it. */
  static readonly #ownSignal = {
    enumerable: true,
    get(this: Speaking): AbortSignal {
      this.#end ??= new AbortController();
      this.#signal ??= AbortSignal.any([this.#bounds.signal, this.#end.signal]);
      return this.#signal;
    },
  };
}

async function inLimit(
  saying: Promise<unknown>,
  context: Speaking,
  { clock, limit = usualLimit }: Bounds,
): Promise<unknown> {
  try {
    if (await isSettled(saying)) return await saying;
    return await Promise.race([saying, clock.after(limit, context.signal).then(() => late)]);
  } finally {
    Speaking.end(context);
  }
}

/** Enough steps for functions that await only each other. A timer and a signal cost more. */
const fewSteps = 32;

/** Whether a promise settles within a few steps, as that of an async function without waits does. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  promise.then(end, end);
  for (let step = 0; step < fewSteps && !isOver; step += 1) await Promise.resolve();
  return isOver;
}

function checkedDescription(description: unknown): Described {
  if (typeof description !== 'object' || description === null)
    return invalid('the tool returned no description');
  const { capabilities, cannot = null, mapped = none } = description as Partial<Description>;
  if (cannot !== null && typeof cannot !== 'string') return invalid('`cannot` is not a text');
  if (!Array.isArray(capabilities)) return invalid('the tool returned no list of capabilities');
  const copies = copiesOf(capabilities);
  const odd = copies.indexOf(null);
  if (odd !== -1) return invalid(`not a capability: ${shortly(capabilities[odd])}`);
  const added = Array.isArray(mapped) ? copiesOf(mapped) : [null];
  if (added.includes(null)) return invalid('`mapped` is not a list of capabilities');
  return {
    ok: true,
    capabilities: copies as readonly Capability[],
    mapped: added as readonly Capability[],
    cannot,
  };
}

const none: readonly Capability[] = [];

/** Null for anything but a capability, also for a hole in the list. */
function copiesOf(list: readonly unknown[]): readonly (Capability | null)[] {
  const copies: (Capability | null)[] = [];
  for (let at = 0; at < list.length; at += 1) copies.push(capabilityOf(list[at]));
  return copies;
}

function invalid(why: string): Described {
  return { ok: false, why };
}

function shortly(value: unknown): string {
  return isJson(value) ? JSON.stringify(value).slice(0, 200) : typeof value;
}
