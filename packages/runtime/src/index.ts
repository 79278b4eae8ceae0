/** What programs without logic of their own need of core; they import it from here. */
export {
  type Approver,
  exampleInWords,
  FailedError,
  type JsonObject,
  type LogEvent,
  ladder,
  type Policy,
  type Question,
  RefusedError,
  resultOf,
} from '@ambit/core';
export { namesFolder, starterToolset } from '@ambit/toolsets';
export { bindingDigest, jsonDigest } from './approvers/binding-digest.js';
export { firstAnswer } from './approvers/first-answer.js';
export { storeApprover } from './approvers/store-approver.js';
export {
  configurationFile,
  configurationSchema,
  loadConfiguration,
} from './catalogue/configuration.js';
export { outsideRoots, overlapProblems } from './catalogue/root-folders.js';
export { loadWorker, loadWorkers } from './catalogue/worker-registry.js';
export { openClientSession } from './client-session/client-session.js';
export type { ForeignCall } from './client-session/foreign-call.js';
export { keepSessions } from './client-session/keep-sessions.js';
export type { ClientSession, Verdict } from './client-session/opened-session.js';
export type { MayRun } from './client-session/running-calls.js';
export { noFolder, problemLine, wholeFile } from './host/problem.js';
export type { EntryCall, Opened, RunResult, Session } from './host/session.js';
export { eventVersion, type SessionEvent } from './host/session-event.js';
export { type StoredCall, storedCalls } from './journal/stored-calls.js';
export { lineFailure } from './judge-line/call-line.js';
export {
  describeLine,
  judgeLine,
  judgeLineInFull,
  type LineJudge,
} from './judge-line/judge-line.js';
export { lineToolsetNamed, lineToolsets } from './judge-line/line-toolsets.js';
export { open } from './open/open.js';
export type { OpenOptions } from './open/open-options.js';
export { folderProblems } from './open/opening-problems.js';
export { resume } from './open/resume.js';
export { judgeOfLog, judgingNames, loggedJudge, loggedWorld } from './policies/policies-of-log.js';
export { type PolicyTrials, policyTrials } from './policies/policy-trials.js';
export { isPolicyThere, policyWorld } from './policies/read-policies.js';
export { inStore, openStore } from './store/file-store.js';
export { memoryStore } from './store/memory-store.js';
export { canGoOn, lastMode, runStatus } from './store/run-status.js';
export type {
  RunRecord,
  Step,
  Store,
  StoredAnswer,
  StoredQuestion,
} from './store/store.js';
export { attributedToolset } from './toolsets/attributed-toolset.js';
export { checkModule, type ModuleCheck, type ModuleCheckOptions } from './toolsets/check-module.js';
export { loadToolset } from './toolsets/exported-toolset.js';
export { keptForms } from './trust/kept-forms.js';
export { isOwn, isPrivate, markOf, readOwn } from './trust/own-files.js';
export { type AgentStart, isBelowRun, startOfAgent } from './trust/running-processes.js';
export { makeSigningKey, signingKey, signingKeyFile } from './trust/signing-key.js';
export {
  type Environment,
  homeFolder,
  knownLogKey,
  logFolderOf,
  logKey,
  makePrivate,
  openStateFolder,
  realHome,
  stateFolder,
  stateFolderOf,
} from './trust/state-folder.js';
export { keepTrust, listTrust, revokeTrust, type Trust, trustOf } from './trust/trust-store.js';
export { problemWithName } from './worker-file/given-toolsets.js';
export { mcpKeys, readCarriesFile, readMcpServer } from './worker-file/mcp-reference.js';
export type { WorkerDefinition } from './worker-file/worker-definition.js';
export { workerSchema } from './worker-file/worker-file.js';
