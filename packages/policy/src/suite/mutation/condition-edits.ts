import { isNonEmpty } from '@ambit/core';
import type { Glob, Segment } from '../../condition/glob.js';
import { type FactPatterns, type Match, type Pattern, patternText } from '../../condition/pattern.js';
import type { RuleParts } from '../../document/rule-condition.js';
import { quote } from '../../text/escape.js';

/** A change of a condition that also applies with other folders. */
export interface ConditionEdit {
  readonly words: string;
  readonly apply: (parts: RuleParts) => RuleParts;
}

export function* conditionEdits(parts: RuleParts): Edits {
  const without = (part: keyof RuleParts) => ({
    words: `without \`${part}\``,
    apply: (given: RuleParts) => ({ ...given, [part]: null }),
  });
  if (parts.match !== null) yield* matchEdits('match', parts.match);
  if (parts.except !== null) {
    yield without('except');
    yield* matchEdits('except', parts.except);
  }
  if (parts.when !== null) yield without('when');
  if (parts.until !== null) yield without('until');
}

type Edits = Generator<ConditionEdit, void, undefined>;
type MatchPart = 'match' | 'except';

function* matchEdits(part: MatchPart, match: Match): Edits {
  for (const [index, fact] of match.entries()) {
    // An exception without its only fact would except everything.
    if (part === 'match' || match.length > 1)
      yield {
        words: `without ${quote(`${part}.${fact.fact}`)}`,
        apply: matchEdit(part, (given) => given.filter((_, at) => at !== index)),
      };
    yield* patternEdits(part, fact, index);
  }
}

function* patternEdits(part: MatchPart, { fact, patterns }: FactPatterns, index: number): Edits {
  const name = quote(`${part}.${fact}`);
  const inPatterns = (edit: (given: readonly Pattern[]) => readonly Pattern[]) =>
    matchEdit(part, (given) =>
      given.map((each, one) => {
        const changed = one === index ? edit(each.patterns) : each.patterns;
        return isNonEmpty(changed) ? { ...each, patterns: changed } : each;
      }),
    );
  for (const [at, pattern] of patterns.entries()) {
    const widened = widenPattern(pattern);
    if (widened !== null)
      yield {
        words: `${name}: ${quote(patternText(widened))} instead of ${quote(patternText(pattern))}`,
        apply: inPatterns((given) =>
          given.map((each, one) => (one === at ? (widenPattern(each) ?? each) : each)),
        ),
      };
    if (patterns.length > 1)
      yield {
        words: `${name} without ${quote(patternText(pattern))}`,
        apply: inPatterns((given) => given.filter((_, one) => one !== at)),
      };
  }
}

function widenPattern(pattern: Pattern): Pattern | null {
  const glob = pattern.kind === 'glob' ? widenGlob(pattern.glob) : null;
  return glob === null ? null : { kind: 'glob', glob };
}

function matchEdit(part: MatchPart, edit: (match: Match) => readonly FactPatterns[]): ConditionEdit['apply'] {
  return (parts) => {
    const match = parts[part];
    const changed = match === null ? [] : edit(match);
    return { ...parts, [part]: isNonEmpty(changed) ? changed : null };
  };
}

/** The glob with one more segment open; null if all are open. */
export function widenGlob(glob: Glob): Glob | null {
  const closed = glob.segments
    .map((segment, index) => (isOpen(segment) ? -1 : index))
    .filter((at) => at !== -1);
  const at = glob.kind === 'host' ? closed[0] : closed.at(-1);
  if (at === undefined) return null;
  const segments = glob.segments.map((segment, index) => (index === at ? anything : segment));
  const separator = glob.kind === 'host' ? '.' : '/';
  const root = glob.kind === 'path' && glob.text.startsWith('/') ? '/' : '';
  const text = `${root}${segments.map(segmentText).join(separator)}`;
  return { kind: glob.kind, written: text, text, segments };
}

const anything: Segment = { characters: [{ wildcard: '*' }] };

function isOpen(segment: Segment): boolean {
  if (segment === '**') return true;
  return (
    !('literal' in segment) &&
    segment.characters.every((character) => 'wildcard' in character && character.wildcard === '*')
  );
}

function segmentText(segment: Segment): string {
  if (segment === '**') return segment;
  if ('literal' in segment) return segment.literal;
  return segment.characters
    .map((character) => ('literal' in character ? character.literal : character.wildcard))
    .join('');
}
