import { defineConfig } from 'tsup';
import { yamlForEsbuild } from '../../scripts/yaml-module.mjs';

const common = { format: 'cjs', platform: 'node', target: 'node20', dts: false, minify: true, silent: true };

/** The beginning of the program, and `decide` in two pieces with all that it needs; see docs/decisions/0016. */
export default defineConfig([
  { ...common, entry: { launch: 'src/launch.ts' }, external: ['./main.js'] },
  {
    ...common,
    entry: {
      decide: 'src/decide-program.ts',
      // How command lines are read: as long as all the rest, and wanted for few calls.
      'describe-command': '../shell/src/describe/describe-command.ts',
    },
    metafile: true,
    noExternal: [/^(?!node:)/],
    esbuildPlugins: [
      yamlForEsbuild,
      {
        name: 'what-is-loaded-later',
        setup: (build) => {
          build.onResolve({ filter: /\/describe-command\.js$/ }, ({ kind }) =>
            kind === 'dynamic-import' ? { path: './describe-command.cjs', external: true } : undefined,
          );
          // `decide` executes nothing, so packages that are imported when a tool runs stay outside.
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
