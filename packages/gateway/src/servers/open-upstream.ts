import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { openJudge } from '@ambit/agents/judge';
import {
  type DescribeContext,
  equalJson,
  isNonEmpty,
  messageOf,
  type NonEmpty,
  type Toolset,
} from '@ambit/core';
import {
  type Environment,
  homeFolder,
  inStore,
  logKey,
  noFolder,
  openStateFolder,
  problemLine,
  type Store,
} from '@ambit/runtime';
import { mcpToolset } from '@ambit/toolsets';
import type { Notice } from '../serve/notices.js';
import type { Serving } from '../serve/pass-if-permitted.js';
import type { EffectsOf } from '../serve/place-beside.js';
import { Routes } from '../serve/routes.js';
import type { Downstream } from '../serve/serve.js';
import { withFormatted } from '../upstream/formatted.js';
import { otherNames, otherTools } from '../upstream/other-tools.js';
import { type NamedServer, serverOf } from '../upstream/server-of.js';
import { type Starting, startArguments, startTool } from '../upstream/start-tool.js';
import { type OpenServed, openServed, pathOf, type Surroundings } from './open-served.js';

/** The servers behind a gateway, and its policies. */
export interface UpstreamOptions {
  readonly servers: NonEmpty<NamedServer>;
  /** Policy files. The machine's policy, and a trusted `policy.yaml` of `root`, are added. */
  readonly policies: readonly string[];
  /** The project: the meaning of `./` in policies, and the only root that the servers receive. */
  readonly root: string;
  /** The acting worker, by its name in policies and the log. */
  readonly agent: string;
  readonly environment: Environment;
  /** Milliseconds for which a call waits for `ambit approvals`; 0 for no waiting. */
  readonly hold: number;
  /** Reports something to the person who started the gateway: one line, not escaped. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The servers that run for one client, in a run of its own. */
export interface Upstream extends Serving {
  /** The receiver of the servers' questions and notifications; none at first. */
  downstream: Downstream | null;
  close(): Promise<void>;
}

/** No server may start, or none does. The message gives the reason. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

/** The time limit for judging a call. Calls wait for one another. */
const judgingTime = 60_000;
/** The time limit for describing one, shorter so that the calls after it are still judged. */
const describeLimit = 30_000;

/** Starts the servers for one client if the policies permit it. All processes that they start end with it. */
export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { environment, policies, agent, servers: named, say } = options;
  const root = await realpath(options.root).catch(() => null);
  if (root === null) throw new GatewayError(problemLine(noFolder(options.root), '; '));
  const home = homeFolder(environment);
  const servers = named.map((each) => ({
    server: serverOf(each, named.length === 1),
    isolation: each.isolation ?? null,
  }));
  // The log and the answers need this folder; without it no server starts.
  const state = await openStateFolder(environment, root);
  await logKey(state);
  const answered = await answeredSession(state, { agent, servers });
  const session = answered ?? randomUUID();
  const run = `${agent}-${session}`;
  const limits = { timeout: judgingTime, describeLimit };
  const judging = { policies, session, agent, root, environment, ...limits };
  const hosted: { downstream: Downstream | null } = { downstream: null };
  const surroundings: Surroundings = {
    root,
    home,
    environment,
    say,
    signal: options.signal,
    searchPath: pathOf(environment),
    answer: async (question) => (await hosted.downstream?.answer(question)) ?? null,
    notify: (notice: Notice) => hosted.downstream?.notify(notice),
  };
  const end = (status: 'finished' | 'failed') => inStore(state, (store) => endRun(store, run, status));
  const { opened, failed } = await startServers(servers, { judging, surroundings });
  const close = async () => void (await Promise.all(opened.map((each) => each.close())));
  try {
    if (!isNonEmpty(opened)) throw new Error(failed.join('; '));
    for (const line of failed) say(`a server was not started: ${line}`);
    if (answered !== null)
      await inStore(state, (store) => store.resume(run, { pid: process.pid, at: Date.now() }));
    const toolsets = toolsetsOf(opened, { servers, surroundings });
    const open = (asks: boolean) => openJudge({ ...judging, toolsets, asks, isExclusive: true }, neverWaits);
    return Object.assign(hosted, {
      routes: new Routes(opened),
      open,
      effectsOf: effectsIn(toolsets, { chain: [agent], signal: options.signal }),
      hold: options.hold,
      say,
      async close() {
        await close();
        await end('finished');
      },
    });
  } catch (error) {
    await close();
    await end('failed');
    throw new GatewayError(messageOf(error));
  }
}

/** What policies judge: the tools of the servers, other requests, and starts. */
function toolsetsOf(
  opened: readonly OpenServed[],
  { servers, surroundings }: { readonly servers: readonly Starting[]; readonly surroundings: Surroundings },
): readonly Toolset[] {
  const own = opened.map(({ running, world }) => withFormatted(mcpToolset(running, world), running, world));
  const world = { homes: [surroundings.home], folder: surroundings.root, guarded: [] };
  return [...own, otherTools(world), startTool(servers, surroundings)];
}

const toPermit =
  '. To start it without a question, write `tools: { toolset.start: pre_approved }` into each policy that judges it';

/** By the tools' names for clients. A request whose effects cannot be found may do anything. */
function effectsIn(toolsets: readonly Toolset[], context: DescribeContext): EffectsOf {
  const all = toolsets.flatMap(({ tools }) => tools);
  const named = new Map(all.map((tool) => [tool.offered_as ?? tool.name, tool]));
  const anything = [{ name: 'fs.read', path: { paths: [], open: true } }, { name: 'fs.write' }];
  return async (name, args) => {
    const described = await (async () => named.get(name)?.describe(args, context))().catch(() => undefined);
    return { args, capabilities: described?.capabilities ?? anything };
  };
}

/** Servers start at once, and requests wait for each other before they are judged: ends are recorded after answers. */
const neverWaits = () => false;

/**
 * Starts those that are permitted. A start is judged like any other call. No user can be asked yet, so a question goes
 * to `ambit approvals`. `failed`: why others are not there, in words.
 */
async function startServers(
  servers: readonly Starting[],
  {
    judging,
    surroundings,
  }: { readonly judging: Parameters<typeof openJudge>[0]; readonly surroundings: Surroundings },
): Promise<{ readonly opened: readonly OpenServed[]; readonly failed: readonly string[] }> {
  const toolsets = [startTool(servers, surroundings)];
  const opening = openJudge({ ...judging, toolsets, asks: false }, neverWaits);
  const judge = await opening.catch((error: unknown) => {
    throw new GatewayError(messageOf(error));
  });
  const failed: string[] = [];
  const fail = ({ server }: Starting, why: string) => {
    failed.push(servers.length === 1 ? why : `${server.key}: ${why}`);
    return [];
  };
  const permitted = [];
  for (const each of servers) {
    const call = { id: null, tool: otherNames.start, args: startArguments(each) };
    const { decision, reason, question } = await judge.judge(call);
    if (decision === 'pre_approved') permitted.push({ each, call });
    else fail(each, `${reason}${question === null ? '' : toPermit}`);
  }
  const opened = permitted.map(async ({ each, call }) => {
    const result = await openServed(each, surroundings).catch(messageOf);
    await judge.ended(call, typeof result === 'string' ? result : null);
    return typeof result === 'string' ? fail(each, result) : [result];
  });
  const all = await Promise.all(opened);
  await judge.close();
  return { opened: all.flat(), failed };
}

/** A question about a start stays valid for this long after its answer. */
const tenMinutes = 600_000;

/**
 * The session of an earlier gateway whose start a person answered meanwhile. It goes on, because the answer counts only
 * there, and once. Null if there is none.
 */
async function answeredSession(
  state: string,
  { agent, servers }: { readonly agent: string; readonly servers: readonly Starting[] },
): Promise<string | null> {
  const starts = servers.map(startArguments);
  return inStore(state, async (store) => {
    for (const { run, question, closed, state: is } of await store.questions()) {
      const isLate = closed === null || Date.now() - closed > tenMinutes;
      if (is !== 'answered' || isLate || question.tool !== 'toolset.start' || !run.startsWith(`${agent}-`))
        continue;
      const isThis = starts.some((each) => equalJson(each, question.args));
      const steps = isThis ? await store.steps(run) : [];
      const isTaken = steps.some((step) => step.step === 'taken' && step.question === question.id);
      if (isThis && !isTaken) return run.slice(agent.length + 1);
    }
    return null;
  });
}

/** The questions of its calls have no next try. Those of starts are for the next gateway, and the run waits for it. */
async function endRun(store: Store, run: string, status: 'finished' | 'failed'): Promise<void> {
  let isParked = false;
  for (const { question, run: asking, state } of await store.questions()) {
    if (asking !== run || state !== 'waiting') continue;
    if (question.tool === 'toolset.start') isParked = true;
    else await store.withdraw(question.id, Date.now());
  }
  await store.setStatus(run, isParked ? 'parked' : status, Date.now());
}
