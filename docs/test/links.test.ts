import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, root } from './documents.js';

const links = documents().flatMap(({ path, text }) =>
  [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = '']) => ({ path, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target)),
);

describe('a link between documents', () => {
  it('occurs more than a few times', () => {
    expect(links.length).toBeGreaterThan(30);
  });

  it('leads to an existing file and heading', () => {
    expect(links.map(problemOf).filter((problem) => problem !== null)).toEqual([]);
  });
});

function problemOf({ path, target }: { path: string; target: string }): string | null {
  const [file = '', anchor] = target.split('#');
  const full = file === '' ? join(root, path) : join(root, dirname(path), decodeURIComponent(file));
  if (!existsSync(full)) return `${path}: ${target}: there is no such file`;
  if (anchor === undefined) return null;
  if (statSync(full).isDirectory()) return `${path}: ${target}: a folder has no headings`;
  return headings(readFileSync(full, 'utf8')).includes(anchor)
    ? null
    : `${path}: ${target}: there is no such heading`;
}

/** The anchors of a document's headings, as GitHub makes them. */
function headings(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, title = '']) => {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, '');
}

function withoutFences(text: string): string {
  return text.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1`*\s*$/gm, '');
}
