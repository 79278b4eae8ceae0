export {
  applyChange,
  type CallChange,
  type Change,
  type Judged,
  type PolicyChange,
} from './changes/change.js';
export { formatChanges } from './changes/change-words.js';
export { findChanges } from './changes/find-changes.js';
export { type CheckReport, checkPolicies } from './check.js';
export {
  type DecisionChange,
  diffPolicies,
  type EditSummary,
  type PolicyDifference,
} from './diff/diff.js';
export { formatDiff } from './diff/format-diff.js';
export type { Unsettled } from './exact/blind-spot.js';
export type { ExampleCall } from './exact/call.js';
export type { Direction } from './exact/compare.js';
export type { Verdict } from './exact/verdict.js';
export { type BrokenInvariant, brokenInvariants } from './invariants/check-invariants.js';
export { type InvariantProof, proveInvariant } from './invariants/invariant.js';
export { builtInTools } from './lint/names/built-in-tools.js';
export type { ToolsetDefinition } from './lint/subject/toolset-definition.js';
export { type AttenuationProof, type Callers, proveAttenuation } from './prove/attenuation.js';
export { formatAttenuation } from './prove/format-attenuation.js';
