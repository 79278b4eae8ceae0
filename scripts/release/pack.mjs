import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../workspace.cjs';
import { pagesOf } from './pages.mjs';

/** The packages of a release: those that are not private. */
export function publicPackages() {
  return readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .filter(
      (folder) => existsSync(join(root, folder, 'package.json')) && manifestOf(folder).private !== true,
    );
}

/** Writes each package as a tarball into `out`, and resolves to their paths. Needs a build and declarations. */
export function pack(out, packages = publicPackages()) {
  const stages = mkdtempSync(join(tmpdir(), 'ambit-pack-'));
  try {
    mkdirSync(out, { recursive: true });
    const folders = packages.map((folder) => {
      const into = join(stages, folder);
      stage(folder, into);
      return into;
    });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out, ...folders];
    const stdio = ['ignore', 'pipe', 'pipe'];
    const packed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio, cwd: stages }));
    return Object.values(packed).map(({ filename }) =>
      join(out, filename.replace('@', '').replace('/', '-')),
    );
  } finally {
    rmSync(stages, { recursive: true, force: true });
  }
}

/** Puts the files of a tarball into a folder: those of `files`, the pages, the licence and the manifest. */
export function stage(folder, into) {
  const manifest = manifestOf(folder);
  for (const name of manifest.files) {
    const from = join(root, folder, name);
    if (!existsSync(from)) throw new Error(`${folder}/${name} is missing: npm run build`);
    // Source maps refer to sources that are not in the tarball.
    const filter = (path) => !path.endsWith('.map');
    if (name !== 'types') cpSync(from, join(into, name), { recursive: true, filter });
  }
  for (const path of declarationsOf(folder, manifest)) cpSync(join(root, folder, path), join(into, path));
  for (const [path, text] of pagesOf(folder)) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), text);
  }
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
}

/** The declarations that the exports reach. Others are useless, or from an older build. */
function declarationsOf(folder, { exports = {} }) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(join(root, folder, path), 'utf8');
    for (const [, to] of text.matchAll(/(?:from |import |import\()['"](\.[^'"]+)\.js['"]/g))
      visit(join(dirname(path), `${to}.d.ts`));
  };
  for (const { types } of Object.values(exports)) if (types !== undefined) visit(types.replace('./', ''));
  return reached;
}

/** A manifest for users: with exact versions in place of workspace links, and without what only the build needs. */
function published(source) {
  const manifest = { ...source };
  delete manifest.devDependencies;
  delete manifest.scripts;
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    range.startsWith('workspace:') ? manifestOf(`packages/${name.replace('@ambit/', '')}`).version : range,
  ]);
  const exported = Object.entries(manifest.exports ?? {}).map(([path, to]) => {
    if (typeof to === 'string') return [path, to];
    const { '@ambit/source': _source, ...conditions } = to;
    return [path, conditions];
  });
  const files = [...new Set([...manifest.files, 'docs'])];
  return {
    ...manifest,
    files,
    dependencies: Object.fromEntries(dependencies),
    exports: Object.fromEntries(exported),
  };
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}
