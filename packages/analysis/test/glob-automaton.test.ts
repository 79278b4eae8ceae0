import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { compileGlob, covers } from '../../policy/src/condition/glob.js';
import { globAutomaton } from '../src/exact/witness/glob-automaton.js';
import { pathShape } from '../src/exact/witness/shape.js';
import { textWitnesses } from '../src/exact/witness/text-witnesses.js';

type Kind = 'path' | 'host' | 'text';

/** Few characters, so that texts are often covered by several globs. */
const part = fc.array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 3 });
const segment = fc.oneof(
  fc.constant('**'),
  part.map((parts) => parts.join('').replace(/\*+/g, '*')),
);
const segments = fc.array(segment, { maxLength: 4 });
const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '.'), minLength: 1, maxLength: 2 });
const names = fc.array(name, { maxLength: 6 });

const joined: Readonly<Record<Kind, (parts: readonly string[]) => string>> = {
  path: (parts) => `/${parts.map((each) => each.replaceAll('/', 'c')).join('/')}`,
  host: (parts) => (parts.length === 0 ? 'a' : parts.map((each) => each.replaceAll('.', 'c')).join('.')),
  text: (parts) => parts.join(''),
};

describe('the automaton of several globs', () => {
  it.each(['path', 'host', 'text'] as const)('accepts what one of them covers: %s', (kind) => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(segments, { minLength: 1, maxLength: 5 }), fc.array(names), (globs, texts) => {
        const compiled = globs.map((each) => {
          const rest = kind === 'text' ? each.join('').replace(/\*+/g, '*') : joined[kind](each);
          return compileGlob(kind, { written: rest, rest });
        });
        const automaton = globAutomaton(compiled);
        for (const text of texts.map(joined[kind])) {
          let state = automaton.start;
          for (const character of text) {
            state = automaton.step(state, character);
            if (automaton.isSettled(state)) break;
          }
          const isCovered = compiled.some((glob) => covers(glob, text));
          if (isCovered) accepted += 1;
          expect([text, automaton.label(state) === 1]).toEqual([text, isCovered]);
        }
      }),
      explore(6_000, 5),
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('walks hundreds of names that begin and end alike', () => {
    const names = Array.from({ length: 400 }, (_, index) => [`**/*-key${index}.json`, `**/key${index}.yaml`]);
    const globs = names.flat().map((rest) => compileGlob('path', { written: rest, rest }));
    const questions = [globs, globs.slice(0, 1)].map((some) => ({
      automaton: globAutomaton(some),
      isEnough: false,
    }));
    expect(textWitnesses(pathShape, questions)).toMatchObject({ gap: null, values: { length: 4 } });
  });
});
