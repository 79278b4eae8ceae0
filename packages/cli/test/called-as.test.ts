import { describe, expect, it } from 'vitest';
import { calledAs } from '../src/process-host.js';

describe('calledAs', () => {
  it.each([
    ['/srv/ana/ambit/bin/ambit', '/srv/ana/ambit', './bin/ambit'],
    ['/srv/ana/ambit/bin/ambit', '/srv/ana', './ambit/bin/ambit'],
    ['/srv/ana/ambit/bin/ambit', '/work', '/srv/ana/ambit/bin/ambit'],
    ["/srv/ana's/bin/ambit", '/work', "'/srv/ana'\\''s/bin/ambit'"],
    ['/usr/local/bin/ambit', '/work', 'ambit'],
    ['/srv/ana/ambit/packages/cli/dist/launch.cjs', '/srv/ana/ambit', 'ambit'],
    ['/srv/ana/node_modules/.bin/ambit', '/srv/ana', 'npx ambit'],
    ['/srv/ana/node_modules/.bin/ambit', '/srv/ana/deep/er', 'npx ambit'],
    ['/opt/tools/node_modules/.bin/ambit', '/srv/ana', 'ambit'],
    [undefined, '/work', 'ambit'],
  ])('names the program for %s started in %s: %s', (script, folder, word) => {
    expect(calledAs(script, { folder, path: '/usr/bin:/usr/local/bin:/opt/tools/node_modules/.bin' })).toBe(
      word,
    );
  });
});
