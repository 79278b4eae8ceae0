import { escapeRegExp } from '@ambit/core';
import { covers, type Glob, type GlobKind } from '../../condition/glob.js';

type TextTest = (text: string) => boolean;

/** Parts of a regular expression: one character of a segment, and what comes before a segment. */
const characters: Readonly<Record<GlobKind, readonly [string, string]>> = {
  path: ['[^/]', '/'],
  host: ['[^.]', '\\.'],
  text: ['[^]', ''],
};

/** Whether one of these globs of one kind covers a canonical text, by the definition of `covers`. */
export function compileGlobs(globs: readonly Glob[]): TextTest {
  const literals = new Set(globs.flatMap((glob) => literalOf(glob) ?? []));
  const tests = globs.filter((glob) => literalOf(glob) === null).map(sharedGlob);
  const [first, second] = tests;
  if (first === undefined) return (text) => literals.has(text);
  if (second === undefined && literals.size === 0) return first;
  return (text) => {
    if (literals.has(text)) return true;
    for (const test of tests) if (test(text)) return true;
    return false;
  };
}

/** The only text that a glob without wildcards covers; null for others. */
function literalOf({ kind, segments }: Glob): string | null {
  const texts = segments.flatMap((segment) =>
    typeof segment === 'object' && 'literal' in segment ? [segment.literal] : [],
  );
  if (texts.length < segments.length || texts.includes('')) return null;
  return kind === 'path' ? `/${texts.join('/')}` : texts.join('.');
}

/** The longest pattern, and the most steps, for a regular expression, which backtracks at each wildcard. */
const [longestPattern, mostSteps] = [1_000, 2 ** 20];

/** Globs by their parts, because the folder for `~/` may have a `*` in its name. */
const shared = new Map<string, TextTest>();
const mostShared = 4_096;

/** Equal globs share one cached test. */
function sharedGlob(glob: Glob): TextTest {
  if (glob.text.length > longestPattern) return (text) => covers(glob, text);
  const key = JSON.stringify([glob.kind, glob.segments]);
  const test = shared.get(key) ?? compileGlob(glob);
  if (shared.size >= mostShared) shared.clear();
  shared.set(key, test);
  return test;
}

function compileGlob(glob: Glob): TextTest {
  const { kind, segments } = glob;
  const [one, before] = characters[kind];
  let wildcards = 0;
  const wild = (text: string) => {
    wildcards += 1;
    return text;
  };
  const sources = segments.map((segment) => {
    if (segment === '**') return wild(`(?:${before}${one}*)*`);
    if ('literal' in segment) return before + escapeRegExp(segment.literal);
    const parts = segment.characters.map((part) => {
      if ('literal' in part) return escapeRegExp(part.literal);
      return part.wildcard === '?' ? one : wild(`${one}*`);
    });
    return before + parts.join('');
  });
  const pattern = new RegExp(`^${sources.join('')}$`, 'u');
  const longest = mostSteps ** (1 / Math.max(1, wildcards));
  // The ends of a text decide most matches. A separator beside `**` may be missing.
  const whole = kind === 'path' && !glob.text.startsWith('/') ? `/${glob.text}` : glob.text;
  const [, head = ''] = /^([^*?]*?)[/.]?[*?]/u.exec(whole) ?? [];
  const [, tail = ''] = /[*?][/.]?([^*?]*)$/u.exec(whole) ?? [];
  return (text) => {
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    if (text.length > longest) return covers(glob, text);
    return pattern.test(kind === 'host' ? `.${text}` : kind === 'path' && text === '/' ? '' : text);
  };
}
