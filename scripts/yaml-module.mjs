import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

/** The source of a module whose default export is the value of a YAML text. */
export function yamlModule(text) {
  return moduleOf(parse(text));
}

function moduleOf(value) {
  // Engines parse JSON faster than the same object as code.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;
}

/** The module `FOLDER/*.yaml`: the values of all YAML files of a folder, by their names without `.yaml`. */
async function folderModule(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const values = names.map(async (name) => [
    name.slice(0, -5),
    parse(await readFile(join(folder, name), 'utf8')),
  ]);
  return moduleOf(Object.fromEntries(await Promise.all(values)));
}

const ofFolder = /\/\*\.yaml$/;

/** Lets esbuild bundle YAML files as modules. */
export const yamlForEsbuild = {
  name: 'yaml-module',
  setup: (build) => {
    build.onResolve({ filter: ofFolder }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, dirname(path)),
      namespace: 'yaml-folder',
    }));
    build.onLoad({ filter: /.*/, namespace: 'yaml-folder' }, async ({ path }) => ({
      contents: await folderModule(path),
      loader: 'js',
    }));
    build.onLoad({ filter: /\.yaml$/ }, async ({ path }) => ({
      contents: yamlModule(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** The prefix for ids of modules without a file, by the convention of Vite. */
const folderId = '\0yaml-folder:';

/** Lets Vite import YAML files as modules. */
export const yamlForVite = {
  name: 'yaml-module',
  enforce: 'pre',
  resolveId: (path, importer) =>
    ofFolder.test(path) ? `${folderId}${resolve(dirname(importer ?? ''), dirname(path))}` : null,
  load: (id) => (id.startsWith(folderId) ? folderModule(id.slice(folderId.length)) : null),
  transform: (text, id) => (id.endsWith('.yaml') ? { code: yamlModule(text), map: null } : null),
};
