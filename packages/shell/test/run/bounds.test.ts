import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type Capability, pathFact } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { world } from '../../../toolsets/test/filesystem/world.js';
import { boundsOf } from '../../src/run/isolation/bounds.js';

function scene() {
  const { at } = world({ 'w/a/1': '', 'w/a/2': '', 'w/b/c/3': '', 'w/ref/4': '', 'out/5': '' });
  const roots = openRoots([
    { name: 'work', folder: at('w'), mode: 'rw' },
    { name: 'ref', folder: at('w/ref'), mode: 'ro' },
  ]);
  const writable = (...described: readonly Capability[]) =>
    boundsOf(described, { roots, writes: 'described' }).writable.map((path) => path.slice(at('').length));
  return { at, roots, writable };
}

describe('the bounds of a command', () => {
  it('contain the folders of the members of a set', () => {
    const { at, writable } = scene();
    const paths = ['w/a/1', 'w/a/2', 'w/b/c/3', 'out/5', 'w/ref/4'].map(at);
    expect(writable({ name: 'fs.write', path: pathFact(paths) })).toEqual(
      ['out', 'w/a', 'w/b/c'].map((path) => `/${path}`),
    );
  });

  it('contain the folder of unknown members', () => {
    const { at, writable } = scene();
    const open = (under: string | null) => pathFact([at('w/a/1')], { open: true, under });
    expect(writable({ name: 'fs.delete', path: open(at('w/b')) })).toEqual(['/w/a', '/w/b']);
    expect(writable({ name: 'fs.delete', path: open(at('w/b/new/deep')) })).toEqual(['/w/a', '/w/b']);
    expect(writable({ name: 'fs.delete', path: open(at('w/ref')) })).toEqual(['/w/a']);
    expect(writable({ name: 'fs.delete', path: open('/') })).toEqual(['/w/a']);
    expect(writable({ name: 'fs.delete', path: open(null) })).toEqual(['/w']);
  });

  it('contain all writable roots if a part is opaque', () => {
    const { writable } = scene();
    expect(writable({ name: 'proc.exec.opaque', program: 'npm', why: 'runs scripts' })).toEqual(['/w']);
    expect(writable({ name: 'proc.exec', program: 'ls' })).toEqual([]);
  });

  it('replace the deepest folders by their parents if there are too many, but never a root', () => {
    const { at, writable } = scene();
    const folders = Array.from({ length: 200 }, (_, index) => `w/b/c/d${index}`);
    const outside = Array.from({ length: 30 }, (_, index) => `out/e${index}`);
    for (const folder of [...folders, ...outside]) mkdirSync(at(folder), { recursive: true });
    const paths = [...folders, ...outside].map((folder) => at(`${folder}/file`));
    expect(writable({ name: 'fs.write', path: pathFact(paths) })).toEqual([
      '/w/b/c',
      ...outside.map((path) => `/${path}`).sort((one, other) => one.length - other.length),
    ]);
  });

  it('follow links to the target file', () => {
    const { at, writable } = scene();
    writeFileSync(at('out/6'), '');
    symlinkSync(at('out/6'), at('w/a/link'));
    expect(writable({ name: 'fs.write.outside', path: at('w/a/link') })).toEqual(['/out']);
  });
});
