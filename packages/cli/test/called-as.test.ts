import { describe, expect, it } from 'vitest';
import { calledAs } from '../src/called-as.js';

describe('calledAs', () => {
  it.each([
    ['/home/ana/ambit/bin/ambit', '/home/ana/ambit', './bin/ambit'],
    ['/home/ana/ambit/bin/ambit', '/home/ana', './ambit/bin/ambit'],
    ['/home/ana/ambit/bin/ambit', '/work', '/home/ana/ambit/bin/ambit'],
    ["/home/ana's/bin/ambit", '/work', "'/home/ana'\\''s/bin/ambit'"],
    ['/usr/local/bin/ambit', '/work', 'ambit'],
    ['/home/ana/ambit/packages/cli/dist/main.js', '/home/ana/ambit', 'ambit'],
    [undefined, '/work', 'ambit'],
  ])('is what calls %s from %s: %s', (script, folder, word) => {
    expect(calledAs(script, { folder, path: '/usr/bin:/usr/local/bin' })).toBe(word);
  });
});
