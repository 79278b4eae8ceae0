import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, examples, root, runNode, scratchFolder } from './run-example.js';

const limit = { timeout: 120_000 };
let folder = '';
let remove = async () => {};

beforeAll(build, 300_000);
beforeEach(async () => {
  ({ folder, remove } = await scratchFolder());
});
afterEach(() => remove());

describe('an example', () => {
  it.each([
    ['one-write', 'one write, one approval, and a log that holds both\n'],
    ['two-references', 'one toolset, two references, and neither sees the other\n'],
    ['two-environments', 'the same calls: in dev both ran, in ci the write was blocked\n'],
  ])('%s runs, finds its result right, and leaves nothing behind', limit, async (name, last) => {
    const { exit, out, err } = await runNode([join(examples, 'dist', `${name}.js`)], { cwd: folder });
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
    expect(out.endsWith(last)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('has a policy that `check` accepts, examples and all', limit, async () => {
    const names = (await readdir(examples)).filter((name) => existsSync(join(examples, name, 'policy.yaml')));
    const files = names.map((name) => join(examples, name, 'policy.yaml'));
    const { exit, out, err } = await runNode([join(root, 'bin/ambit'), 'check', ...files], { cwd: folder });
    expect({ exit, said: exit === 0 ? '' : `${out}${err}` }).toEqual({ exit: 0, said: '' });
    expect(names.sort()).toEqual(['one-write', 'pitchdeck', 'two-environments', 'two-references']);
  });
});
