import type { Glob } from '@ambit/policy';

/** A short text that the glob covers, of which nothing is said but that. */
export function globSample({ kind, segments }: Glob): string {
  const texts = segments
    .filter((segment) => segment !== '**')
    .map((segment) =>
      'literal' in segment
        ? segment.literal
        : segment.characters.map((each) => ('literal' in each ? each.literal : 'x')).join(''),
    );
  return kind === 'path' ? `/${texts.join('/')}` : texts.join('.');
}
