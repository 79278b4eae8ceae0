export { type Answer, type Approver, type Mode, modes, type Question } from './approval.js';
export {
  type Authority,
  type Clock,
  delegate,
  entryAuthority,
  forReference,
  grantsOf,
  policiesOf,
  Run,
  type RunOptions,
} from './authority.js';
export { canonical, isCanonicalHost, nonCanonicalFacts } from './canonical.js';
export { isCanonicalPath } from './canonical-path.js';
export { type Capability, isCapabilityName, isWithin, withoutRepetition } from './capability.js';
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
} from './condition.js';
export { counted } from './counted.js';
export {
  type Acting,
  type Addressed,
  concerns,
  isAboutName,
  isAboutTool,
  isForChain,
  replacesDefault,
  restrictableAs,
} from './decide/concerns.js';
export {
  type AnsweredBy,
  type CallDecision,
  type Decide,
  decide,
  type Judgement,
  type RuleReference,
  settle,
  type UndecidedRule,
} from './decide.js';
export { type DecidingMember, memberInWords, strictnessOf } from './deciding-member.js';
export {
  type Decision,
  decisions,
  isNonEmpty,
  isStricter,
  type NonEmpty,
  rankOf,
  strictest,
} from './decision.js';
export { type DefinedCapability, defineCapability, type Unknown, unknown } from './define-capability.js';
export type { ExampleCall } from './example-calls.js';
export { exampleInWords } from './example-words.js';
export {
  type FileSet,
  fileSetOf,
  fileSetProblem,
  isUnknownMember,
  membersOf,
  type PathFact,
  pathFact,
  unknownMember,
} from './file-set.js';
export { filesInWords, listedInWords } from './files-in-words.js';
export {
  answer,
  type GivenAnswers,
  type Grant,
  isOpenQuestion,
  type Keeping,
  type KeptAnswer,
  keepable,
  type ReferenceGrant,
} from './grant.js';
export { GuardedToolset, guard, type Offer, type Others, refuseUnknownTool, type ToolCall } from './guard.js';
export { type EarlierRun, earlierRun, type Interrupted, interruptedCall } from './interrupted.js';
export { equalJson, frozenCopy, isJson, isJsonObject, type Json, type JsonObject } from './json.js';
export type { Keeper, ToolInUse } from './keeper.js';
export { isCoveredBy, ladder, type Rung } from './ladder.js';
export { folderOf, type ListedSet, listedSet, listedSetOf, mostWritten } from './listed-set.js';
export type {
  ApprovalEvent,
  DecisionEvent,
  EndEvent,
  GuardChangedEvent,
  Log,
  LogEvent,
  OutcomeEvent,
  PolicyEvent,
  RunEvent,
} from './log.js';
export type { MadeProblem } from './made/own-data.js';
export { approverProblem, hasFunctions } from './made/run-options.js';
export { problemInWords, takePolicy } from './made/take-policy.js';
export { messageOf } from './message-of.js';
export {
  createdPrefix,
  isSimpleName,
  isToolName,
  isWorkerName,
  reservedToolsets,
  toolsetOf,
} from './name.js';
export { impliedRule, impliesOpacity, opaque, rulesOf } from './opacity.js';
export { type Origin, originInWords, originsOf, withOrigins } from './origin.js';
export { type Pin, type Pinned, pinned } from './pinned.js';
export {
  type Admission,
  builtIn,
  type Carried,
  defaultAdmission,
  isAskedFor,
  isOpen,
  namesTool,
  type Policy,
  policies,
  type Remember,
  remembers,
} from './policy.js';
export type { GivenAnswer, PreviousAnswer, PreviousAnswers } from './previous-answers.js';
export { printable, printableLines } from './printable.js';
export { isMeasure, isWithinReach, isWithinReachOf, type Reach, reaches } from './reach.js';
export {
  type CallOutcome,
  FailedError,
  type Refusal,
  type RefusalCode,
  RefusedError,
  refusalCodes,
  resultOf,
} from './refusal.js';
export {
  type CallView,
  type CapabilityView,
  createRequest,
  type DescribedCall,
  type Request,
} from './request.js';
export {
  type AnswerableBy,
  asksIfUndecided,
  type CapabilityRule,
  type CombinationMember,
  type CombinationRule,
  isRestriction,
  type Restricting,
  type Rule,
  type ToolRule,
} from './rule.js';
export { type InputSchema, inputSchema, issuesInWords, type Parsed } from './schema.js';
export type { ShownCall } from './shown-call.js';
export { StartOver } from './start-over.js';
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
  type Tool,
  type ToolDefinition,
  type Toolset,
} from './tool.js';
export { type CapabilityDefinition, type FactKind, vocabulary } from './vocabulary.js';
export {
  changesInWords,
  type GuardChange,
  type GuardWatch,
  guardedChanges,
  mayDoMore,
} from './watch/watch.js';
export { inWords } from './words.js';
