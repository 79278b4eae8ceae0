export { describeCommandIn, describeLineIn, mayChangePrograms } from './describe-in.js';
export { crossesOwn } from './files/links.js';
export { problemsOf as problemsOfPrograms } from './programs/entry/check.js';
export type { ProgramTable } from './programs/entry/spec.js';
export { programs } from './programs/entry/table.js';
export {
  type ConfinedLine,
  type ConfinedProgram,
  confinedLine,
  confinedProgram,
  markIn,
} from './run/confined-line.js';
export type { Writes } from './run/isolation/bounds.js';
export { findIsolation } from './run/isolation/find-isolation.js';
export type { Isolation } from './run/isolation/isolation.js';
export { usualBash } from './run/launcher.js';
export { findRunConfined } from './run/run-confined.js';
export { searchPathOf, usualSearchPath } from './run/search-path.js';
export { shell, shellAt } from './shell.js';
