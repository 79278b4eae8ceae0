import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { importCircles, importGraph, packageNames, sourcesOf, withoutComments } from './sources.mjs';
import { root } from './workspace.cjs';

const mostFilesInFolder = 15;
const smallFileLines = 45;

/** Counts what makes the code easy or hard to enter, for every package. Lists name the places. */
export function measureHouse() {
  const read = packageNames.map((name) => ({ name, files: sourcesOf(name) }));
  return read.map(({ name, files }) => {
    const graph = importGraph(files);
    return {
      name,
      files: files.length,
      lines: files.reduce((sum, file) => sum + linesOf(file), 0),
      longest: files.reduce((most, file) => Math.max(most, linesOf(file)), 0),
      bigFolders: bigFolders(files),
      circles: importCircles(graph).map((circle) => circle.map((path) => basename(path, '.ts')).join(' ')),
      smallFiles: smallFiles(files, graph),
      unusedExports: unusedExports(name, read),
    };
  });
}

/** Prints the figures as a table; `--list` adds the places that they count. */
export function house(args) {
  const figures = measureHouse();
  const total = (key) => figures.reduce((sum, each) => sum + (each[key].length ?? each[key]), 0);
  const rows = figures.map((each) => Object.values(each).map((value) => value.length ?? value));
  const lists = ['bigFolders', 'circles', 'smallFiles', 'unusedExports'];
  const last = Math.max(...figures.map(({ longest }) => longest));
  const table = [
    ['package', 'files', 'lines', 'longest', 'folders > 15', 'circles', 'small files', 'unused exports'],
    ...figures.map(({ name }, index) => [name, ...rows[index].slice(1)]),
    ['all', total('files'), total('lines'), last, ...lists.map(total)],
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => String(row[column]).length)));
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
    );
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  if (!args.includes('--list')) return;
  for (const key of lists)
    for (const each of figures)
      for (const place of each[key]) process.stdout.write(`${key} ${each.name}: ${place}\n`);
}

const linesOf = ({ text }) => text.split('\n').length - 1;

function bigFolders(files) {
  const counts = new Map();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > mostFilesInFolder)
    .map(([folder, count]) => `${folder} ${count}`);
}

/** Small files with a single importer that could contain them. An `index.ts` could not. */
function smallFiles(files, graph) {
  const importers = new Map();
  for (const [path, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  return files
    .filter((file) => linesOf(file) < smallFileLines)
    .map(({ path }) => ({ path, users: importers.get(path) ?? [] }))
    .filter(({ users }) => users.length === 1 && basename(users[0]) !== 'index.ts')
    .map(({ path, users }) => `${path} <- ${users[0]}`);
}

/** Exports of a package that no source of another package imports and no document shows as code. */
function unusedExports(name, read) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const others = read.filter((each) => each.name !== name).flatMap(({ files }) => files);
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, targets]) => {
    const source = targets['@ambit/source'];
    if (source === undefined) return [];
    const specifier = `${manifest.name}${entry.slice(1)}`;
    const used = new Set(others.flatMap(({ text }) => importedNames(text, specifier)));
    const exported = exportedNames(readFileSync(join(root, 'packages', name, source), 'utf8'));
    return exported
      .filter((each) => !used.has(each) && !documentedWords().has(each))
      .map((each) => `${specifier} ${each}`);
  });
}

const namesIn = (list) =>
  list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '');

function importedNames(text, specifier) {
  const named = new RegExp(`(?:import|export) (?:type )?{([^}]*)} from '${specifier}'`, 'g');
  const loaded = new RegExp(`const {([^}]*)} = await import\\('${specifier}'\\)`, 'g');
  const [, whole] = new RegExp(`import \\* as (\\w+) from '${specifier}'`).exec(text) ?? [];
  const members = whole === undefined ? [] : text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'));
  return [
    ...[...text.matchAll(named), ...text.matchAll(loaded)].flatMap(([, list]) =>
      namesIn(list).map((item) => item.split(/ as |: /)[0]),
    ),
    ...[...members].map(([, name]) => name),
  ];
}

function exportedNames(text) {
  const code = withoutComments(text);
  const lists = [...code.matchAll(/^export (?:type )?{([^}]*)}/gm)];
  const own = [...code.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
  return [
    ...lists.flatMap(([, list]) => namesIn(list).map((item) => item.split(' as ').at(-1))),
    ...own.map(([, word]) => word),
  ];
}

let documented;

/** Every word that a document of the repository shows as code. */
function documentedWords() {
  documented ??= new Set(
    documents('.').flatMap((text) => {
      const code = [...text.matchAll(/^```(?:ts|js)\b[\s\S]*?^```|`[^`\n]+`/gm)].map(([shown]) => shown);
      return code.join(' ').match(/\w+/g) ?? [];
    }),
  );
  return documented;
}

function documents(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(\.|node_modules$|dist|types$)/.test(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md'
      ? [readFileSync(join(root, path), 'utf8')]
      : [];
  });
}
