import { readFileSync, rmSync } from 'node:fs';
import { init, parse } from 'es-module-lexer';
import { defineConfig } from 'tsup';
import { yamlForEsbuild } from '../../scripts/yaml-module.mjs';

const { version } = JSON.parse(readFileSync('../runtime/package.json', 'utf8'));
// Bundles of an older build would be packed, too.
rmSync('dist', { recursive: true, force: true });
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
  const part = `part ??= require(${JSON.stringify(path)})`;
  return `let part;\nmodule.exports = Object.create(new Proxy({}, { get: (_, name) => (${part})[name] }));\n`;
}

/** The bundles are read as one byte a letter. esbuild escapes texts only, not regular expressions. */
const ascii = {
  name: 'ascii',
  renderChunk: (code) => ({
    code: code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
};

/** Wrapped like Node wraps a file. Wrapped at each start, the code would be in memory twice. */
const wrapping = {
  name: 'wrapping',
  renderChunk: (code) => ({
    code: `(function (exports, require, module, __filename, __dirname, __import) {${code}\n})`,
  }),
};

/** One file, from the sources, of which what is not needed can be left out. */
const whole = {
  ...start,
  // `scripts/cache-code.mjs` puts the digest of the file that judges in its place.
  define: { AMBIT_VERSION: JSON.stringify(version), AMBIT_BUILD: '"@BUILD:@"' },
  // What is imported on demand stays in the file, and is evaluated on demand.
  splitting: false,
  noExternal: [/^(?!node:)/],
  plugins: [ascii, wrapping],
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

/** Packages that few calls need, optional ones, and the native database. */
const imported = {
  name: 'imported',
  setup: (build) => {
    build.onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !/^@(?:ambit|modelcontextprotocol)\//.test(path)
        ? { external: true }
        : undefined,
    );
  },
};

/**
 * A script has no loader of modules: `import` becomes a function that `src/launch.ts` gives it. The lexer knows code from
 * text.
 */
const importing = {
  name: 'importing',
  renderChunk: async (code) => {
    await init;
    const [imports] = parse(code);
    const starts = imports.filter(({ t }) => t === 2).map(({ ss }) => ss);
    const parts = [0, ...starts].map((start, index) => code.slice(start, starts[index]));
    return { code: parts.join('__') };
  },
};

/** The beginning of the program, its quick parts, and all of it; see docs/decisions/0016. */
export default defineConfig([
  {
    ...whole,
    entry: { launch: 'src/launch.ts' },
    plugins: [ascii],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
    },
  },
  { ...whole, entry: { quick: 'src/quick-program.ts' } },
  {
    ...whole,
    entry: { main: 'src/main.ts' },
    metafile: true,
    define: { ...whole.define, 'import.meta.url': '__moduleUrl' },
    banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    esbuildPlugins: [yamlForEsbuild, imported],
    plugins: [importing, ascii, wrapping],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
    },
  },
  {
    ...whole,
    entry: { decide: 'src/decide-program.ts' },
    esbuildPlugins: [lacking, ...whole.esbuildPlugins],
  },
]);
