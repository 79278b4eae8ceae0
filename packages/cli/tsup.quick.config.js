import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { yamlForEsbuild } from '../../scripts/yaml-module.mjs';

const { version } = JSON.parse(readFileSync('../runtime/package.json', 'utf8'));
const common = { format: 'cjs', platform: 'node', target: 'node20', dts: false, minify: true, silent: true };

/** The beginning of the program, and its quick part with all that it needs; see docs/decisions/0016. */
export default defineConfig([
  { ...common, entry: { launch: 'src/launch.ts' }, external: ['./main.js'] },
  {
    ...common,
    entry: { quick: 'src/quick-program.ts' },
    metafile: true,
    // `scripts/cache-code.mjs` puts the digest of the file in its place.
    define: { AMBIT_VERSION: JSON.stringify(version), AMBIT_BUILD: '"@BUILD:@"' },
    // What is imported on demand stays in the file, and is evaluated on demand.
    splitting: false,
    noExternal: [/^(?!node:)/],
    esbuildPlugins: [
      yamlForEsbuild,
      {
        name: 'what-is-not-bundled',
        setup: (build) => {
          // Packages that are imported when a tool runs, and the native database.
          build.onResolve({ filter: /^[^.]/ }, ({ kind }) =>
            kind === 'dynamic-import' ? { external: true } : undefined,
          );
        },
      },
    ],
    esbuildOptions: (options) => {
      // From the sources, of which what is not needed can be left out.
      options.conditions = ['@ambit/source'];
      // A script has no loader of modules, but the `require` that it is given.
      options.supported = { 'dynamic-import': false };
    },
  },
]);
