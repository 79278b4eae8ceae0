import { defineConfig } from 'tsup';
import { yamlForEsbuild } from './scripts/yaml-module.mjs';

export default defineConfig({
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Declarations come from `tsc -b tsconfig.build.json`, into types/: tsup's own crash on this compiler.
  dts: false,
  sourcemap: true,
  clean: true,
  skipNodeModulesBundle: true,
  silent: true,
  esbuildPlugins: [yamlForEsbuild],
});
