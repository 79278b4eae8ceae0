export { type CheckReport, checkPolicies } from './check.js';
export { type Diagnostic, formatDiagnostic, formatDiagnostics } from './diagnostic.js';
export { type CodeDescription, type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.js';
export type {
  Extension,
  PolicyDocument,
  WrittenCombination,
  WrittenCondition,
  WrittenExample,
  WrittenInvariant,
  WrittenMember,
  WrittenNamedRule,
  WrittenPolicy,
  WrittenRule,
} from './document.js';
export { escapeText } from './escape.js';
export { type Explained, explainDecision } from './explain.js';
export type { Expression, Key } from './expression.js';
export { formatShow } from './format-show.js';
export type { Character, Glob, GlobKind, Segment } from './glob.js';
export { type LoadedPolicies, loadPolicies, type PolicyFile } from './load.js';
export { type LoadedText, loadPolicyText } from './load-text.js';
export type { FactPatterns, Match, Pattern } from './pattern.js';
export type { Place } from './place.js';
export type { Folders } from './reading.js';
export { policySchema } from './schema.js';
export { type ShowRow, showPolicies } from './show.js';
export { starterPolicy } from './starter.js';
export { workerCodes } from './worker-codes.js';
export type { PolicyWorld } from './world.js';
