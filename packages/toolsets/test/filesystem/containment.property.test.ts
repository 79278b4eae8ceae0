import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { Hand, snapshot } from './world.js';

/** A file or a link at a path. */
interface Item {
  readonly path: string;
  readonly link: string | null;
}

const name = fc.constantFrom('a', 'b', 'c');
const inside = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const target = fc.oneof(
  inside,
  fc
    .array(fc.constantFrom('..', 'a', 'b', 'outside', 'in', 'out'), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/')),
  fc.constantFrom('BASE/outside', 'BASE/outside/a', 'BASE/in', 'BASE/out/a', 'BASE/none', '/proc/self/root'),
);
const item: fc.Arbitrary<Item> = fc.record({
  path: fc.tuple(fc.constantFrom('in', 'out', 'out', 'outside'), inside).map((parts) => parts.join('/')),
  link: fc.option(target, { freq: 2 }),
});
const path = fc
  .tuple(
    fc.constantFrom('input', 'output', 'output'),
    fc.array(fc.oneof({ weight: 5, arbitrary: name }, fc.constant('..')), { minLength: 1, maxLength: 3 }),
  )
  .map(([root, names]) => [root, ...names].join('/'));
const call: fc.Arbitrary<readonly [string, JsonObject]> = fc.oneof(
  path.map((path) => ['read_file', { path }] as const),
  path.map((path) => ['read_bytes', { path }] as const),
  path.map((path) => ['search_files', { path, pattern: 'theirs' }] as const),
  path.map((path) => ['write_file', { path, content: 'mine' }] as const),
  path.map((path) => ['edit_file', { path, old_text: 'theirs', new_text: 'mine' }] as const),
  path.map((path) => ['delete_file', { path }] as const),
  path.map((path) => ['list_files', { path, recursive: true }] as const),
  fc.tuple(path, path).map(([path, to]) => ['move_file', { path, to }] as const),
  fc.tuple(path, path).map(([path, to]) => ['copy_file', { path, to }] as const),
);

describe('on any tree with links, after any swap between description and execution', () => {
  it('no call touches an undescribed real path, or one outside', async () => {
    let done = 0;
    const scene = {
      before: fc.array(item, { maxLength: 12 }),
      swapped: fc.array(item, { maxLength: 2 }),
      call,
    };
    await fc.assert(
      fc.asyncProperty(fc.record(scene), async ({ before, swapped, call: [tool, args] }) => {
        await inWorld(async (base) => {
          for (const one of before) put(base, one);
          const hand = Hand.with({
            roots: [
              { name: 'input', folder: join(base, 'in'), mode: 'ro' },
              { name: 'output', folder: join(base, 'out'), mode: 'rw' },
            ],
          });
          const { capabilities, cannot } = await hand.describe(tool, args);
          // Describing is the same every time, and changes nothing.
          expect(await hand.describe(tool, args)).toEqual({
            capabilities,
            ...(cannot !== undefined && { cannot }),
          });
          for (const one of swapped) put(base, one);
          const was = snapshot(base);
          // Also what cannot be done: executing must not rely on having been asked first.
          const result = await hand.execute(tool, args, capabilities).catch(() => null);
          const is = snapshot(base);
          if (result !== null) done += 1;
          const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
            (key) => was[key] !== is[key],
          );
          const described = capabilities
            .filter(({ name }) => ['fs.write', 'fs.delete'].includes(name))
            .map(({ path }) => path);
          expect(changed.map((key) => join(base, key)).filter((key) => !described.includes(key))).toEqual([]);
          expect(changed.filter((key) => !key.startsWith('out/'))).toEqual([]);
          expect(shownBy(result)).not.toContain('theirs in outside');
          expect(foreignIn(is)).toEqual(foreignIn(was));
        });
      }),
      explore(1000, 20_261_121),
    );
    expect(done).toBeGreaterThan(tries(20));
  });
});

/** All that a result says, in base64 or not. */
function shownBy(result: Json): string {
  const bytes = isJsonObject(result) && typeof result.base64 === 'string' ? result.base64 : '';
  return `${JSON.stringify(result)} ${Buffer.from(bytes, 'base64').toString()}`;
}

/** How many files of the roots hold what came from outside. */
function foreignIn(files: Readonly<Record<string, string>>): number {
  const own = Object.entries(files).filter(([key]) => !key.startsWith('outside'));
  return own.filter(([, text]) => text.includes('theirs in outside')).length;
}

async function inWorld(work: (base: string) => Promise<void>): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-property-')));
  try {
    for (const folder of ['in', 'out', 'outside']) mkdirSync(join(base, folder));
    await work(base);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Puts something at this place, if the parent folders can be made without leaving this world. */
function put(base: string, { path, link }: Item): void {
  const full = join(base, path);
  try {
    mkdirSync(dirname(full), { recursive: true });
    const real = realpathSync(dirname(full));
    if (!real.startsWith(`${base}/`)) return;
    rmSync(full, { recursive: true, force: true });
    if (link !== null) symlinkSync(link.replace('BASE', base), full);
    else if (!existsSync(full)) writeFileSync(full, `theirs in ${real.slice(base.length + 1).split('/')[0]}`);
  } catch {
    // A file instead of a folder, or a loop: this item is left out.
  }
}
