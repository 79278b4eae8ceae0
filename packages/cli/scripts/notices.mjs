import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Puts the licences of what is in the bundle beside it, as they ask for. */
const dist = resolve(process.argv[2]);
const metafile = join(dist, 'metafile-cjs.json');
const { inputs } = JSON.parse(readFileSync(metafile, 'utf8'));
const folders = new Set(
  Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
);
const notices = [...folders].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled, and brings no licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
if (notices.length === 0) throw new Error('the bundle has nothing of others, which cannot be');
writeFileSync(join(dist, 'licences.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
rmSync(metafile);
