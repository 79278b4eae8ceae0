import type { DiagnosticCode } from './codes.js';
import { escapeText } from './escape.js';
import { excerptOf } from './excerpt.js';
import type { Lines, Span } from './place.js';

/** Every text except `file` is escaped. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In UTF-16 code units, within the line. */
  readonly length: number;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly help: string | null;
  /** The line, with a caret under the place. */
  readonly excerpt: string | null;
}

export interface Problem {
  readonly code: DiagnosticCode;
  readonly span: Span;
  readonly message: string;
  readonly help: string | null;
}

export function createDiagnostic(problem: Problem, source: { name: string; lines: Lines }): Diagnostic {
  const { code, message, help, span } = problem;
  const { line, column } = source.lines.placeOf(span.start);
  const text = source.lines.lineText(line);
  const length = Math.max(0, Math.min(span.end - span.start, text.length - (column - 1)));
  const excerpt = text === '' ? null : excerptOf({ number: line, text, column, length });
  return { file: source.name, line, column, length, code, message, help, excerpt };
}

/** Ordered by place. */
export function diagnosticsOf(
  problems: { readonly sorted: () => readonly Problem[] },
  source: { name: string; lines: Lines },
): readonly Diagnostic[] {
  return problems.sorted().map((problem) => createDiagnostic(problem, source));
}

export function fileDiagnostic(file: string, words: Pick<Problem, 'code' | 'message' | 'help'>): Diagnostic {
  return { file, line: 1, column: 1, length: 0, ...words, excerpt: null };
}

export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, message, excerpt, help } = diagnostic;
  return [
    `${escapeText(file)}:${line}:${column} ${code} ${message}`,
    ...(excerpt === null ? [] : [excerpt]),
    ...(help === null ? [] : [`help: ${help}`]),
  ].join('\n');
}

export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(formatDiagnostic).join('\n\n');
}
