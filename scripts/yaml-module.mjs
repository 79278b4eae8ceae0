import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The source of a module whose default export is what a YAML text says. */
export function yamlModule(text) {
  // Engines parse JSON faster than the same object as code.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(parse(text)))});\n`;
}

/** Lets esbuild bundle YAML files as modules. */
export const yamlForEsbuild = {
  name: 'yaml-module',
  setup: (build) => {
    build.onLoad({ filter: /\.yaml$/ }, async ({ path }) => ({
      contents: yamlModule(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** Lets Vite import YAML files as modules. */
export const yamlForVite = {
  name: 'yaml-module',
  enforce: 'pre',
  transform: (text, id) => (id.endsWith('.yaml') ? { code: yamlModule(text), map: null } : null),
};
