import type { Glob } from '@ambit/policy';

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
