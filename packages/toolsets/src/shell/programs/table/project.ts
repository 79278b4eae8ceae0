import type { ProgramSpec } from '../spec.js';

/** Runs code that the project brings: its configuration, its tests, its plug-ins. */
export const runsProject = (language: string): ProgramSpec => ({
  isLoose: true,
  operands: ['...value'],
  does: [`code:${language} ?`, 'write/** .'],
});
