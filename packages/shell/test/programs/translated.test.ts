import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { translationOf } from '../../src/programs/language/lines.js';

const set = fc
  .array(fc.constantFrom('a-z', 'A-Z', '0-9', 'a', 'z', 'B', '5', '_', '.', '/', ',', '-', ' ', '#', '"'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const line = fc.string({ unit: fc.constantFrom(...Array.from('abzABZ059_-./, #"x')), maxLength: 12 });

it('prints what `tr` prints', () => {
  let understood = 0;
  fc.assert(
    fc.property(set, fc.option(set), fc.array(line, { minLength: 1, maxLength: 5 }), (from, into, lines) => {
      const edit = translationOf(from, into ?? '');
      if (edit === null) return;
      understood += 1;
      const args = into === null ? ['-d', '--', from] : ['--', from, into];
      const printed = execFileSync('tr', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
      expect(lines.flatMap((each) => edit(each)).join('\n')).toBe(printed.slice(0, -1));
    }),
    { numRuns: 150 },
  );
  expect(understood).toBeGreaterThan(30);
});

it.each(['\\n', '[a*]', '[:space:]', 'a-f', 'z-a', 'é', '\t', '--a', 'a--'])('leaves out %s', (text) => {
  expect(translationOf(text, 'x')).toBe(null);
  expect(translationOf('x', text)).toBe(null);
});

it('knows letters by their classes', () => {
  expect(translationOf('[:upper:]', '[:lower:]')?.('README.md')).toEqual(['readme.md']);
});
