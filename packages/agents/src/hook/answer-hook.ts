import { LogError } from '@ambit/audit';
import { type Capability, equalJson, messageOf, type Question, whyUnkept } from '@ambit/core';
import {
  type ClientSession,
  type Environment,
  openClientSession,
  openStateFolder,
  problemLine,
  type Verdict,
} from '@ambit/runtime';
import { markIn, usualSearchPath } from '@ambit/shell';
import { guardedInOneCall, openRoots } from '@ambit/toolsets';
import { failedHook, type HookStage, silent, type Written } from '../clients/client.js';
import {
  type ClientCall,
  type ClientName,
  type HookAnswer,
  type HookEvent,
  HookInputError,
} from '../clients/client-call.js';
import { clientOf } from '../clients/clients.js';
import { inputIn } from '../clients/fields.js';
import { type ClientWorld, describeClientCall, judgedCall } from '../describe/describe-client-call.js';
import { clientGuardedPlaces } from '../describe/guarded-places.js';
import { repositorySettingOf } from '../describe/repository-setting.js';
import { givenTo, printingOf } from './agent-start.js';
import { type Confining, confiningOf } from './confine.js';
import { watchOf } from './guard-files.js';
import { beginningOf } from './session-beginning.js';
import { untilAnswered } from './until-answered.js';
import {
  mayBeDiskError,
  questionForUser,
  reasonToApprove,
  refusalInWords,
  stateFolderRemedy,
} from './words.js';

export interface HookOptions {
  readonly client: ClientName;
  readonly stage: HookStage;
  /** The absolute paths of policy files. */
  readonly policies: readonly string[];
  /** Facts about the machine: the home folder, and the state folder. The client's environment is not used. */
  readonly environment: Environment;
  /** The search path for programs; the system's usual folders by default. */
  readonly searchPath?: readonly string[];
  /** The process that started the hook; the parent of this process by default. */
  readonly startedBy?: number | undefined;
  /** The digest of this program, if checked forms of policies are cached for its next call. */
  readonly program?: string | undefined;
  /**
   * Who answers questions: the client's user, if the client can ask (the default), or `ambit approvals`. `ambit`: the
   * call waits for the answer until the deadline. `defer`: Claude Code ends, and asks again when it is resumed.
   */
  readonly approvals?: 'client' | 'ambit' | 'defer';
  /** Whether opaque commands run confined, if the client and the machine support it. */
  readonly confines?: boolean;
  /** Whether the client uses no settings of repositories, and no hooks of users and plug-ins. */
  readonly isAlone?: boolean;
  /** The deadline for the answer, in milliseconds since 1970. */
  readonly deadline: number;
  /** The user's answer to the open question of this exact call. The call is then judged again. */
  readonly isApproved?: boolean | undefined;
}

/**
 * Answers one call of a client's hook. Never rejects: any error refuses the call, with exit code 2. `open`:
 * opens sessions in a resident process.
 */
export async function answerHook(
  text: string,
  options: HookOptions,
  open = openClientSession,
): Promise<Written> {
  try {
    return await answerInput(text, options, open);
  } catch (error) {
    const why = error instanceof HookInputError ? error.message : `judging failed: ${messageOf(error)}`;
    // The log belongs to this session alone, so a new session begins with another one.
    const isLogLost = error instanceof LogError && /^(?:UNSAFE_FILE|BROKEN|LOST)$/.test(error.code);
    const remedy = isLogLost ? ': begin a new session' : '';
    return failedHook(
      `ambit: ${why}${mayBeDiskError(error) ? stateFolderRemedy(options.environment) : ''}; the call is refused${remedy}`,
    );
  }
}

async function answerInput(
  text: string,
  options: HookOptions,
  open: typeof openClientSession,
): Promise<Written> {
  const event = clientOf(options.client).read(inputIn(text), options.stage);
  const why = event.kind === 'call' ? whyUnkept(text) : null;
  if (why !== null) throw new HookInputError(why);
  const { call } = event;
  const { environment, policies, deadline, program, startedBy } = options;
  const { project: root, started, session, guards, now } = await beginningOf(call, options);
  const prepared = event.kind === 'call' ? await prepare(call, { root, started, options }) : null;
  const opening = {
    client: call.client,
    session,
    root,
    policies,
    environment,
    program,
    startedBy,
    // The session gives up half a second before the hook does, because it can say why.
    deadline: deadline - 500,
    isolation: prepared?.confining?.kind ?? 'none',
    watch: watchOf(guards, now),
    hidesParents: call.parent === undefined,
  };
  for (;;) {
    const answer = await answerOrQuestion(event, await open(opening), { options, prepared });
    if (!('held' in answer)) return answer;
    // The session is closed meanwhile, so that its other calls continue.
    const folder = await openStateFolder(environment, root);
    await untilAnswered(folder, answer.held.id, { until: deadline - afterHold });
  }
}

/** The answer, or the question that the call waits for. */
async function answerOrQuestion(
  event: HookEvent,
  opened: Awaited<ReturnType<typeof openClientSession>>,
  { options, prepared }: { readonly options: HookOptions; readonly prepared: Prepared | null },
): Promise<Written | { readonly held: Question }> {
  const { call } = event;
  if (!opened.ok) {
    if (event.kind === 'outcome') return silent;
    return failedHook(`ambit: ${opened.problems.map((each) => problemLine(each, ': ')).join('; ')}`);
  }
  const { session } = opened;
  try {
    if (event.kind === 'call' && prepared !== null)
      return await answerCall(call, { session, options, ...prepared });
    const { command } = call.args;
    const id = call.id ?? (typeof command === 'string' ? markIn(command) : null);
    await session.ended({ ...judgedCall(call), id }, event.kind === 'outcome' ? event.error : null);
    return silent;
  } finally {
    await session.close();
  }
}

interface Prepared {
  /** The folder in which the client reads settings. */
  readonly started: string;
  /** The effects of the call, described again if a call of the session began or ended meanwhile; rejects if it cannot be described. */
  readonly describe: (session: ClientSession) => Promise<readonly Capability[]>;
  readonly confining: Confining | null;
}

interface Answering extends Prepared {
  readonly session: ClientSession;
  readonly options: HookOptions;
}

/** Describes the call before the session is opened, because conditions may read its confinement. */
async function prepare(
  call: ClientCall,
  { root, started, options }: { readonly root: string; readonly started: string; options: HookOptions },
): Promise<Prepared> {
  const world = worldOf(root, started, options);
  const began = Date.now();
  const describing = describeClientCall(call, world);
  const capabilities = await describing.catch(() => []);
  const confines = options.confines === true && call.isFixed !== true;
  const confining = confines ? await confiningOf(call, capabilities, world) : null;
  const describe = async (session: ClientSession) => {
    if (!session.hasSince(began)) return describing;
    const now = await describeClientCall(call, world);
    if (confining === null || equalJson(now, capabilities)) return now;
    throw new Error('another call of this session has changed its files meanwhile: make this call again');
  };
  return { describe, confining, started };
}

async function answerCall(call: ClientCall, answering: Answering): ReturnType<typeof answerOrQuestion> {
  const write = writerFor(call);
  const { describe, confining, options } = answering;
  const foreign = judgedCall(call);
  const { approvals = 'client' } = options;
  const { canAsk, isSerial = false } = clientOf(call.client);
  const isAskedAgain = approvals !== 'client' || !canAsk;
  if (options.isApproved === false) {
    await answering.session.denied(foreign);
    return write({ kind: 'deny', reason: 'the user refused this call' });
  }
  const verdict = await answering.session.judge({
    ...foreign,
    describe: () => describe(answering.session),
    mayRun: (id, isAsked) => !isSerial && !(isAsked && isAskedAgain) && call.hasEnded?.(id) !== true,
    confines: confining !== null,
    isApproved: options.isApproved === true,
  });
  switch (verdict.verdict) {
    case 'permitted':
      return write({
        kind: 'allow',
        ...(call.argsToRun && { args: call.argsToRun }),
        ...confining?.answer(verdict.call),
      });
    case 'refused':
      if (verdict.refusal.code === 'unrecorded')
        return failedHook(`ambit: ${verdict.refusal.reason}${stateFolderRemedy(options.environment)}`);
      return write({ kind: 'deny', reason: refusalInWords(verdict.refusal) });
    case 'question':
      return answerQuestion(verdict, { call, ...answering });
  }
}

function writerFor({ client, isFixed }: ClientCall) {
  return (given: HookAnswer) => clientOf(client).write(given, isFixed);
}

async function answerQuestion(
  { question, needsPerson }: Extract<Verdict, { verdict: 'question' }>,
  { call, session, options, confining, started }: Answering & { readonly call: ClientCall },
): ReturnType<typeof answerOrQuestion> {
  const [client, write] = [clientOf(call.client), writerFor(call)];
  const { approvals = 'client', deadline, isApproved, isAlone, startedBy = process.ppid } = options;
  if (approvals === 'ambit' && Date.now() < deadline - afterHold) {
    await session.ask(question);
    return { held: question };
  }
  const printing = isAlone === true ? 'for_a_program' : printingOf(startedBy, client.name);
  if (approvals === 'defer' && !call.isFixed && printing.startsWith('for_')) {
    await session.ask(question);
    return write({ kind: 'ask', reason: reasonToApprove(question), defers: true });
  }
  const isAsking =
    approvals === 'client' &&
    client.canAsk &&
    !call.isFixed &&
    (printing === 'no' || printing === 'for_a_program') &&
    !needsPerson &&
    isApproved !== true;
  // Another client would run the call unchanged and unconfined.
  const runsAsked = confining === null || client.rewrites === 'asked_too';
  if (isAsking && runsAsked && (await onlyUserAnswers(started, options))) {
    const reason = questionForUser(question, confining === null ? undefined : call.args.command);
    return write({ kind: 'ask', reason, ...confining?.answer(question.call) });
  }
  const reason = reasonToApprove(question);
  await session.refuseUntilAnswered(question, reason);
  return write({ kind: 'deny', reason });
}

/** Whether no hook, such as one of the repository, may answer instead of the client's user. */
async function onlyUserAnswers(
  project: string,
  { client, environment, isAlone, startedBy = process.ppid }: HookOptions,
): Promise<boolean> {
  if (isAlone === true) return true;
  const { mayOthersAnswer } = await import('../clients/hooks-found.js');
  const home = environment.HOME ?? '/';
  const given = givenTo(startedBy, { home, project });
  return !mayOthersAnswer(client, { home, project, environment, given });
}

function worldOf(
  root: string,
  started: string,
  { client, environment, searchPath = usualSearchPath, policies, isAlone }: HookOptions,
): ClientWorld {
  const home = environment.HOME ?? '/';
  const guarded = guardedInOneCall(clientGuardedPlaces({ home, root, started, environment, policies }));
  const folder = { name: 'project', folder: root, mode: 'rw' } as const;
  const roots = openRoots([folder], { home, guarded, naming: 'by_path' });
  const places = { home, project: started };
  const repositorySetting = isAlone === true ? async () => null : repositorySettingOf(client, places);
  return { roots, home, searchPath, repositorySetting };
}

/** Milliseconds that are kept for judging again and for writing the answer. */
const afterHold = 6_000;
