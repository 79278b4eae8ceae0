export { type ApprovalEvent, approvalEvent } from './asking/approval-event.js';
export type { Keeper, ToolInUse } from './asking/keeper.js';
export type { ExampleCall } from './asking/ladder/example-calls.js';
export { exampleInWords } from './asking/ladder/example-words.js';
export { ladder, type Rung } from './asking/ladder/ladder.js';
export { type Answer, type Approver, type Mode, modes, type Question } from './asking/question.js';
export { tooLargeToJudge } from './decide/bounds.js';
export {
  type Acting,
  concerns,
  isAboutName,
  isAboutTool,
  isForChain,
  replacesDefault,
  restrictableAs,
} from './decide/concerns.js';
export {
  always,
  both,
  type Condition,
  either,
  isUndecided,
  negation,
  type Truth,
  truthOf,
  type Undecided,
} from './decide/condition.js';
export { type Decide, decide, settle } from './decide/decide.js';
export { decidingPaths, memberInWords } from './decide/deciding-member.js';
export { type Finding, findingOf, findingOfSet } from './decide/finding.js';
export {
  answer,
  type Grant,
  isOpenQuestion,
  type Keeping,
  type KeptAnswer,
  type ReferenceGrant,
} from './decide/grant.js';
export type {
  CallDecision,
  DecidingMember,
  Judgement,
  RuleReference,
} from './decide/judgement.js';
export { problemInWords, takePolicy } from './decide/made/take-policy.js';
export { impliedRule, impliesOpacity, opaque, rulesOf } from './decide/opacity.js';
export { type Origin, originInWords, originsOf, withOrigins } from './decide/origin.js';
export { type Pin, pinned } from './decide/pinned.js';
export {
  type Admission,
  builtIn,
  type Carried,
  carriedCapabilities,
  defaultAdmission,
  isAskedFor,
  isOpen,
  namesTool,
  type Policy,
  policies,
  type Remember,
  remembers,
} from './decide/policy.js';
export { isMeasure, type Reach, reaches } from './decide/reach.js';
export {
  type CallView,
  type CapabilityView,
  callView,
  createRequest,
  type DescribedCall,
  type Request,
} from './decide/request.js';
export {
  type AnswerableBy,
  asksIfUndecided,
  type CapabilityRule,
  type CombinationMember,
  type CombinationRule,
  isRestriction,
  isStandingGrant,
  type Restricting,
  type Rule,
} from './decide/rule.js';
export { type Authority, delegate, entryAuthority, forReference } from './guard/authority.js';
export { GuardedToolset, guard, refuseUnknownTool, type ToolCall } from './guard/guard.js';
export { type EarlierRun, earlierRun, type Interrupted, interruptedCall } from './guard/interrupted.js';
export type { DecisionEvent, Log, LogEvent, OutcomeEvent, PolicyEvent, RunEvent } from './guard/log.js';
export { permitsBefore, withoutHistory } from './guard/record.js';
export { Run, type RunOptions } from './guard/run.js';
export { approverProblem, hasFunctions } from './guard/run-options.js';
export { changesInWords, type GuardChange, type GuardWatch, guardedChanges } from './guard/watch.js';
export { defineCapability, unknown } from './tool/define-capability.js';
export {
  type CallOutcome,
  FailedError,
  type Refusal,
  type RefusalCode,
  RefusedError,
  resultOf,
} from './tool/outcome.js';
export {
  type InputSchema,
  inputSchema,
  type Parsed,
  type StandardSchema,
} from './tool/schema.js';
export {
  type Configure,
  type ConfiguredToolset,
  cannot,
  type DescribeContext,
  type Description,
  defineTool,
  defineToolset,
  type ExecuteContext,
  type Preview,
  StartOver,
  type Tool,
  type ToolDefinition,
  type Toolset,
} from './tool/tool.js';
export {
  canonical,
  isCanonicalHost,
  isCanonicalPort,
  nonCanonicalFacts,
  urlHost,
} from './words/canonical.js';
export { type Capability, isCapabilityName, isWithin, withoutRepetition } from './words/capability.js';
export type { Clock } from './words/clock.js';
export { columnsOf } from './words/columns.js';
export { counted } from './words/counted.js';
export {
  type Decision,
  decisions,
  isNonEmpty,
  isStricter,
  type NonEmpty,
  rankOf,
  strictest,
} from './words/decision.js';
export { isCanonicalPath } from './words/files/canonical-path.js';
export {
  fileSetOf,
  fileSetProblem,
  isUnknownMember,
  membersOf,
  pathFact,
  unknownMember,
} from './words/files/file-set.js';
export { folderOf, type ListedSet, listedSet, listedSetOf, mostWritten } from './words/files/listed-set.js';
export { inWords, valueInWords } from './words/in-words.js';
export {
  equalJson,
  frozenCopy,
  isJson,
  isJsonObject,
  isObject,
  type Json,
  type JsonObject,
  jsonOr,
  stated,
  textsOf,
} from './words/json.js';
export { messageOf, orNull } from './words/message-of.js';
export {
  createdPrefix,
  editDistance,
  isSimpleName,
  isToolName,
  isWorkerName,
  nearest,
  reservedToolsets,
  toolsetOf,
} from './words/name.js';
export { jsonText, printable, printableLines } from './words/printable.js';
export { type ProcessStat, processStat } from './words/process-stat.js';
export { shellWord } from './words/shell-word.js';
export { type CapabilityDefinition, type FactKind, vocabulary } from './words/vocabulary.js';
export { coversSequence, escapeRegExp, matchesWildcards } from './words/wildcard.js';
