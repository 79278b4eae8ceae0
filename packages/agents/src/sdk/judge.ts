import { createHmac, hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  isJsonObject,
  isSimpleName,
  messageOf,
  type NonEmpty,
  ownMember,
  type Tool,
  type Toolset,
} from '@ambit/core';
import {
  attributedToolset,
  type ClientSession,
  type ForeignCall,
  logKey,
  openClientSession,
  openStateFolder,
  openStore,
  problemLine,
  type Verdict,
} from '@ambit/runtime';
import { asked, refusalInWords, toApprove } from '../hook/words.js';
import { type JudgeOptions, requireOptions } from './judge-options.js';
import { hasRuleFor, neverRuns } from './never-runs.js';
import { Turns } from './turns.js';
import { type Judge, judged, refused, type SdkCall, type SdkVerdict, withoutUndefined } from './verdict.js';

export type { JudgeOptions } from './judge-options.js';

/**
 * A judge for the calls of any program. Each decision is durable in the log before it is returned. Calls are judged one
 * after another; calls of a session that stays open are synced together. Throws without a valid policy.
 */
export async function openJudge(options: JudgeOptions): Promise<Judge> {
  requireOptions(options);
  const { agent = 'agent', root = process.cwd(), session, policies, state, timeout = 10_000 } = options;
  const tools = ownTools(options.toolsets ?? []);
  const environment = {
    ...(options.environment ?? process.env),
    ...(state === undefined ? {} : { AMBIT_HOME: state }),
  };
  const turns = new Turns(async () => {
    const deadline = Date.now() + timeout;
    const { isExclusive, describeLimit } = options;
    const by = { client: agent, session, root, policies, environment, deadline, isExclusive, describeLimit };
    const opened = await openClientSession(by);
    if (!opened.ok) throw new Error(opened.problems.map((each) => problemLine(each, '; ')).join('; '));
    return opened.session;
  }, options.isExclusive === true);
  const run = await turns.take(async ({ id }) => id);
  const key = await logKey(await openStateFolder(environment, root));
  const secret = createHmac('sha256', key).update(`ambit approval ${run}`).digest();

  let broken: string | null = null;
  /** Settles when every outcome is durable or has failed to become so. */
  let late: Promise<unknown> = Promise.resolve();

  /** The log ids of the last calls with an SDK id and arguments. A repeated SDK id gets another log id. */
  const ids = new Map<string, string>();
  const keyOf = ({ id, chain, name, args }: ForeignCall) => JSON.stringify([id, chain, name, args]);
  const withLogId = (foreign: ForeignCall): ForeignCall =>
    foreign.id === null ? foreign : { ...foreign, id: ids.get(keyOf(foreign)) ?? foreign.id };
  const known = { agent, tools, describe: options.describe ?? {} };
  /** Calls as they were judged. A tool may change its arguments while it runs. */
  const asJudged = new WeakMap<SdkCall, ForeignCall>();

  async function verdictOf(call: SdkCall, isApproved: boolean): Promise<SdkVerdict> {
    recordEnded();
    if (broken !== null) return refused(broken);
    const foreign = foreignCall(call, known);
    if (typeof foreign === 'string') return refused(foreign);
    asJudged.set(call, foreign);
    const judging = turns.take(async (session, settled) => {
      const given = isApproved ? withLogId(foreign) : foreign;
      const verdict = await inWords(await session.judge({ ...given, isApproved }, settled), {
        session,
        isAsking: options.asks !== false && !isApproved,
      });
      if (call.id !== null && verdict.call !== null) ids.set(keyOf(foreign), verdict.call);
      // An earlier outcome was not recorded.
      return broken === null ? verdict : refused(broken, { call: verdict.call });
    });
    const late = after(timeout, judging).then(() => {
      const unused = 'the decision came too late, so the call was not made';
      // The log must not say that the call runs.
      judging.then(
        ({ decision }) => (decision === 'pre_approved' ? record(call, unused) : undefined),
        () => undefined,
      );
      return refused(`no decision within ${timeout} ms`);
    });
    return Promise.race([judging, late]);
  }

  /** Records an outcome. If that fails, no further call is permitted. `denied`: the user said no. */
  async function record(call: SdkCall, error: string | null, denied = false): Promise<void> {
    try {
      const foreign = asJudged.get(call) ?? foreignCall(call, known);
      if (typeof foreign === 'string') return;
      // A refused or ended call: another one with its id may be open.
      if (!denied && foreign.id !== null && !ids.has(keyOf(foreign))) return;
      let recorded: Promise<void> = Promise.resolve();
      const turn = turns.take(async (session) => {
        const judged = withLogId(foreign);
        recorded = denied ? session.denied(judged) : session.ended(judged, error);
        // In an exclusive session, the next decision is written after the outcome or together with it.
        if (denied || options.isExclusive !== true || session.isSpent) await recorded;
      });
      late = Promise.allSettled([late, turn.then(() => recorded)]);
      await turn;
      await recorded;
      ids.delete(keyOf(foreign));
    } catch (problem) {
      broken = `the outcome of a call could not be recorded: ${messageOf(problem)}`;
    }
  }

  /** Outcomes that are recorded before the next decision, or after the caller has continued. */
  let ended: (() => void)[] = [];
  const recordEnded = () => {
    const all = ended;
    ended = [];
    for (const each of all) each();
  };

  return {
    judge: (call) => judged(() => verdictOf(call, false)),
    approve: (call) => judged(() => verdictOf(call, true)),
    async deny(call) {
      recordEnded();
      await record(call, null, true);
    },
    ended: (call, error) =>
      new Promise((resolve) => {
        if (ended.length === 0) setImmediate(recordEnded);
        ended.push(() => resolve(record(call, error)));
      }),
    async settled(question, until, signal) {
      const store = await openStore(await openStateFolder(environment, root));
      try {
        while (Date.now() < until && (await store.question(question))?.state === 'waiting') {
          if (signal.aborted) return await store.withdraw(question, Date.now());
          await wait(200, null, { signal }).catch(() => undefined);
        }
      } finally {
        await store.close();
      }
    },
    async neverRuns(tool, known = {}) {
      const own = tools.get(tool);
      if (own === undefined || broken !== null) return false;
      return turns
        .take(({ policies: judging }) => neverRuns({ agent, ...own, known }, judging))
        .catch(() => false);
    },
    hasRuleFor: (capability) =>
      turns
        .take(async ({ policies: judging }) => broken === null && hasRuleFor(capability, judging))
        .catch(() => false),
    async close() {
      recordEnded();
      await late;
      await turns.close();
      broken ??= 'the judge is closed';
    },
    secret,
  };
}

/** A judge for an agent that another one called: its calls carry these names below the first agent. */
export function below(judge: Judge, ...agents: readonly string[]): Judge {
  const calls = new WeakMap<SdkCall, SdkCall>();
  const of = (call: SdkCall): SdkCall => {
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

async function inWords(
  verdict: Verdict,
  { session, isAsking }: { readonly session: ClientSession; readonly isAsking: boolean },
): Promise<SdkVerdict> {
  const { call } = verdict;
  const nothing = { rule: null, question: null, call };
  if (verdict.verdict === 'permitted') return { ...nothing, decision: 'pre_approved', reason: 'permitted' };
  if (verdict.verdict === 'refused')
    return refused(refusalInWords(verdict.refusal), { call, rule: verdict.refusal.rule });
  const { question, needsPerson } = verdict;
  if (!needsPerson && isAsking) {
    const reason = asked(question);
    return { ...nothing, decision: 'needs_approval', reason, question };
  }
  const reason = toApprove(question);
  await session.refuseUntilAnswered(question, reason);
  return refused(reason, { call, question });
}

interface Known {
  readonly agent: string;
  readonly tools: ReadonlyMap<string, OwnTool>;
  readonly describe: NonNullable<JudgeOptions['describe']>;
}

interface OwnTool {
  readonly name: string;
  readonly tool: Tool;
}

/** The tools of toolsets, by the names that a model sees. Throws if two tools have the same name. */
function ownTools(toolsets: readonly Toolset[]): ReadonlyMap<string, OwnTool> {
  const found = new Map<string, OwnTool>();
  for (const { name: toolset, tools } of toolsets.map(attributedToolset))
    for (const tool of tools) {
      const { name, offered_as: offered = name } = tool;
      if (found.has(offered)) throw new TypeError(`two tools are offered as \`${offered}\``);
      found.set(offered, { name: `${toolset}.${name}`, tool });
    }
  return found;
}

/** The call in Ambit's format, or the reason why it cannot be judged. */
function foreignCall(call: SdkCall, { agent, tools, describe }: Known): ForeignCall | string {
  const args = withoutUndefined(call.args ?? {});
  if (!isJsonObject(args)) return `the arguments of \`${call.tool}\` are not a plain JSON object`;
  const chain: NonEmpty<string> = [agent, ...(call.agents ?? [])];
  const id = call.id === null ? null : plainId(call.id);
  const own = tools.get(call.tool);
  if (own !== undefined) {
    const { name, tool } = own;
    const parsed = tool.input.parse(args);
    return { id, chain, name, tool, args: parsed.ok ? parsed.value : args, describe: async () => [] };
  }
  const name = `app.${simpleName(call.tool)}`;
  const more = ownMember(describe, call.tool);
  return { id, chain, name, args, describe: async () => more?.(args) ?? [] };
}

/** A valid id for the log: the SDK's own, or a digest of it. */
function plainId(id: string): string {
  return /^[A-Za-z0-9_-]{8,80}$/.test(id) ? id : `call-${digestOf(id)}`;
}

/**
 * `sendMail` becomes `send_mail`. A name with other characters gets a digest, so that two names never become
 * one.
 */
function simpleName(name: string): string {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return isSimpleName(plain) && /^[A-Za-z0-9_-]{1,80}$/.test(name) ? plain : `tool-${digestOf(name)}`;
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

/** Resolves after this time, or earlier when the other promise settles. */
function after(milliseconds: number, other: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const clear = () => clearTimeout(timer);
    other.then(clear, clear);
  });
}
