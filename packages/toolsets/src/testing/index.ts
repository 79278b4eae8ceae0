// First: the watch must exist before a toolset's modules import from Node.
import './watch/watch.js';

export { capabilityTable } from './capability-table.js';
export type { RunConfined } from './check-confined.js';
export { type CheckOptions, checkToolset, type ToolReport, type ToolsetReport } from './check-toolset.js';
export { type ConformanceTest, conformance } from './conformance.js';
export type { Finding, FindingCode } from './finding.js';
export { formatFinding, formatReport } from './format-report.js';
