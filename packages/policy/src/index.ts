export type { Expression, Key } from './condition/expression.js';
export type { Character, Glob, GlobKind, Segment } from './condition/glob.js';
export type { FactPatterns, Match, Pattern } from './condition/pattern.js';
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
} from './document/document.js';
export { keysRead, type PolicyReads, readsOf } from './document/keys-read.js';
export { type LoadedPolicies, loadPolicies, type PolicyFile } from './document/load.js';
export { type LoadedText, loadPolicyText } from './document/load-text.js';
export { policySchema } from './document/policy.js';
export type { PolicyWorld } from './document/world.js';
export { createEngine, type Engine } from './engine/engine.js';
export type { Folders } from './grammar/reading.js';
export { addPermissions, type EditedPolicy } from './permit/add-permissions.js';
export { type NewPermission, type WrittenPermission, writtenPermission } from './permit/new-permission.js';
export { type Explained, explainDecision } from './show/explain.js';
export { formatShow } from './show/format-show.js';
export { type ShowRow, showPolicies } from './show/show.js';
export { type ShowNote, showNotes } from './show/show-notes.js';
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
export type { MutationReport, Survivor } from './suite/mutation/mutate.js';
export { suiteSchema } from './suite/read/suite-file.js';
export { reportSuites, type SuitesReport } from './suite/report.js';
export type { CaseResult, Mismatch } from './suite/run-case.js';
export type { Counts, SuiteResult } from './suite/run-suite.js';
export type { Expectation, Suite, SuiteCase, WrittenCall } from './suite/suite.js';
export type { DiagnosticCode } from './text/codes.js';
export { type Diagnostic, formatDiagnostic, formatDiagnostics } from './text/diagnostic.js';
export { escapeText } from './text/escape.js';
export type { Place } from './text/place.js';
