import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.cjs';

/** The names of the folders in packages/ that are packages. */
export const packageNames = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);

/** The folder with the sources of a package; `examples` has a folder for each example. */
export const sourceFolder = (name) => (name === 'examples' ? 'packages/examples' : `packages/${name}/src`);

/** The TypeScript files of a package that are not tests. */
export function sourcesOf(name) {
  const folder = sourceFolder(name);
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(node_modules|dist|dist-deep|test)\//.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, folder, path), 'utf8');
      return { path: `${folder}/${path}`, text, imports: importsIn(text) };
    });
}

/** The files of one package that each of its files imports, types included. Keys and values are paths. */
export function importGraph(files) {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, imports }) => {
      const targets = imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(path, '..', specifier).replace(/\.js$/, '.ts'));
      return [path, [...new Set(targets)].filter((target) => known.has(target))];
    }),
  );
}

/** The groups of files that import one another in a circle: strongly connected components. */
export function importCircles(graph) {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const circles = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    for (const target of graph.get(file)) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file).includes(file)) circles.push(circle);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** A text without its lines of comments. */
export function withoutComments(text) {
  // By line, because a glob in a string, such as `/a/**`, looks like the start of a comment.
  return text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/\*|\*)/.test(line))
    .join('\n');
}

function importsIn(text) {
  // As the formatter writes them; a key `'--files-from': '…'` is not an import.
  const pattern = /(?:(?:^|[} ])from |^import |\bimport\(\s*)'([^'\n]+)'/gm;
  return [...withoutTemplates(withoutComments(text)).matchAll(pattern)].map(([, specifier]) => specifier);
}

/** Without templates: generated code in them has imports of its own. */
function withoutTemplates(text) {
  return text.replace(/`[^`]*`/g, '``');
}
