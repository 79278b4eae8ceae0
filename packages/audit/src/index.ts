export { type CallStory, callStory, type FoundCall, findCall } from './call-story.js';
export { canonicalJson } from './canonical-json.js';
export { type CheckedProof, checkProof } from './evidence/check-proof.js';
export type { HeadInterval } from './evidence/head-writer.js';
export {
  createSigningKey,
  parseSigningKey,
  parseVerifierKey,
  type SigningKey,
  type VerifierKey,
} from './evidence/note-key.js';
export { type NotesFile, readAnchor } from './evidence/notes-file.js';
export { newestHead, type Proof, proveConsistency, proveEntry } from './evidence/prove.js';
export {
  type LoadLogged,
  type LoggedPolicies,
  type RedecideDamage,
  type Redecision,
  redecide,
} from './evidence/redecide.js';
export { createLog, type FileLog, type LogOptions, type Recording } from './file-log.js';
export { formatCall } from './format-call.js';
export { formatEvent } from './format-event.js';
export { formatVerification } from './format-verification.js';
export type { Hindrance, Obstacle } from './learn/answerable.js';
export { formatLearning } from './learn/format-learning.js';
export { learn } from './learn/learn.js';
export type {
  BrokenInvariant,
  Dropped,
  Learning,
  Left,
  NewlyCovered,
  Proposal,
  Source,
  TriedRules,
} from './learn/learning.js';
export type { LearnOptions } from './learn/objection.js';
export { type Fate, type PastCall, type PastEntry, pastCalls } from './learn/past-calls.js';
export type { ProposedRule } from './learn/proposed-rule.js';
export { type EventName, eventNames, type LogEntry, maxLineBytes } from './line.js';
export { LogError, type LogErrorCode } from './log-error.js';
export { logSchema } from './log-schema.js';
export { makeFolder } from './make-folder.js';
export { hasLargeSet, withListedSets } from './manifests/list-sets.js';
export { logKeyOf } from './manifests/log-key.js';
export { digestMembers } from './manifests/manifest-file.js';
export { type ReadMembers, readManifests } from './manifests/read-manifest.js';
export { restoredSets, unreadSets } from './manifests/restore-sets.js';
export { createMask, type Mask } from './mask.js';
export type { MaskRules } from './mask-rules.js';
export { plainJson } from './plain-json.js';
export { type CallFilter, matchesFilter } from './query/call-filter.js';
export { type AskedQuestion, type CallRow, callRows } from './query/call-row.js';
export { csvHead, csvRow } from './query/csv.js';
export { formatRow, formatStatistics } from './query/format-rows.js';
export { ocsfEvent } from './query/ocsf.js';
export { type Count, type Fatigue, type Statistics, statisticsOf } from './query/statistics.js';
export { type LogLine, readLog, readSegment } from './read-log.js';
export type { Recovered } from './recover.js';
export { NotRegularError, readNamed, readRegular, readRegularSync } from './regular-file.js';
export { formatSummary } from './replay/format-summary.js';
export { buildIndex, type OpenIndex, openIndex } from './replay/index-file.js';
export { type Judge, type JudgeReads, type ReplayedCall, replay, replayFile } from './replay/replay.js';
export { canReplayIndexed, replayIndex } from './replay/replay-index.js';
export { type ReplayClass, type ReplaySummary, summarise, sumOf } from './replay/summary.js';
export { type ReportData, type ReportedCall, reportData } from './report/report-data.js';
export { reportPage } from './report/report-page.js';
export type { RotationLimits } from './rotation.js';
export { logsIn } from './segments/logs-in.js';
export { type TailOptions, tailLog } from './tail-log.js';
export type { DamageCode, Signed, Verification } from './verification.js';
export { type VerifyOptions, verifyLog } from './verify.js';
export type { CommitMode } from './writer.js';
