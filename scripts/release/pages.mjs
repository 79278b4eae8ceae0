import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../workspace.cjs';

const link = /\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g;

/**
 * The README of a package and every page of `docs` that it links to, by their paths in the tarball. A link to another file of
 * the repository becomes plain text, because the file is not in the tarball.
 */
export function pagesOf(folder) {
  const pages = new Map();
  const waiting = [[join(folder, 'README.md'), 'README.md']];
  for (const [source, target] of waiting) {
    if (pages.has(target)) continue;
    const text = readFileSync(join(root, source), 'utf8').replaceAll(
      link,
      (whole, words, path, anchor = '') => {
        if (path === '' || /^[a-z]+:/.test(path)) return whole;
        const leads = join(dirname(source), path);
        if (!/^docs\/[^/]+\.md$/.test(leads) || !existsSync(join(root, leads))) return words;
        waiting.push([leads, leads]);
        return `[${words}](${relative(dirname(target), leads)}${anchor})`;
      },
    );
    pages.set(target, text);
  }
  return pages;
}
