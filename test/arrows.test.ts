import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestOf, packageNames, sourcesOf, withoutComments } from './repository.js';

/** What each package may import of the others. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  policy: ['core'],
  toolsets: ['core'],
  audit: ['core'],
  shell: ['toolsets', 'core'],
  runtime: ['toolsets', 'shell', 'policy', 'audit', 'core'],
  cli: ['runtime', 'policy', 'audit'],
  examples: ['core', 'runtime'],
};

/**
 * Every file of packages/core/src but index.ts, by layer. A file imports from its own layer and the ones above it.
 * A path without `.ts`, relative to src; a helper stands in the layer of what it helps.
 */
const layers = [
  'decision message-of capability json name canonical canonical-path file-set listed-set files-in-words condition vocabulary words schema printable counted define-capability zod made/own-data made/shape',
  'request',
  'policy rule opacity watch/watch reach path-reach pinned shown-call other-values example-calls example-words ladder ladder-words',
  'decide deciding-member combination asking-words',
  'grant origin approval tool refusal start-over refused-calls redeem previous-answers arrivals equal-calls',
  'log interrupted',
  'made/rule-shape made/take-policy made/run-options',
  'authority keeper',
  'guard passage parse-arguments describe-call ruling question-parts question compose-question put-question denial ask record refuse nested-calls finish watch/compare-guarded',
].map((names) => names.split(' '));

describe('between packages', () => {
  const files = packageNames.flatMap((name) => sourcesOf(name).map((file) => ({ name, file })));

  it('every package is in the table', () => {
    expect(Object.keys(arrows).sort()).toEqual([...packageNames].sort());
  });

  it('a package depends only on the ones its arrows allow', () => {
    const wrong = packageNames.flatMap((name) =>
      dependenciesOf(name)
        .filter((dependency) => dependency.startsWith('@ambit/'))
        .filter((dependency) => !(arrows[name] ?? []).includes(dependency.slice('@ambit/'.length)))
        .map((dependency) => `${name} -> ${dependency}`),
    );
    expect(wrong).toEqual([]);
  });

  it('a file imports only what its package depends on, and by name', () => {
    const builtin = new Set(builtinModules);
    let read = 0;
    const wrong = files.flatMap(({ name, file }) => {
      const allowed = new Set(dependenciesOf(name));
      return file.imports
        .filter((specifier) => {
          read += 1;
          if (specifier.startsWith('node:')) return false;
          if (builtin.has(specifier)) return true;
          if (!specifier.startsWith('.')) return !allowed.has(packageOf(specifier));
          // Examples have no `src`, and data lies beside it.
          const isBeside = name === 'examples' || specifier.endsWith('.yaml');
          const home = isBeside ? `packages/${name}` : `packages/${name}/src`;
          return relative(home, join(dirname(file.path), specifier)).startsWith('..');
        })
        .map((specifier) => `${file.path} -> ${specifier}`);
    });
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(0);
  });

  it('exports are named by hand', () => {
    const wild = files.filter(({ file }) => /^\s*export\s+(type\s+)?\*/m.test(withoutComments(file.text)));
    expect(wild.map(({ file }) => file.path)).toEqual([]);
  });
});

describe('within core', () => {
  const source = 'packages/core/src';
  const files = sourcesOf('core').filter(({ path }) => path !== `${source}/index.ts`);
  const layerOf = (path: string) => layers.findIndex((layer) => layer.includes(path));
  const nameOf = (path: string) => relative(source, path).replace(/\.[jt]s$/, '');

  it('every file has a layer', () => {
    expect(files.map(({ path }) => nameOf(path)).filter((name) => layerOf(name) === -1)).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });

  it('a file imports only from its own layer and the ones above it', () => {
    let read = 0;
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => {
          read += 1;
          const target = layerOf(nameOf(join(dirname(path), specifier)));
          return target === -1 || target > layerOf(nameOf(path));
        })
        .map((specifier) => `${path} -> ${specifier}`),
    );
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(0);
  });

  it('nothing reaches for a file, the network, the clock or chance', () => {
    const reaches =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\bperformance\.|\bfetch\(|\bprocess\./;
    const wrong = sourcesOf('core').filter(
      ({ text, imports }) =>
        reaches.test(withoutComments(text)) || imports.some((specifier) => specifier.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

function dependenciesOf(name: string): readonly string[] {
  const { dependencies, peerDependencies, optionalDependencies } = manifestOf(`packages/${name}`);
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
