import { expect, it } from 'vitest';
import { processStat } from '../../src/index.js';

const rest = '7 1 42 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 98765 0 0';

it.each([
  ['a plain name', 'sleep'],
  ['a name with parentheses and spaces', 'a) R 1 1 (b'],
])('processStat reads %s, and the fields after it', (_, name) => {
  expect(processStat(`12 (${name}) S ${rest}\n`)).toEqual({
    name,
    state: 'S',
    parent: 7,
    session: 42,
    terminal: 0,
    start: '98765',
  });
});

it('processStat returns null for other text', () => {
  expect([processStat(''), processStat('12 (sleep) S 7 1')]).toEqual([null, null]);
});
