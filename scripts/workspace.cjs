// A CommonJS module, because `bin/ambit` loads it first, and CommonJS loads faster.
const fs = require('node:fs');
const paths = require('node:path');

const root = paths.dirname(__dirname);

/** The state of the last build: `stamp`, and `lock` during a build. */
const buildFolder = paths.join(root, '.build');

function packageFolders() {
  const inPackages = fs.readdirSync(paths.join(root, 'packages')).map((name) => `packages/${name}`);
  return [...inPackages, 'docs', 'bench'].filter((folder) =>
    fs.existsSync(paths.join(root, folder, 'package.json')),
  );
}

/** Whether an install has finished here, for these manifests or for older ones. */
const isInstalled = () => fs.existsSync(paths.join(root, 'node_modules/.bootstrap-stamp'));

function isBuilt() {
  try {
    return fs.readFileSync(paths.join(buildFolder, 'stamp'), 'utf8') === `${sources()}\n${outputs()}`;
  } catch {
    return false;
  }
}

/** Every file that the build reads, with its time and size. This takes a few ms, because no content is read. */
function sources() {
  const lines = [process.version];
  const note = (path) => {
    const stat = fs.statSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat) lines.push(`${path} ${stat.mtimeMs} ${stat.size}`);
  };
  for (const file of ['package.json', 'pnpm-lock.yaml', 'turbo.json', 'tsup.config.js', 'tsconfig.base.json'])
    note(file);
  note('scripts/yaml-module.mjs');
  for (const name of fs.readdirSync(paths.join(root, 'packages'))) walk(`packages/${name}`, note);
  return lines.join('\n');
}

/** The existing folders of those that the install and the build create. */
function outputs() {
  const made = fs.readdirSync(paths.join(root, 'packages')).map((name) => `packages/${name}/dist`);
  return ['node_modules/.bootstrap-stamp', ...made]
    .filter((path) => fs.existsSync(paths.join(root, path)))
    .join('\n');
}

const notSource = new Set([
  'node_modules',
  'dist',
  'dist-bench',
  'dist-deep',
  'types',
  'coverage',
  'test',
  'bench',
]);

/** A package inside a package, such as a toolset that a reader writes below the examples, is not built. */
function walk(folder, note, isTop = true) {
  const entries = fs.readdirSync(`${root}/${folder}`, { withFileTypes: true });
  if (!isTop && entries.some(({ name }) => name === 'package.json')) return;
  for (const entry of entries) {
    if (entry.name.startsWith('.') || notSource.has(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) walk(path, note, false);
    else if (/\.(ts|m?js|json|yaml)$/.test(entry.name)) note(path);
  }
}

module.exports = { buildFolder, isBuilt, isInstalled, outputs, packageFolders, root, sources };
