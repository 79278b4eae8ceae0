// First: the watch must exist before a toolset's modules import from Node.
import './watch/watch.js';

export { capabilityTable } from './capability-table.js';
export type { RunConfined } from './check-confined.js';
export { checkToolset, type ToolsetReport } from './check-toolset.js';
export { conformance } from './conformance.js';
export { formatReport } from './format-report.js';
