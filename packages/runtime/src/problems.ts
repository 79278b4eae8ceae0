import { type Diagnostic, escapeText } from '@ambit/policy';
import type { Problem } from './open/session.js';

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
