import { fileCodes } from './file-codes.js';
import { lintCodes } from './lint/lint-codes.js';
import { policyCodes } from './policy-codes.js';
import { ruleCodes } from './rule-codes.js';
import { suiteCodes } from './suite/suite-codes.js';
import { workerCodes } from './worker-codes.js';

/** A mistake that an author can make. */
export interface CodeDescription {
  readonly title: string;
  /** A file that has it; in words, as a comment, where a page cannot show it. */
  readonly avoid: string;
  /** What to write instead. */
  readonly prefer: string;
  readonly why: string;
}

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
