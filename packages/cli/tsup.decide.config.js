import { defineConfig } from 'tsup';

/** The beginning of the program, and `decide` in one piece with all that it needs; see docs/decisions/0014. */
export default defineConfig({
  entry: { launch: 'src/launch.ts', decide: 'src/decide-program.ts' },
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  dts: false,
  minify: true,
  metafile: true,
  silent: true,
  noExternal: [/^(?!node:|\.\/main\.js$)/],
  external: ['./main.js'],
  esbuildPlugins: [
    {
      name: 'what-only-executing-needs',
      // `decide` executes nothing, so packages that are imported when a tool runs stay outside.
      setup: (build) => {
        build.onResolve({ filter: /^[^.]/ }, ({ kind }) =>
          kind === 'dynamic-import' ? { external: true } : undefined,
        );
      },
    },
  ],
  esbuildOptions: (options) => {
    // From the sources, of which what is not needed can be left out.
    options.conditions = ['@ambit/source'];
  },
});
