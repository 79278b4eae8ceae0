export type { CodeDescription } from './code-description.js';
export { type Diagnostic, formatDiagnostic, formatDiagnostics } from './diagnostic.js';
export { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.js';
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
export { createEngine, type Engine } from './engine/engine.js';
export { escapeText } from './escape.js';
export { type Explained, explainDecision } from './explain.js';
export type { Expression, Key } from './expression.js';
export { formatShow } from './format-show.js';
export type { Character, Glob, GlobKind, Segment } from './glob.js';
export { keysRead, type PolicyReads, readsOf } from './keys-read.js';
export { lintCodes } from './lint-codes.js';
export { type LoadedPolicies, loadPolicies, type PolicyFile } from './load.js';
export { type LoadedText, loadPolicyText } from './load-text.js';
export type { FactPatterns, Match, Pattern } from './pattern.js';
export { addPermissions, type EditedPolicy } from './permit/add-permissions.js';
export { type NewPermission, type WrittenPermission, writtenPermission } from './permit/new-permission.js';
export type { Place } from './place.js';
export type { Folders } from './reading.js';
export { policySchema } from './schema.js';
export { type ShowRow, showPolicies } from './show.js';
export { type ShowNote, showNotes } from './show-notes.js';
export { type Preset, presetNames, presets } from './starter/preset.js';
export { type BadProjectFile, type Project, type ReadProjectFile, readProject } from './starter/project.js';
export { schemaFile, starterPolicy } from './starter/starter-policy.js';
export { starterSuite } from './starter/starter-suite.js';
export type { Coverage, RuleCoverage } from './suite/coverage.js';
export type { Deciding, DecidingRule } from './suite/deciding.js';
export { formatReport } from './suite/format-report.js';
export {
  type DescribedCall,
  type DescribingPlace,
  type LoadedSuite,
  loadSuite,
  type SuiteWorld,
} from './suite/load-suite.js';
export type { MutationReport, Survivor } from './suite/mutate.js';
export { reportSuites, type SuitesReport } from './suite/report.js';
export type { CaseResult, Mismatch } from './suite/run-case.js';
export type { Counts, SuiteResult } from './suite/run-suite.js';
export type { Expectation, Suite, SuiteCase, WrittenCall } from './suite/suite.js';
export { suiteCodes } from './suite/suite-codes.js';
export { suiteSchema } from './suite/suite-schema.js';
export { workerCodes } from './worker-codes.js';
export type { PolicyWorld } from './world.js';
