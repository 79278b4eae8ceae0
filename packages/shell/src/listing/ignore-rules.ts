import { type Dialect, type Maybe, patternMatcher } from './pattern.js';

export interface IgnoreFile {
  /** The folder that the patterns are relative to, absolute. */
  readonly folder: string;
  /** The last rule of the file first; null if the file cannot be read exactly. */
  readonly rules: readonly IgnoreRule[] | null;
}

export interface IgnoreRule {
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
  /** Whether it is compared with the last name only, and not with the path below the file's folder. */
  readonly onlyName: boolean;
  readonly matches: (text: string) => Maybe;
}

/** `none` if no rule applies to it. */
export type Verdict = 'ignored' | 'kept' | 'none' | 'unknown';

export const gitDialect: Dialect = { slashes: true, cutsStart: true };

/** Reads an ignore file as gitignore(5) says. With `braces`, what ripgrep reads differently may match. */
export function ignoreRules(text: string, dialect: Dialect = gitDialect): readonly IgnoreRule[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((line) => ruleOf(line, dialect) ?? []).reverse();
}

function ruleOf(line: string, dialect: Dialect): IgnoreRule | null {
  if (line.startsWith('#')) return null;
  let pattern = withoutTrailingBlanks(line.replace(/\r$/, ''));
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const onlyFolders = pattern.endsWith('/');
  if (onlyFolders) pattern = pattern.slice(0, -1);
  if (dialect.braces === true && line.trim() !== '' && (pattern === '' || /\\\s*$|[^\S ]\s*$/.test(line)))
    return { isNegated, onlyFolders: false, onlyName: true, matches: () => null };
  if (pattern === '') return null;
  const onlyName = !pattern.includes('/');
  const matches = patternMatcher(pattern.replace(/^\//, ''), dialect);
  return { isNegated, onlyFolders, onlyName, matches };
}

/** An escaped blank stays. */
function withoutTrailingBlanks(line: string): string {
  const [kept = ''] = /^(?:\\[\s\S]|[^\\ ]| +(?=[^ ]))*\\?/.exec(line) ?? [];
  return kept;
}

/** The verdict of the first of these files that applies to a path. The innermost file comes first. */
export function verdictOf(path: string, isFolder: boolean, files: readonly IgnoreFile[]): Verdict {
  for (const [index, { folder, rules }] of files.entries()) {
    if (rules === null) return 'unknown';
    const inside = path.slice(folder === '/' ? 1 : folder.length + 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const [at, rule] of rules.entries()) {
      if (rule.onlyFolders && !isFolder) continue;
      const found = rule.matches(rule.onlyName ? name : inside);
      if (found === false) continue;
      const verdict = rule.isNegated ? 'kept' : 'ignored';
      if (found === true) return verdict;
      const rest = [{ folder, rules: rules.slice(at + 1) }, ...files.slice(index + 1)];
      return verdictOf(path, isFolder, rest) === verdict ? verdict : 'unknown';
    }
  }
  return 'none';
}
