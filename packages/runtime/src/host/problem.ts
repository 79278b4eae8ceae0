import { type Diagnostic, escapeText } from '@ambit/policy';

/** Why nothing can run: a diagnostic of a file, or another mistake. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  /** The place in a file, if any. */
  readonly diagnostic: Diagnostic | null;
}

/** A problem without a place in a file. */
export function problem(code: string, message: string, help: string | null): Problem {
  return { code, message, help, diagnostic: null };
}

/** A diagnostic of a file as a problem. */
export function asProblem(diagnostic: Diagnostic): Problem {
  const { code, message, help } = diagnostic;
  return { code, message, help, diagnostic };
}

/** About a file as a whole, one that cannot be read for instance. */
export function fileProblem(file: string, message: string): Problem {
  return asProblem({
    file,
    line: 1,
    column: 1,
    length: 0,
    code: 'CANNOT_READ',
    message: escapeText(message),
    help: null,
    excerpt: null,
  });
}
