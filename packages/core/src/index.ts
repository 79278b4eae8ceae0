export type { Keeper, ToolInUse } from './asking/asked-call.js';
export type { ExampleCall } from './asking/ladder/example-calls.js';
export { exampleInWords, ladder, type Rung } from './asking/ladder/ladder.js';
export {
  type Answer,
  type ApprovalEvent,
  type Approver,
  approvalEvent,
  type Mode,
  modes,
  type Question,
} from './asking/question.js';
export { isRefusedWith, type SameCall } from './asking/refused-calls.js';
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
export { type Decide, decide, type Finding, findingOf, findingOfSet, settle } from './decide/decide.js';
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
export { decidingPaths, decidingRules, memberInWords, whyUnknown } from './decide/judgement.js';
export { problemInWords, takePolicy } from './decide/made/take-policy.js';
export { type Origin, originInWords, originsOf, withOrigins } from './decide/origin.js';
export { type Pin, pinned } from './decide/pinned.js';
export {
  type Admission,
  builtIn,
  type Carried,
  carriedCapabilities,
  decidesOpacity,
  defaultAdmission,
  impliedRule,
  impliesOpacity,
  isAskedFor,
  isOpaque,
  isOpen,
  namesTool,
  opaque,
  type Policy,
  plainRule,
  policies,
  type Remember,
  remembers,
  rulesOf,
  silentPolicy,
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
export { areDependent, DependentCalls, type Effects, mayChange } from './guard/dependent-calls.js';
export { GuardedToolset, guard, refuseUnknownTool, type ToolCall } from './guard/guard.js';
export { type EarlierRun, earlierRun, type Interrupted, interruptedCall } from './guard/interrupted.js';
export type { DecisionEvent, Log, LogEvent, OutcomeEvent, PolicyEvent, RunEvent } from './guard/log.js';
export { permitsBefore, withoutHistory } from './guard/record.js';
export { approverProblem, hasFunctions, Run, type RunOptions } from './guard/run.js';
export { changesInWords, type GuardChange, type GuardWatch, guardedChanges } from './guard/watch.js';
export { defineCapability, unknown } from './tool/define-capability.js';
export { describeCall } from './tool/describe-call.js';
export {
  type CallOutcome,
  FailedError,
  type Refusal,
  type RefusalCode,
  RefusedError,
  refusalCodes,
  resultOf,
} from './tool/outcome.js';
export {
  type InputSchema,
  inputSchema,
  type Parsed,
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
  ipv4Of,
  ipv6Groups,
  isCanonicalHost,
  isCanonicalPort,
  nonCanonicalFacts,
  plainHost,
  urlHost,
} from './words/canonical.js';
export {
  type Capability,
  filesOfAnswer,
  isCapabilityName,
  isWithin,
  sortedText,
  withoutRepetition,
} from './words/capability.js';
export { type Clock, parseMinute, parseTimestamp } from './words/clock.js';
export { groupedBy, remembered, withId } from './words/collect.js';
export { columnsOf, pieces, wrap } from './words/columns.js';
export {
  type Decision,
  decisions,
  isNonEmpty,
  isStricter,
  type NonEmpty,
  rankOf,
  strictest,
} from './words/decision.js';
export { aborted, deferred } from './words/deferred.js';
export {
  fileSetOf,
  fileSetProblem,
  folderOf,
  fromHome,
  isCanonicalPath,
  isUnder,
  isUnknownMember,
  knownPaths,
  type ListedSet,
  listedSet,
  listedSetOf,
  membersIn,
  membersOf,
  mostWritten,
  pathFact,
  unknownMember,
} from './words/files/file-set.js';
export { foldersUp } from './words/files/folders-up.js';
export { inWords, valueInWords } from './words/in-words.js';
export {
  equalJson,
  frozenCopy,
  hasDuplicateKey,
  isJson,
  isJsonObject,
  isObject,
  isUnwritable,
  type Json,
  type JsonObject,
  jsonCopy,
  jsonOr,
  objectOf,
  ownMember,
  stated,
  textsOf,
  unkeptNumbers,
  whyUnkept,
} from './words/json.js';
export {
  builtInToolsets,
  createdPrefix,
  editDistance,
  isSimpleName,
  isToolName,
  isWorkerName,
  nearest,
  reservedToolsets,
  standaloneToolsets,
  toolsetOf,
} from './words/name.js';
export { allTrue, anyTrue } from './words/perhaps.js';
export { type ProcessStat, processStat } from './words/process-stat.js';
export {
  counted,
  errorCode,
  hiddenCharacters,
  hyphenated,
  jsonText,
  messageOf,
  orNull,
  plainText,
  printable,
  printableLines,
  quotedWord,
  shellWord,
  shortened,
  systemWords,
  visibleJson,
} from './words/text.js';
export { type CapabilityDefinition, type FactKind, vocabulary, whatValues } from './words/vocabulary.js';
export { coversSequence, escapeRegExp, matchesWildcards } from './words/wildcard.js';
