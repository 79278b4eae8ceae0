export type { Expression, Key } from './condition/expression.js';
export type { Character, Glob, Segment } from './condition/glob.js';
export type { FactPatterns, Match } from './condition/pattern.js';
export type {
  PolicyDocument,
  WrittenCombination,
  WrittenInvariant,
  WrittenMember,
  WrittenNamedRule,
  WrittenPolicy,
  WrittenRule,
} from './document/document.js';
export { keysRead, readsOf } from './document/keys-read.js';
export { causeOf, type LoadedPolicies, loadPolicies, type PolicyFile } from './document/load.js';
export { loadPolicyText } from './document/load-text.js';
export { policySchema } from './document/policy.js';
export type { CheckedForm, CheckedForms, PolicyWorld } from './document/world.js';
export { createEngine, type Engine } from './engine/engine.js';
export { type ClientName, clientNames } from './grammar/clients.js';
export { addPermissions } from './permit/add-permissions.js';
export type { NewPermission } from './permit/new-permission.js';
export { explainDecision } from './show/explain.js';
export { formatShow } from './show/format-show.js';
export { showPolicies } from './show/show.js';
export { showNotes } from './show/show-notes.js';
export { type Project, readProject } from './starter/project.js';
export {
  type Preset,
  presetNames,
  presets,
  schemaFile,
  starterPolicy,
  starterSuite,
} from './starter/starter.js';
export { formatReport } from './suite/format-report.js';
export {
  type DescribingPlace,
  type LoadedSuite,
  loadSuite,
  type SuiteWorld,
} from './suite/load-suite.js';
export { suiteSchema } from './suite/read/suite-file.js';
export { reportSuites, type SuitesReport } from './suite/report.js';
export type { CallOfCase, WrittenCall } from './suite/suite.js';
export type { DiagnosticCode } from './text/codes.js';
export { type Diagnostic, formatDiagnostic, formatDiagnostics } from './text/diagnostic.js';
export { escapeText } from './text/escape.js';
export type { Place } from './text/place.js';
