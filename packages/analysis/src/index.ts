export {
  applyChange,
  type Change,
} from './changes/change.js';
export { formatChanges } from './changes/change-words.js';
export { findChanges } from './changes/find-changes.js';
export { checkPolicies } from './check.js';
export {
  diffPolicies,
  type PolicyDifference,
} from './diff/diff.js';
export { formatDiff } from './diff/format-diff.js';
export type { Direction } from './exact/compare.js';
export { brokenInvariants } from './invariants/check-invariants.js';
export { proveInvariant } from './invariants/invariant.js';
export { builtInTools } from './lint/names/built-in-tools.js';
export type { ToolsetDefinition } from './lint/subject/toolset-definition.js';
export { proveAttenuation } from './prove/attenuation.js';
export { formatAttenuation } from './prove/format-attenuation.js';
