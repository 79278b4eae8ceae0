import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { yamlForEsbuild } from '../../scripts/yaml-module.mjs';

const { version } = JSON.parse(readFileSync('../runtime/package.json', 'utf8'));
const start = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  dts: false,
  minify: true,
  silent: true,
  removeNodeProtocol: false,
};

/** The parts of Node that every process has from its start. */
const started = /^node:(?:buffer|events|fs|path|timers|url|util)$/;

/** A module that loads a part of Node where something of it is first used: `node:crypto` alone takes a fifth of Node's own start. */
function onUse(path) {
  const part = `require(${JSON.stringify(path)})`;
  return `module.exports = Object.create(new Proxy({}, { get: (_, name) => ${part}[name] }));\n`;
}

/** One file, from the sources, of which what is not needed can be left out. */
const whole = {
  ...start,
  // `scripts/cache-code.mjs` puts the digest of the file that judges in its place.
  define: { AMBIT_VERSION: JSON.stringify(version), AMBIT_BUILD: '"@BUILD:@"' },
  // What is imported on demand stays in the file, and is evaluated on demand.
  splitting: false,
  noExternal: [/^(?!node:)/],
  esbuildPlugins: [
    yamlForEsbuild,
    {
      name: 'what-is-not-bundled',
      setup: (build) => {
        // Parts of Node that only what was left out needs.
        build.onResolve({ filter: /^node:/ }, ({ path, namespace }) => ({
          path,
          sideEffects: false,
          ...(started.test(path) || namespace === 'on-use' ? { external: true } : { namespace: 'on-use' }),
        }));
        build.onLoad({ filter: /./, namespace: 'on-use' }, ({ path }) => ({ contents: onUse(path) }));
        // Packages that are imported when a tool runs, and the native database.
        build.onResolve({ filter: /^[^.]/ }, ({ kind }) =>
          kind === 'dynamic-import' ? { external: true } : undefined,
        );
      },
    },
  ],
  esbuildOptions: (options) => {
    options.conditions = ['@ambit/source'];
    // A script has no loader of modules, but the `require` that it is given.
    options.supported = { 'dynamic-import': false };
  },
};

/** What is imported on demand is not there: the quick part has it. */
const lacking = {
  name: 'lacking',
  setup: (build) => {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'lacking' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'lacking' }, () => ({
      contents: "throw new Error('the bundle of `decide` lacks this')",
    }));
  },
};

/** The beginning of the program, and its quick part with all that it needs; see docs/decisions/0016. */
export default defineConfig([
  {
    ...whole,
    entry: { launch: 'src/launch.ts' },
    // The whole program is a module beside it.
    noExternal: [/^(?!node:|\.\/main\.js$)/],
    external: ['./main.js'],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
    },
  },
  { ...whole, entry: { quick: 'src/quick-program.ts' }, metafile: true },
  {
    ...whole,
    entry: { decide: 'src/decide-program.ts' },
    esbuildPlugins: [lacking, ...whole.esbuildPlugins],
  },
]);
