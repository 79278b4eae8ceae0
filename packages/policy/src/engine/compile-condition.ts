import {
  always,
  type CallView,
  type Capability,
  type Condition,
  callView,
  escapeRegExp,
  type Json,
  negation,
  remembered,
  type Truth,
  truthOf,
} from '@ambit/core';
import { type Character, covers, type Glob } from '../condition/glob.js';
import { absentFact, matchesFact } from '../condition/match.js';
import type { FactPatterns, Match } from '../condition/pattern.js';
import { compileWhen, partsBehind } from '../document/rule-condition.js';

export type TestOf<Of, Call> = (capability: Of, call: Call) => Truth;

/** The truth of a condition for a canonical capability, or none, and its call. */
export type Test = TestOf<Capability | null, { readonly request: CallView }>;

type TextTest = (text: string) => boolean;

/** The same condition, quicker if it comes from a file; one made in code is called as it is. */
export function compileCondition(condition: Condition<never>): Test {
  if (condition === always) return () => true;
  const parts = partsBehind(condition);
  if (parts === null)
    return (capability, { request }) =>
      truthOf(condition, { ...callView(request), ...(capability !== null && { capability }) } as never);
  const { match, except, when, until } = parts;
  const tests: Test[] = [];
  if (until !== null) tests.push((_, { request }) => request.now < until);
  if (match !== null) tests.push(compileMatch(match));
  if (except !== null) {
    const isExcepted = compileMatch(except);
    tests.push((capability, call) => negation(isExcepted(capability, call)));
  }
  if (when !== null) tests.push(compileWhen(when.expression));
  return conjunction(tests);
}

export function compileMatch(match: Match): Test {
  return conjunction(match.map(compileFact));
}

/** Core's `both`: stops at the first part that is false. */
export function conjunction<Of, Call>(tests: readonly TestOf<Of, Call>[]): TestOf<Of, Call> {
  if (tests.length === 1) return tests[0] as TestOf<Of, Call>;
  return (capability, call) => {
    let all: Truth = true;
    for (const test of tests) {
      const truth = test(capability, call);
      if (truth === false) return false;
      if (all === true) all = truth;
    }
    return all;
  };
}

/** The longest texts and patterns of a quick test, which never reaches the limits of the plain one. */
const usual = 1_000;

function compileFact(patterns: FactPatterns): Test {
  const { fact } = patterns;
  const absent = Object.freeze(absentFact(fact));
  if (fact === 'name') return () => absent;
  const globs = patterns.patterns.flatMap((pattern) => (pattern.kind === 'glob' ? [pattern.glob] : []));
  const isUsual =
    globs.length === patterns.patterns.length && globs.every(({ text }) => text.length <= usual);
  const isCovered = isUsual ? compileGlobs(globs) : null;
  return (capability) => {
    if (capability === null || !Object.hasOwn(capability, fact)) return absent;
    const value = capability[fact] as Json;
    if (isCovered !== null && typeof value === 'string' && value.length <= usual) return isCovered(value);
    // Other kinds and too long texts have reasons.
    return matchesFact(patterns, capability);
  };
}

/** Whether one of these globs of one kind covers a canonical text, by the definition of `covers`. */
export function compileGlobs(globs: readonly Glob[]): TextTest {
  const isWild = (glob: Glob) => /[*?]/.test(glob.text);
  const literals = new Set(globs.filter((glob) => !isWild(glob)).map(wholeText));
  const tests = globs.filter(isWild).map(sharedGlob);
  if (tests.length === 1 && literals.size === 0) return tests[0] as TextTest;
  return (text) => {
    if (literals.has(text)) return true;
    for (const test of tests) if (test(text)) return true;
    return false;
  };
}

/** The text of a pattern; for a path with the slash that may be left out. */
function wholeText({ kind, text }: Glob): string {
  return kind === 'path' && !text.startsWith('/') ? `/${text}` : text;
}

/** Globs by their parts, because the folder for `~/` may have a `*` in its name. */
const shared = new Map<string, TextTest>();

/** Equal globs share one cached test. */
function sharedGlob(glob: Glob): TextTest {
  if (shared.size >= 4_096) shared.clear();
  const key = JSON.stringify([glob.kind, glob.segments]);
  return remembered(shared, key, () => compileGlob(glob));
}

function compileGlob(glob: Glob): TextTest {
  const { kind, segments, text } = glob;
  // One character of a segment, and what comes before a segment.
  const [one, before] = kind === 'path' ? ['[^/]', '/'] : kind === 'host' ? ['[^.]', '\\.'] : ['[^]', ''];
  const sources = segments.map((segment) => {
    if (segment === '**') return `(?:${before}${one}*)*`;
    const parts = 'literal' in segment ? [segment] : segment.characters;
    const source = (part: Character) =>
      'literal' in part ? escapeRegExp(part.literal) : part.wildcard === '?' ? one : `${one}*`;
    return before + parts.map(source).join('');
  });
  // A regular expression backtracks at each wildcard.
  const pattern = (text.match(/\*+/g)?.length ?? 0) > 2 ? null : new RegExp(`^${sources.join('')}$`, 'u');
  // The ends of a text decide most cases. A separator beside `**` may be missing.
  const [, head = ''] = /^([^*?]*?)[/.]?[*?]/u.exec(wholeText(glob)) ?? [];
  const [, tail = ''] = /[*?][/.]?([^*?]*)$/u.exec(text) ?? [];
  return (given) => {
    if (!given.startsWith(head) || !given.endsWith(tail)) return false;
    if (pattern === null) return covers(glob, given);
    return pattern.test(kind === 'host' ? `.${given}` : kind === 'path' && given === '/' ? '' : given);
  };
}
