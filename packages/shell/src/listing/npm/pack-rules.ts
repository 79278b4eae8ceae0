import { type IgnoreRule, ignoreRules } from '../ignore-rules.js';
import type { Dialect, Maybe } from '../pattern.js';

/** A rule with its text, which is null for one that is not understood. */
export interface PackRule extends IgnoreRule {
  readonly text: string | null;
}

/** npm reads ignore files with minimatch: letters count in any case. */
const dialect: Dialect = { slashes: true, braces: true, ignoreCase: true };

/** The rules of an ignore file, as ignore-walk 8 reads them: the last counts. */
export function rulesOf(text: string): readonly PackRule[] {
  return text.split('\n').flatMap((line) => ruleOf(line.trim()) ?? []);
}

function ruleOf(line: string): PackRule | null {
  if (line === '' || line.startsWith('#')) return null;
  const isNegated = line.startsWith('!');
  const text = isNegated ? line.slice(1) : line;
  const [rule] = plain.test(text) ? ignoreRules(line, dialect) : [];
  if (rule === undefined) return { ...anything, isNegated };
  return {
    ...rule,
    text,
    // Letters beyond ASCII may be equal to others in another case.
    ...(isNegated && {
      matches: (name) => orElse(rule.matches(name), () => (/[^\0-\x7F]/.test(name) ? null : false)),
    }),
  };
}

/** Words of ASCII, `*` and plain sets: git and minimatch read them alike. */
const plain =
  /^(?!\/?$)(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)(?!.*\*\*[^/]|.*[^/]\*\*)(?:[\w./*@+ ~,=%-]|\[[A-Za-z0-9]+\])+$/;

/** A rule that may bring back any file. */
export const anything: PackRule = {
  isNegated: true,
  onlyFolders: false,
  onlyName: true,
  matches: () => null,
  text: null,
};

/** The rules as they count for folders: one that may match something below may keep the folder. */
export function foldersRules(rules: readonly PackRule[]): readonly PackRule[] {
  return rules.map((rule) => {
    const { text, isNegated, onlyName } = rule;
    if (text === null || !isNegated || onlyName) return rule;
    const parts = text
      .replace(/^\//, '')
      .split('/')
      .map((part) => rulesOf(`!${part}`)[0] ?? anything);
    return {
      ...rule,
      onlyFolders: false,
      matches: (path) => orElse(rule.matches(path), () => mayLead(parts, path)),
    };
  });
}

function orElse(found: Maybe, other: () => Maybe): Maybe {
  return found === false ? other() : found;
}

/** Whether a folder may lead to what the parts of a pattern match. */
function mayLead(parts: readonly PackRule[], path: string): null | false {
  for (const [at, name] of path.split('/').entries()) {
    const part = parts[at];
    if (part === undefined) return false;
    if (part.text === null || part.text === '**') return null;
    if (part.matches(name) === false) return false;
  }
  return null;
}
