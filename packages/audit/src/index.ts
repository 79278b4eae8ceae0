export { findCall } from './history/calls/call-story.js';
export { formatCall } from './history/calls/format-call.js';
export { formatEvent } from './history/calls/format-event.js';
export { formatLearning } from './history/learn/format-learning.js';
export { bearingOnLearning, learn } from './history/learn/learn.js';
export type { Learning, TriedRules } from './history/learn/learning.js';
export { type PastCall, pastCalls } from './history/learn/past-calls.js';
export type { ProposedRule } from './history/learn/proposed-rule.js';
export { type CallFilter, matchesFilter } from './history/query/call-filter.js';
export { type CallRow, callRows } from './history/query/call-row.js';
export { csvHead, csvRow } from './history/query/csv.js';
export { formatLoad } from './history/query/format-load.js';
export { formatRow, formatStatistics } from './history/query/format-rows.js';
export { type LearntLoad, learntLoad } from './history/query/load.js';
export { ocsfEvent } from './history/query/ocsf.js';
export { statisticsOf } from './history/query/statistics.js';
export { subjectOf } from './history/query/subject.js';
export { formatSummary } from './history/replay/format-summary.js';
export { buildIndex, openIndex } from './history/replay/index-file.js';
export { type LoggedPolicies, loggedPolicies } from './history/replay/logged-policies.js';
export { type Redecision, redecide } from './history/replay/redecide.js';
export { type Judge, replay, replayFile } from './history/replay/replay.js';
export { canReplayIndexed, replayIndex } from './history/replay/replay-index.js';
export { type ReplaySummary, summarise, sumOf } from './history/replay/summary.js';
export { awaitLock, processAt } from './log/files/lock.js';
export { ifThere, LogError } from './log/files/log-error.js';
export { makeFolder } from './log/files/open-file.js';
export {
  NotRegularError,
  readNamed,
  readRegular,
  readRegularSync,
  whyNotOwn,
} from './log/files/regular-file.js';
export { createOnce, createWhole, writeWhole } from './log/files/write-whole.js';
export { canonicalJson } from './log/line/canonical-json.js';
export { createHistories } from './log/line/history.js';
export type { LogEntry } from './log/line/line.js';
export { logSchema } from './log/line/log-schema.js';
export { listOf } from './log/line/members.js';
export { hasLargeSet, withListedSets } from './log/manifests/list-sets.js';
export { logKeyOf } from './log/manifests/log-key.js';
export { digestMembers } from './log/manifests/manifest-file.js';
export { hasMask } from './log/manifests/masked-keys.js';
export { type ReadMembers, readManifests } from './log/manifests/read-manifest.js';
export { restoredSets, unreadSets } from './log/manifests/restore-sets.js';
export { createMask } from './log/mask/mask.js';
export type { MaskRules } from './log/mask/mask-rules.js';
export { type LogLine, readLog, tailLog } from './log/read/read-log.js';
export { logsIn } from './log/segments/find-first.js';
export { stateOf } from './log/segments/written-files.js';
export {
  createSigningKey,
  parseSigningKey,
  parseVerifierKey,
  type SigningKey,
  type VerifierKey,
} from './log/tree/note-key.js';
export { newestSigners, readAnchor } from './log/tree/notes-file.js';
export { createLog, type Recording } from './log/write/file-log.js';
export type { Recovered } from './log/write/recover.js';
export type { FileLog } from './log/write/writer-place.js';
export { type KnownRule, reportData } from './report/report-data.js';
export { reportPage } from './report/report-page.js';
export { checkProof } from './verify/check-proof.js';
export { formatVerification } from './verify/format-verification.js';
export { newestHead, type Proof, proveConsistency, proveEntry } from './verify/prove.js';
export type { Verification } from './verify/verification.js';
export { verifyLog } from './verify/verify.js';
