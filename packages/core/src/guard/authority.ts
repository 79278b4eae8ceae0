import { Arrivals } from '../asking/arrivals.js';
import { EqualCalls } from '../asking/equal-calls.js';
import type { Keeper } from '../asking/keeper.js';
import { AnswersBefore } from '../asking/previous-answers.js';
import type { Answer, Approver, Mode, Question } from '../asking/question.js';
import { RefusedCalls } from '../asking/refused-calls.js';
import type { Decide } from '../decide/decide.js';
import type { Grant, KeptAnswer, ReferenceGrant } from '../decide/grant.js';
import { takePolicies } from '../decide/made/take-policy.js';
import { builtIn, isAskedFor, isOpen, type Policy } from '../decide/policy.js';
import type { Capability } from '../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { frozenCopy, type Json, type JsonObject } from '../words/json.js';
import { isWorkerName } from '../words/name.js';
import type { EarlierRun } from './interrupted.js';
import type { Log } from './log.js';
import { runOptionsProblems } from './run-options.js';
import type { GuardWatch } from './watch.js';

/** Time, from outside: core has no clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface RunOptions {
  readonly policies: NonEmpty<Policy>;
  /**
   * Observing policies from the start of the run: they judge every call, are recorded, and change nothing.
   */
  readonly observing?: NonEmpty<Policy>;
  /** Requests by name a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  readonly mode: Mode;
  /** The approver in the mode `interactive`; without one, calls that need approval are refused. */
  readonly approver: Approver | null;
  /** In the mode `strict`: a person's answer from before the run resumed, or null. No person is asked. */
  readonly given?: (question: Question) => Promise<Answer | null>;
  readonly log: Log;
  /** An engine that equals `decide`, which is the default. */
  readonly decide?: Decide;
  readonly context: JsonObject;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Milliseconds that a tool may take to describe a call. */
  readonly describeLimit?: number;
  /** Milliseconds that an approver may take to answer; no limit by default. */
  readonly answerLimit?: number;
  /** New policies since the last call. Called before each judgement; a rejection refuses the call. */
  readonly newer?: () => Promise<readonly Policy[]>;
  /**
   * Compares what guards the run before each permit, and after executions that may exceed their description.
   */
  readonly watch?: GuardWatch;
  /** Keeps answers longer than the run; optional. */
  readonly keeper?: Keeper;
  /** Tracks calls that wait for the answer to an equal call. */
  readonly whileWaiting?: <T>(waiting: Promise<T>) => Promise<T>;
  /** The state of an interrupted run that is resumed. */
  readonly earlier?: EarlierRun;
}

/** One entry worker and everything that it starts: the state that all guards share. */
export class Run {
  readonly #history: Capability[] = [];
  readonly #kept: KeptAnswer[] = [];
  readonly #newer: Policy[] = [];
  readonly #end = new AbortController();
  #turn: Promise<unknown> = Promise.resolve();
  #stopped: string | null = null;

  readonly options: RunOptions;
  /** Refusals by people: equal calls are refused from then on. */
  readonly refused = new RefusedCalls();
  readonly arrivals = new Arrivals();
  readonly equalCalls = new EqualCalls();
  readonly answersBefore = new AnswersBefore();
  /** The number of kept answers, for the run or longer. */
  answersKept = 0;

  /** Throws one message with all mistakes in its options. */
  constructor(options: RunOptions) {
    // A copy, so later changes of the options do not change the run.
    const given = { ...options };
    const problems = runOptionsProblems(given as unknown as Record<string, unknown>);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const policies = Object.freeze(takePolicies(given.policies));
    const observing = Object.freeze(takePolicies(given.observing ?? []));
    this.options = Object.freeze({
      ...given,
      policies,
      context: frozenCopy(given.context),
      ...(isNonEmpty(observing) ? { observing } : {}),
    });
    requireDistinctNames([builtIn, ...policies]);
    requireDistinctNames([builtIn, ...observing]);
    this.#history.push(...(given.earlier?.history ?? []));
    this.#kept.push(...(given.earlier?.kept ?? []).filter((kept) => !this.#isKeptElsewhere(kept)));
    for (const each of given.earlier?.answers ?? []) this.answersBefore.add(each);
    for (const call of given.earlier?.refused ?? []) this.refused.add(call, call);
    if (isOpen(policies) && given.open !== true && !isAskedFor(policies)) {
      throw new Error(
        'every policy says `default: pre_approved`: a set that lets everything pass must be asked for by name',
      );
    }
  }

  /** The original policies and later ones: more policies only make decisions stricter. */
  get policies(): NonEmpty<Policy> {
    return [...this.options.policies, ...this.#newer];
  }

  /** Adds policies that judge from now on. Throws on a duplicate name. */
  async takeNewer(): Promise<void> {
    const newer = await this.options.newer?.();
    if (newer === undefined || newer.length === 0) return;
    const taken = takePolicies(newer);
    requireDistinctNames([builtIn, ...this.policies, ...taken]);
    this.#newer.push(...taken);
  }

  /** What has been permitted so far; it only grows. */
  get history(): readonly Capability[] {
    return this.#history;
  }

  get kept(): readonly KeptAnswer[] {
    return this.#kept;
  }

  /** Why the run has stopped, or null. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** Aborts when the run stops. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Runs steps in sequence, so permits are given one at a time. */
  inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  permit(capabilities: readonly Capability[]): void {
    this.#history.push(...capabilities);
  }

  keep(answer: KeptAnswer): void {
    this.answersKept += 1;
    if (!this.#isKeptElsewhere(answer)) this.#kept.push(answer);
  }

  /** Longer kept answers may be revoked during the run, so the keeper is asked each time. */
  #isKeptElsewhere({ remember }: KeptAnswer): boolean {
    return remember === 'always' && this.options.keeper !== undefined;
  }

  /** Refuses every call from now on, and cancels current ones. The first reason stays. */
  stop(why: string): void {
    this.#stopped ??= why;
    this.#end.abort(new Error(this.#stopped));
  }
}

/** The authority that a guard enforces: who acts, under which policies, with which grants. */
export interface Authority {
  readonly run: Run;
  /** Root first; the last one acts. */
  readonly chain: NonEmpty<string>;
  /** Restrictions from worker files, beside the run's policies. */
  readonly layers: readonly Policy[];
  /** From the worker's reference to the toolset. */
  readonly grants: readonly ReferenceGrant[];
}

/** The authority of a run's entry worker. */
export function entryAuthority(run: Run, worker: string, layers: readonly Policy[] = []): Authority {
  return checked({ run, chain: [worker], layers, grants: [] });
}

/** The authority of a called worker: a longer chain, its own restrictions, no inherited grants. */
export function delegate(caller: Authority, worker: string, layers: readonly Policy[] = []): Authority {
  const added = takePolicies(layers).filter((layer) => !caller.layers.includes(layer));
  return checked({
    run: caller.run,
    chain: [...caller.chain, worker],
    layers: [...caller.layers, ...added],
    grants: [],
  });
}

/** The same authority with the restrictions and grants of one reference to a toolset. */
export function forReference(
  authority: Authority,
  reference: { readonly layers: readonly Policy[]; readonly grants: readonly ReferenceGrant[] },
): Authority {
  return checked({
    ...authority,
    layers: [...authority.layers, ...reference.layers],
    grants: reference.grants,
  });
}

export function policiesOf({ run, layers }: Authority): NonEmpty<Policy> {
  return [...run.policies, ...layers];
}

export function grantsOf({ run, grants }: Authority, tool: string): readonly Grant[] {
  return [...grants, ...run.kept].filter((grant) => grant.tool === tool);
}

function checked(given: Authority): Authority {
  const authority = { ...given, layers: Object.freeze(takePolicies(given.layers)) };
  const odd = authority.chain.find((worker) => !isWorkerName(worker));
  if (odd !== undefined) throw new TypeError(`\`${odd}\` is not a worker name: [a-z][a-z0-9_-]*`);
  requireDistinctNames([builtIn, ...policiesOf(authority)]);
  return { ...authority, chain: frozenCopy<Json>([...authority.chain]) as NonEmpty<string> };
}

function requireDistinctNames(list: readonly Policy[]): void {
  const twice = list.find((one) => list.some((other) => other !== one && other.name === one.name));
  if (twice !== undefined) throw new Error(`two policies are called \`${twice.name}\``);
}
