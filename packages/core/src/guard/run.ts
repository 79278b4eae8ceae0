import { Asker } from '../asking/asker.js';
import type { AskingOptions, AskingRun } from '../asking/asking-run.js';
import { modes } from '../asking/question.js';
import type { Decide } from '../decide/decide.js';
import { readPolicies, takePolicies } from '../decide/made/take-policy.js';
import { builtIn, isAskedFor, isOpen, type Policy } from '../decide/policy.js';
import { plainRefusal, type Refusal } from '../tool/outcome.js';
import type { Capability } from '../words/capability.js';
import { remembered } from '../words/collect.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { frozenCopy, isJsonObject, type JsonObject } from '../words/json.js';
import { messageOf, orNull, printable } from '../words/text.js';
import { DependentCalls } from './dependent-calls.js';
import type { EarlierRun } from './interrupted.js';
import type { Log, LogEvent } from './log.js';
import type { GuardWatch } from './watch.js';

export interface RunOptions extends AskingOptions {
  readonly policies: NonEmpty<Policy>;
  /** They judge every call, are recorded, and change nothing. */
  readonly observing?: NonEmpty<Policy>;
  /** Allows a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  readonly log: Log;
  /** `decide` by default. */
  readonly decide?: Decide;
  readonly context: JsonObject;
  /** Called before each judgement; a rejection refuses the call. */
  readonly newer?: () => Promise<readonly Policy[]>;
  /** Before each permit, and after executions that may exceed their description. */
  readonly watch?: GuardWatch;
  readonly earlier?: EarlierRun;
  /** Whether others execute the calls, so none waits here until another one ends. */
  readonly elsewhere?: boolean;
}

/** The state that all guards of a run share. */
export class Run implements AskingRun {
  readonly #history: Capability[] = [];
  readonly #end = new AbortController();
  readonly signal: AbortSignal = this.#end.signal;
  readonly #signals = new WeakMap<AbortSignal, AbortSignal>();
  #policies: NonEmpty<Policy>;
  readonly #waiting: (() => void)[] = [];
  #isInTurn = false;
  #stopped: string | null = null;
  #ordered: Promise<boolean> = Promise.resolve(true);

  readonly options: RunOptions;
  readonly asker: Asker;
  readonly dependent = new DependentCalls();

  /** Throws all mistakes in its options. */
  constructor(options: RunOptions) {
    // A copy, so later changes of the options do not change the run.
    const given = { ...options };
    const judging = readPolicies(given.policies);
    const observed = readPolicies(given.observing);
    const ofPolicies = [...judging.problems, ...observed.problems];
    const problems = runOptionsProblems(given, ofPolicies);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const policies = Object.freeze(judging.policies) as unknown as NonEmpty<Policy>;
    const observing = Object.freeze(observed.policies);
    this.options = Object.freeze({
      ...given,
      policies,
      context: frozenCopy(given.context),
      ...(isNonEmpty(observing) ? { observing } : {}),
    });
    requireDistinctNames([builtIn, ...policies]);
    requireDistinctNames([builtIn, ...observing]);
    this.#policies = policies;
    this.permit(given.earlier?.history ?? []);
    this.asker = new Asker(this);
    if (isOpen(policies) && given.open !== true && !isAskedFor(policies)) {
      throw new Error(
        'every policy says `default: pre_approved`, so calls without a matching rule would run: give `open: true` to allow this',
      );
    }
  }

  /** With later ones, which only make decisions stricter. */
  get policies(): NonEmpty<Policy> {
    return this.#policies;
  }

  /** Throws on a duplicate name. */
  async takeNewer(): Promise<void> {
    const newer = await this.options.newer?.();
    if (newer === undefined || newer.length === 0) return;
    const all = [...this.#policies, ...takePolicies(newer)] as const;
    requireDistinctNames([builtIn, ...all]);
    this.#policies = Object.freeze(all);
  }

  /** It only grows. */
  get history(): readonly Capability[] {
    return this.#history;
  }

  /** Why the run has stopped, or null. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** Aborts with the run and with this signal. Cached by signal: a turn has one for many calls. */
  signalWith(signal: AbortSignal): AbortSignal {
    return remembered(this.#signals, signal, () => AbortSignal.any([signal, this.signal]));
  }

  /** In sequence, so permits are given one at a time. */
  inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#isInTurn ? new Promise<void>((begin) => this.#waiting.push(begin)) : null;
    this.#isInTurn = true;
    const result = turn === null ? step() : turn.then(step);
    const end = () => {
      const next = this.#waiting.shift();
      // Still taken by the next one: a new call must not come before it.
      if (next === undefined) this.#isInTurn = false;
      else next();
    };
    result.then(end, end);
    return result;
  }

  permit(capabilities: readonly Capability[]): void {
    for (const capability of capabilities) this.#history.push(capability);
  }

  /** The first reason stays. */
  stop(why: string): void {
    this.#stopped ??= why;
    this.#end.abort(new Error(this.#stopped));
  }

  /** Null while the call may go on. */
  halted(signal: AbortSignal): Refusal | null {
    if (this.#stopped !== null) return plainRefusal('stopped', `the run has stopped: ${this.#stopped}`);
    return signal.aborted ? plainRefusal('cancelled', 'the call was cancelled') : null;
  }

  /** Resolves to whether the events are durable. If not, the run stops. */
  async record(events: readonly LogEvent[]): Promise<boolean> {
    if (!isNonEmpty(events)) return true;
    try {
      await this.options.log.append(events);
      return true;
    } catch (error) {
      const why = messageOf(error);
      this.stop(saysLogFailed(error) ? why : `the log cannot be written: ${why}`);
      return false;
    }
  }

  /** Also false if an earlier event is not durable. */
  recordInOrder(events: readonly LogEvent[]): Promise<boolean> {
    const before = this.#ordered;
    const own = this.record(events);
    this.#ordered = before.then((isDurable) => isDurable && own);
    return this.#ordered;
  }
}

/** Whether an error of a log itself says that the log cannot be written. */
function saysLogFailed(error: unknown): boolean {
  const code = orNull(() => (error instanceof Error && 'code' in error ? error.code : null));
  return code === 'WRITE_FAILED' || code === 'LOST';
}

/** Throws if two policies have the same name. */
export function requireDistinctNames(list: readonly Policy[]): void {
  const twice = list.find((one) => list.some((other) => other !== one && other.name === one.name));
  if (twice !== undefined) throw new Error(`two policies are called \`${twice.name}\``);
}

/** In words; empty for none. Reads each option once. */
function runOptionsProblems(
  given: Readonly<Record<string, unknown>>,
  ofPolicies: readonly string[],
): readonly string[] {
  const { policies, observing, mode, approver, context } = given;
  const { log, clock, newId, decide, newer, whileWaiting, keeper, open, elsewhere, given: before } = given;
  const functions = Object.entries({ decide, newer, whileWaiting, given: before });
  const limits = ['describeLimit', 'answerLimit'].map((name) => [name, given[name]] as const);
  const checks: readonly (readonly [isRight: boolean, problem: string])[] = [
    [Array.isArray(policies) && policies.length > 0, 'at least one policy is required'],
    ...ofPolicies.map((problem) => [false, problem] as const),
    [
      (modes as readonly unknown[]).includes(mode),
      `${optionInWords(mode)} is not a mode: ${modes.join(', ')}`,
    ],
    [approver === null || hasFunctions(approver, ['ask']), approverProblem],
    [hasFunctions(log, ['append']), '`log` must have a function `append`'],
    [hasFunctions(clock, ['now', 'after']), '`clock` must have functions `now` and `after`'],
    [typeof newId === 'function', '`newId` must be a function'],
    [
      keeper === undefined || hasFunctions(keeper, ['kept', 'keep']),
      '`keeper` must have functions `kept` and `keep`',
    ],
    ...functions.map(
      ([name, value]) => [isAbsentOr('function', value), `\`${name}\` must be a function`] as const,
    ),
    ...limits.map(
      ([name, value]) => [isLimit(value), `\`${name}\` must be a number of milliseconds`] as const,
    ),
    [observing === undefined || Array.isArray(observing), '`observing` must be a list of policies'],
    [isAbsentOr('boolean', open), '`open` must be true or false'],
    [isAbsentOr('boolean', elsewhere), '`elsewhere` must be true or false'],
    [isJsonObject(context), '`context` must be an object of plain JSON values'],
  ];
  return checks.flatMap(([isRight, problem]) => (isRight ? [] : [problem]));
}

export const approverProblem = '`approver` must be null or have a function `ask`';

export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string) => typeof (value as Record<string, unknown>)[name] === 'function';
  return orNull(() => names.every(has)) === true;
}

function isAbsentOr(type: 'function' | 'boolean', value: unknown): boolean {
  return value === undefined || typeof value === type;
}

function isLimit(limit: unknown): boolean {
  return limit === undefined || (typeof limit === 'number' && limit >= 0);
}

function optionInWords(value: unknown): string {
  return typeof value === 'string' ? `\`${printable(value)}\`` : typeof value;
}
