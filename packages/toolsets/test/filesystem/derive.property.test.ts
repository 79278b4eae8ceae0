import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import type { Access } from '../../src/filesystem/roots/access.js';
import type { DerivedRoot } from '../../src/filesystem/roots/derive.js';
import {
  cannotTouch,
  deriveRoots,
  mostBytes,
  openRoots,
  placeOf,
  planRead,
  type Root,
  type Roots,
} from '../../src/index.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-derive-')));
for (const path of ['a/b/c/f.md', 'a/b/f.txt', 'a/f.md', 'd/e/f.md', 'd/f.txt', 'outside/f.md']) {
  mkdirSync(join(base, dirname(path)), { recursive: true });
  writeFileSync(join(base, path), 'x');
}
symlinkSync('b', join(base, 'a/link'));
symlinkSync(join(base, 'd'), join(base, 'a/b/other'));
symlinkSync(join(base, 'outside'), join(base, 'd/out'));
afterAll(() => rmSync(base, { recursive: true }));

const limits = {
  mode: fc.constantFrom('ro' as const, 'rw' as const),
  suffixes: fc.constantFrom<readonly string[] | undefined>(
    undefined,
    undefined,
    ['.md'],
    ['.txt', '.md'],
    ['f.md'],
  ),
  max_file_bytes: fc.constantFrom(undefined, 10, 1000),
  untrusted: fc.constantFrom(undefined, true, false),
};
const folders = ['a', 'a/b', 'a/b/c', 'a/link', 'd', 'd/e', 'none/yet'];
const parents = fc.uniqueArray(fc.record({ folder: fc.constantFrom(...folders), ...limits }), {
  minLength: 1,
  maxLength: 4,
  selector: ({ folder }) => (folder === 'a/link' ? 'a/b' : folder),
});
const below = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(fc.constantFrom('b', 'c', 'e', 'link', 'other', 'out', '..'), { maxLength: 2 }),
);
const derived = fc.array(fc.record({ root: fc.nat(3), below, ...limits }), { minLength: 1, maxLength: 3 });
const tried = fc.record({
  root: fc.nat(1),
  below,
  file: fc.constantFrom('f.md', 'f.txt', 'new.md', 'g/new.txt', ''),
});
const accesses: readonly Access[] = ['read', 'list', 'write', 'delete'];

describe('a child of roots', () => {
  it('permits nothing beyond its parent, at any depth', async () => {
    let permitted = 0;
    await fc.assert(
      fc.asyncProperty(
        parents,
        derived,
        derived,
        fc.array(tried, { minLength: 1, maxLength: 6 }),
        async (given, first, second, paths) => {
          const parent = openRoots(
            given.map(
              (root, index) =>
                defined({ ...root, name: `r${index}`, folder: join(base, root.folder) }) as unknown as Root,
            ),
          );
          const child = await derivedFrom(parent, first);
          if (child === null) return;
          const grandchild = await derivedFrom(child, second);
          for (const roots of grandchild === null ? [child] : [child, grandchild]) {
            for (const { root, below: folder, file } of paths) {
              const place = await placeOf([`r${root}`, ...folder, file].join('/'), roots);
              for (const access of accesses) {
                if (cannotTouch(place, access, roots) !== null) continue;
                permitted += 1;
                expect(cannotTouch(place, access, parent)).toBeNull();
                expect(mostBytes(place, roots)).toBeLessThanOrEqual(mostBytes(place, parent));
              }
              const names = planRead(place, roots).capabilities.map(({ name }) => name);
              for (const { name } of planRead(place, parent).capabilities)
                expect(names.some((one) => one === name || one === `${name}.outside`)).toBe(true);
            }
          }
        },
      ),
      explore(2400, 20_261_121),
    );
    expect(permitted).toBeGreaterThan(tries(300));
  });
});

async function derivedFrom(
  roots: Roots,
  wanted: readonly { readonly root: number; readonly below: readonly string[] }[],
): Promise<Roots | null> {
  const list = wanted.map(({ root, below: folder, ...rest }, index) =>
    defined({ ...rest, name: `r${index}`, path: [`r${root % roots.list.length}`, ...folder].join('/') }),
  );
  // What is refused at once is not a child.
  return deriveRoots(roots, list as unknown as readonly DerivedRoot[]).catch(() => null);
}

function defined(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
