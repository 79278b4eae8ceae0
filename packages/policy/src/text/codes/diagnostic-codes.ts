import type { CodeDescription } from './code-description.js';
import { fileCodes } from './file-codes.js';
import { lintCodes } from './lint-codes.js';
import { policyCodes } from './policy-codes.js';
import { ruleCodes } from './rule-codes.js';
import { suiteCodes } from './suite-codes.js';
import { workerCodes } from './worker-codes.js';

export type DiagnosticCode =
  | keyof typeof fileCodes
  | keyof typeof policyCodes
  | keyof typeof ruleCodes
  | keyof typeof workerCodes
  | keyof typeof suiteCodes
  | keyof typeof lintCodes;

/** Every code there is. */
export const diagnosticCodes: Readonly<Record<DiagnosticCode, CodeDescription>> = {
  ...fileCodes,
  ...policyCodes,
  ...ruleCodes,
  ...workerCodes,
  ...suiteCodes,
  ...lintCodes,
};
