import { coversSequence } from '@ambit/core';
import { coversSegment, type Glob, type GlobKind, type Segment, splitText } from '../../condition/glob.js';

type TextTest = (text: string) => boolean;

/** `covers`, of closures: for most globs a comparison of beginnings and ends, without taking the text apart. */
export function compileCovers({ kind, segments }: Glob): TextTest {
  const plain = compileLiterals(kind, segments) ?? compileLast(kind, segments);
  if (plain !== null) return plain;
  const tests = segments.map((segment) => ({ isAny: segment === '**', covers: compileSegment(segment) }));
  if (kind === 'text' && tests.length === 1) return tests[0]?.covers as TextTest;
  return (text) =>
    coversSequence(tests, splitText(kind, text), {
      isAny: (test) => test.isAny,
      fits: (test, segment) => test.covers(segment),
    });
}

/** If no segment has a wildcard, and `**` is only the first or the last; null otherwise. */
function compileLiterals(kind: GlobKind, segments: readonly Segment[]): TextTest | null {
  const [isOpenAtStart, isOpenAtEnd] = [segments[0] === '**', segments.at(-1) === '**'];
  const inner = segments.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd ? -1 : undefined);
  const literals = literalsOf(inner);
  if (literals === null || literals.length === 0) return null;
  if (isOpenAtStart && isOpenAtEnd) return null;
  const [separator, innerOf] = kind === 'path' ? ['/', withoutSlash] : ['.', asItIs];
  const whole = literals.join(separator);
  if (isOpenAtStart) return (text) => innerOf(text) === whole || innerOf(text).endsWith(separator + whole);
  if (isOpenAtEnd) return (text) => innerOf(text) === whole || innerOf(text).startsWith(whole + separator);
  return (text) => innerOf(text) === whole;
}

// Where the only wildcards are in the last segment, and a `**` before it, as in `/a/*.md` and `**/*.pem`; null otherwise.
function compileLast(kind: GlobKind, segments: readonly Segment[]): TextTest | null {
  const [last, before] = [segments.at(-1), segments.at(-2)];
  if (kind === 'text' || last === undefined || last === '**') return null;
  const isDeep = before === '**';
  const start = segments.slice(0, isDeep ? -2 : -1);
  const literals = literalsOf(start);
  if (literals === null) return null;
  const [separator, innerOf] = kind === 'path' ? ['/', withoutSlash] : ['.', asItIs];
  const prefix = literals.map((literal) => literal + separator).join('');
  const covers = compileSegment(last);
  return (text) => {
    const inner = innerOf(text);
    // A path without segments has no last one.
    if ((kind === 'path' && inner === '') || !inner.startsWith(prefix)) return false;
    const from = inner.lastIndexOf(separator) + 1;
    return (isDeep ? from >= prefix.length : from === prefix.length) && covers(inner.slice(from));
  };
}

/** Null if one of them is something else. */
function literalsOf(segments: readonly Segment[]): readonly string[] | null {
  const literals = segments.flatMap((segment) =>
    typeof segment === 'object' && 'literal' in segment && segment.literal !== '' ? [segment.literal] : [],
  );
  return literals.length < segments.length ? null : literals;
}

function compileSegment(segment: Segment): TextTest {
  if (segment === '**') return () => true;
  if ('literal' in segment) return (text) => text === segment.literal;
  const parts: string[] = [''];
  for (const character of segment.characters) {
    if ('literal' in character) parts.push((parts.pop() ?? '') + character.literal);
    else if (character.wildcard === '*') parts.push('');
    // `?` counts code points, also an unpaired surrogate.
    else return (text) => coversSegment(segment, text);
  }
  if (/\p{Surrogate}/u.test(parts.join(' '))) return (text) => coversSegment(segment, text);
  return compileStars(parts);
}

/** The texts between the stars, the first at the beginning and the last at the end. */
function compileStars(parts: readonly string[]): TextTest {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const least = first.length + last.length;
  if (parts.length === 1) return (text) => text === first;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    return from <= text.length - last.length;
  };
}

function withoutSlash(text: string): string {
  return text.startsWith('/') ? text.slice(1) : text;
}

function asItIs(text: string): string {
  return text;
}
