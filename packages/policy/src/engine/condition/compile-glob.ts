import { covers, coversSegment, type Glob, type Segment } from '../../condition/glob.js';

type TextTest = (text: string) => boolean;
type Wild = Exclude<Segment, '**' | { readonly literal: string }>;

/** Whether one of these globs of one kind covers a text, which must be canonical for that kind. */
export function compileGlobs(globs: readonly Glob[]): TextTest {
  const literals = new Set(globs.flatMap((glob) => literalOf(glob) ?? []));
  const tests = globs.filter((glob) => literalOf(glob) === null).map(compileGlob);
  const [first, second] = tests;
  if (first === undefined) return (text) => literals.has(text);
  if (second === undefined && literals.size === 0) return first;
  return (text) => {
    if (literals.size > 0 && literals.has(text)) return true;
    for (const test of tests) if (test(text)) return true;
    return false;
  };
}

/** The only text that a glob without wildcards covers. */
function literalOf({ kind, segments }: Glob): string | null {
  const texts = textsOf(segments);
  if (texts === null) return null;
  return kind === 'path' ? `/${texts.join('/')}` : texts.join('.');
}

/** A beginning, an end, a part in the middle, or one segment with wildcards; the plain matcher does the rest. */
function compileGlob(glob: Glob): TextTest {
  const { kind, segments } = glob;
  const at = segments.findIndex((segment) => textsOf([segment]) === null);
  const [wild, next, ...more] = segments.slice(at);
  const before = textsOf(segments.slice(0, at));
  const after = textsOf(segments.slice(at + 1));
  const separator = kind === 'path' ? '/' : '.';
  const lead = kind === 'path' ? '/' : '';
  const isSimple = isWild(wild) || (wild === '**' && kind !== 'text');
  if (before === null || !isSimple) return (text) => covers(glob, text);
  if (kind === 'text') return compileSegment(wild as Wild);
  const start = before.length === 0 ? '' : lead + before.join(separator);
  const inside = before.length === 0 ? lead : start + separator;
  if (wild === '**' && after !== null) return compileDeep(start, after.join(separator), separator);
  if (wild === '**' && isWild(next) && more.length === 0) {
    const isCovered = compileSegment(next);
    return (text) => {
      const from = text.lastIndexOf(separator) + 1;
      return (
        from < text.length && from >= inside.length && text.startsWith(inside) && isCovered(text.slice(from))
      );
    };
  }
  if (wild === '**' || after === null) return (text) => covers(glob, text);
  const isCovered = compileSegment(wild as Wild);
  const end = after.length === 0 ? '' : separator + after.join(separator);
  return (text) => {
    const to = text.length - end.length;
    if (to <= inside.length || !text.startsWith(inside) || !text.endsWith(end)) return false;
    const segment = text.slice(inside.length, to);
    return !segment.includes(separator) && isCovered(segment);
  };
}

/** `START/**`, `**``/END` and `START/**``/END`, where `start` has its first slash. */
function compileDeep(start: string, last: string, separator: string): TextTest {
  const below = start + separator;
  const end = separator + last;
  if (start === '' && last === '') return () => true;
  if (last === '') return (text) => text === start || text.startsWith(below);
  if (start === '') return (text) => text === last || text.endsWith(end);
  return (text) => text.length >= start.length + end.length && text.startsWith(below) && text.endsWith(end);
}

function isWild(segment: Segment | undefined): segment is Wild {
  return typeof segment === 'object' && 'characters' in segment;
}

/** Null if one has a wildcard, or is empty. */
function textsOf(segments: readonly Segment[]): readonly string[] | null {
  const texts = segments.flatMap((segment) =>
    typeof segment === 'object' && 'literal' in segment && segment.literal !== '' ? [segment.literal] : [],
  );
  return texts.length < segments.length ? null : texts;
}

/** One `*` is a beginning and an end; `?` counts code points, also an unpaired surrogate. */
function compileSegment(segment: Wild): TextTest {
  const texts = segment.characters.map((one) => ('literal' in one ? one.literal : one.wildcard));
  const star = segment.characters.findIndex((one) => 'wildcard' in one);
  const isSimple = segment.characters.every(
    (one, at) => 'literal' in one || (at === star && one.wildcard === '*'),
  );
  const [first, last] = [texts.slice(0, star).join(''), texts.slice(star + 1).join('')];
  if (!isSimple || /\p{Surrogate}/u.test(`${first} ${last}`)) return (text) => coversSegment(segment, text);
  const least = first.length + last.length;
  return (text) => text.length >= least && text.startsWith(first) && text.endsWith(last);
}
