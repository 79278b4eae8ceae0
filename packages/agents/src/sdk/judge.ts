import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type ClientSession,
  logKey,
  type MayRun,
  openClientSession,
  openStateFolder,
  problemLine,
  type Verdict,
} from '@ambit/runtime';
import { untilAnswered } from '../hook/until-answered.js';
import { questionForUser, reasonToApprove, refusalInWords } from '../hook/words.js';
import { type JudgeOptions, requireOptions } from './judge-options.js';
import { hasRuleFor, neverRuns } from './never-runs.js';
import { Outcomes } from './outcomes.js';
import { ownTools, SdkCalls, wrongIn } from './sdk-calls.js';
import { Turns, type Work } from './turns.js';
import { type Judge, refusal, type SdkCall, type SdkVerdict, verdictOf } from './verdict.js';

export type { JudgeOptions } from './judge-options.js';
export type { Judge, SdkCall, SdkVerdict } from './verdict.js';

/**
 * A judge for the calls of any program. Each decision is durable in the log before it is returned. Calls are judged one
 * after another; calls of a session that stays open are synced together. Throws without a valid policy.
 * `mayRun`: which other calls a call must wait for, if one changes files of the other.
 */
export async function openJudge(options: JudgeOptions, mayRun: MayRun = isPermitted): Promise<Judge> {
  requireOptions(options);
  const { agent = 'agent', root = process.cwd(), state, timeout = 10_000 } = options;
  const isExclusive = options.isExclusive === true;
  const tools = ownTools(options.toolsets ?? []);
  const environment = {
    ...(options.environment ?? process.env),
    ...(state === undefined ? {} : { AMBIT_HOME: resolve(state) }),
  };
  const turns = new Turns(async () => {
    const { session, policies, describeLimit } = options;
    const by = { client: agent, session, root, policies, environment, isExclusive, describeLimit };
    const startedBy = process.pid;
    const opened = await openClientSession({ ...by, startedBy, deadline: Date.now() + timeout });
    if (!opened.ok) throw new Error(opened.problems.map((each) => problemLine(each, '; ')).join('; '));
    return opened.session;
  }, isExclusive);
  const run = await turns.take(async ({ id }) => id);
  const stateNow = () => openStateFolder(environment, root);
  const key = await logKey(await stateNow());
  const calls = new SdkCalls({ agent, tools, describe: options.describe ?? {} });
  const outcomes = new Outcomes(turns, calls, isExclusive);
  const judging = { calls, outcomes, timeout, asks: options.asks !== false, mayRun };
  const isKnown = async (about: Work<boolean>) =>
    outcomes.broken === null && turns.take(about).catch(() => false);
  return {
    judge: (call) => verdictOf(() => verdictInTime(call, false, judging)),
    approve: (call) => verdictOf(() => verdictInTime(call, true, judging)),
    async deny(call) {
      outcomes.recordEnded();
      await outcomes.record(call, null, true);
    },
    ended: (call, error) => outcomes.ended(call, error),
    settled: async (question, until, signal) => untilAnswered(await stateNow(), question, { until, signal }),
    async neverRuns(tool, known = {}) {
      const own = tools.get(tool);
      return own !== undefined && isKnown(({ policies }) => neverRuns({ agent, ...own, known }, policies));
    },
    hasRuleFor: (capability) => isKnown(async ({ policies }) => hasRuleFor(capability, policies)),
    close: () => outcomes.close(),
    secret: createHmac('sha256', key).update(`ambit approval ${run}`).digest(),
  };
}

/** A call that is asked about is judged again before it runs. */
const isPermitted: MayRun = (_, isAsked) => !isAsked;

interface VerdictSources {
  readonly calls: SdkCalls;
  readonly outcomes: Outcomes;
  readonly timeout: number;
  readonly asks: boolean;
  readonly mayRun: MayRun;
}

/** A verdict that is not there in time is a refusal, and a later permission is recorded as unused. */
async function verdictInTime(
  call: SdkCall,
  isApproved: boolean,
  { calls, outcomes, timeout, asks, mayRun }: VerdictSources,
): Promise<SdkVerdict> {
  outcomes.recordEnded();
  if (outcomes.broken !== null) return refusal(outcomes.broken);
  const foreign = calls.toJudge(call);
  if (typeof foreign === 'string') return refusal(foreign);
  const judging = outcomes.turns.take(async (session, settled) => {
    const given = isApproved ? { ...foreign, id: calls.logIdOf(call, foreign) ?? foreign.id } : foreign;
    const judgement = await session.judge({ ...given, isApproved, mayRun }, settled);
    const verdict = await sdkVerdictOf(judgement, { session, isAsking: asks && !isApproved });
    // A refused call has no outcome, and would be kept for ever.
    const isRefused = verdict.decision === 'blocked';
    if (isRefused && isApproved) calls.close(call, foreign);
    if (!isRefused && verdict.call !== null) calls.open(call, foreign, verdict.call);
    // An earlier outcome was not recorded.
    return outcomes.broken === null ? verdict : refusal(outcomes.broken, { call: verdict.call });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SdkVerdict>((resolve) => {
    timer = setTimeout(() => {
      const unused = 'the decision came too late, so the call was not made';
      // The log must not say that the call runs.
      judging.then(
        ({ decision }) => (decision === 'pre_approved' ? outcomes.record(call, unused) : undefined),
        () => undefined,
      );
      resolve(refusal(`no decision within ${timeout} ms`));
    }, timeout);
  });
  return Promise.race([judging.finally(() => clearTimeout(timer)), late]);
}

/** A judge for an agent that another one called: its calls carry these names below the first agent. */
export function below(judge: Judge, ...agents: readonly string[]): Judge {
  const calls = new WeakMap<SdkCall, SdkCall>();
  const of = (call: SdkCall): SdkCall => {
    // The judge refuses it.
    if (wrongIn(call) !== null) return call;
    const known = calls.get(call) ?? { ...call, agents: [...agents, ...(call.agents ?? [])] };
    calls.set(call, known);
    return known;
  };
  return {
    ...judge,
    judge: (call) => judge.judge(of(call)),
    approve: (call) => judge.approve(of(call)),
    deny: (call) => judge.deny(of(call)),
    ended: (call, error) => judge.ended(of(call), error),
  };
}

async function sdkVerdictOf(
  verdict: Verdict,
  { session, isAsking }: { readonly session: ClientSession; readonly isAsking: boolean },
): Promise<SdkVerdict> {
  const { call } = verdict;
  const nothing = { rule: null, question: null, call };
  if (verdict.verdict === 'permitted') return { ...nothing, decision: 'pre_approved', reason: 'permitted' };
  if (verdict.verdict === 'refused')
    return refusal(refusalInWords(verdict.refusal), { call, rule: verdict.refusal.rule });
  const { question, needsPerson } = verdict;
  if (!needsPerson && isAsking) {
    const reason = questionForUser(question);
    return { ...nothing, decision: 'needs_approval', reason, question };
  }
  const reason = reasonToApprove(question);
  await session.refuseUntilAnswered(question, reason);
  return refusal(reason, { call, question });
}
