import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reported } from '../reference.js';
import { emptyFolder } from './context.js';

const base = emptyFolder();
for (const folder of ['work/src', 'home/.ssh', 'home/notes/old'])
  mkdirSync(join(base, folder), { recursive: true });
writeFileSync(join(base, 'home/.ssh/id'), '');

/** The paths of a capability, relative to the folder above both. */
async function pathsOf(name: string, command: string): Promise<readonly string[]> {
  const found = await reported(command, { cwd: join(base, 'work'), home: join(base, 'home') });
  const paths = found.flatMap((each) =>
    each.name === name && typeof each.path === 'string' ? [each.path.replace(`${base}/`, '')] : [],
  );
  return [...new Set(paths)].sort();
}

const all = ['home', 'home/.ssh', 'home/notes', 'home/notes/old'];

describe('a listing outside the roots', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['ls ~', ['home'], ['home']],
    ['find ~ -name X', all, ['home']],
    ['du -sh ~', all, ['home']],
    ['exa -a ~', all, ['home']],
    ['find ~/.ssh ~/notes', all.slice(1), ['home/.ssh', 'home/notes']],
    ['ls -d ~', ['home'], []],
    ['find . -name X', [], []],
  ])('of `%s` counts as a read of the folder at which it begins', async (line, listed, read) => {
    expect(await pathsOf('fs.list.outside', line)).toEqual(listed);
    expect(await pathsOf('fs.read.outside', line)).toEqual(read);
  });

  it('of files that are read lists the folders and reads the files', async () => {
    expect(await pathsOf('fs.list.outside', 'grep -r x ~')).toEqual(all);
    expect(await pathsOf('fs.read.outside', 'grep -r x ~')).toEqual(['home', 'home/.ssh/id']);
  });
});
