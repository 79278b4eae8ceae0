export { namesFolder, starterToolset } from '@ambit/toolsets';
export type { ApproverFunction } from './approver-function.js';
export { bindingDigest } from './approvers/binding-digest.js';
export { firstAnswer } from './approvers/first-answer.js';
export { type StoreApproverOptions, storeApprover } from './approvers/store-approver.js';
export { type LineErrorCode, type LineFailure, lineFailure } from './call-line.js';
export {
  checkModule,
  type ModuleCheck,
  type ModuleCheckOptions,
  type ToolsetReport,
} from './check-module.js';
export { configurationFile, loadConfiguration } from './configuration.js';
export { type Configuration, readConfiguration } from './configuration-file.js';
export { configurationSchema } from './configuration-schema.js';
export {
  type Answer,
  type Approver,
  type CallOutcome,
  type Capability,
  type CapabilityDefinition,
  changesInWords,
  exampleInWords,
  FailedError,
  fileSetOf,
  isJsonObject,
  isWorkerName,
  type Json,
  type JsonObject,
  type Judgement,
  type Keeping,
  type KeptAnswer,
  type LogEvent,
  ladder,
  type Mode,
  memberInWords,
  modes,
  type NonEmpty,
  type Origin,
  originInWords,
  originsOf,
  type Policy,
  type Preview,
  type PreviousAnswers,
  printable,
  printableLines,
  type Question,
  type Refusal,
  RefusedError,
  type Rung,
  reaches,
  resultOf,
  withOrigins,
} from './core-types.js';
export { type DescribedLine, describeLine } from './describe-line.js';
export type { GivenToolset, ToolsetFactory } from './given-toolsets.js';
export { type JudgedCall, type JudgedLine, judgeCall, judgeLine, type LineJudge } from './judge-line.js';
export { lineToolsets } from './line-toolsets.js';
export { loadToolset } from './load-toolset.js';
export { loggedJudge } from './logged-judge.js';
export { judgeOfLog } from './logged-policies.js';
export { problemWithName } from './module-toolset.js';
export { open } from './open.js';
export { type PolicyTrials, policyTrials } from './policy-trials.js';
export { isPolicyThere, policyWorld } from './read-policies.js';
export { type ResumeOptions, resume } from './resume.js';
export { outsideRoots } from './root-folders.js';
export { type ReadScript, readScript, type Script, type ScriptTurn } from './script-file.js';
export type {
  Budget,
  Costs,
  CreateRequest,
  EntryCall,
  Opened,
  OpenOptions,
  Problem,
  RunResult,
  Session,
  Totals,
  WorkerRequest,
  WorkerTotals,
} from './session.js';
export { eventVersion, type ModelSource, type SessionEvent } from './session-event.js';
export { makeSigningKey, signingKey, signingKeyFile } from './signing-key.js';
export {
  homeFolder,
  knownLogKey,
  logFolderOf,
  logKey,
  openStateFolder,
  stateFolder,
  stateFolderOf,
} from './state-folder.js';
export { openStore } from './store/file-store.js';
export { memoryStore } from './store/memory-store.js';
export { canGoOn, lastMode, runStatus } from './store/run-status.js';
export type { Came, Step } from './store/step.js';
export type {
  AskedQuestion,
  RunRecord,
  RunStatus,
  Store,
  StoredAnswer,
  StoredQuestion,
  StoredRun,
  Taken,
} from './store/store.js';
export { StoreError, type StoreErrorCode } from './store/store-error.js';
export { type StoredCall, storedCalls } from './store/stored-calls.js';
export { isBelowRun } from './trust/running-processes.js';
export { keepTrust, listTrust, revokeTrust, type Trust, trustOf } from './trust/trust-store.js';
export { loadWorker, Worker } from './worker.js';
export type {
  AttachmentLimits,
  ReferenceApproval,
  RootDefinition,
  ToolsetReference,
  WorkerDefinition,
} from './worker-definition.js';
export { loadWorkers, type RegistryWorld, type WorkerRegistry } from './worker-registry.js';
export { workerSchema } from './worker-schema.js';
export { WorkerToolset } from './worker-toolset.js';
