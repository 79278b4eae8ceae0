import { type Diagnostic, escapeText } from '@ambit/policy';

/** Why nothing can run: a diagnostic of a file, or another mistake. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  readonly diagnostic: Diagnostic | null;
}

export function problem(code: string, message: string, help: string | null): Problem {
  return { code, message, help, diagnostic: null };
}

/** `at` is `file:line:column`. */
export function placedProblem(at: string, of: Pick<Problem, 'code' | 'message' | 'help'>): Problem {
  const [, file = at, line = 1, column = 1] = /^(.*):(\d+):(\d+)$/s.exec(at) ?? [];
  return asProblem({ ...wholeFile(file, of), line: Number(line), column: Number(column) });
}

export function noFolder(root: string): Problem {
  return problem('NO_FOLDER', `the working folder does not exist: ${root}`, 'give a folder that exists');
}

export function asProblem(diagnostic: Diagnostic): Problem {
  const { code, message, help } = diagnostic;
  return { code, message, help, diagnostic };
}

/** With its place in the file. */
export function problemLine({ message, help, diagnostic }: Problem, beforeHelp: ': ' | '; '): string {
  const isPlaced = diagnostic !== null && diagnostic.excerpt !== null;
  const place = isPlaced ? `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}: ` : '';
  return `${place}${message}${help === null ? '' : `${beforeHelp}${help}`}`;
}

export function fileProblem(file: string, message: string): Problem {
  return asProblem(wholeFile(file, { code: 'CANNOT_READ', message: escapeText(message), help: null }));
}

/** A problem of a file that is at no place in it. */
export function wholeFile(
  file: string,
  { code, message, help }: Pick<Problem, 'code' | 'message' | 'help'>,
): Diagnostic {
  const place = { file, line: 1, column: 1, length: 0, excerpt: null };
  return { ...place, code: code as Diagnostic['code'], message, help };
}
