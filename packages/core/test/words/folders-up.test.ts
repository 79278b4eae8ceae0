import { foldersUp, fromHome } from '@ambit/core';
import { describe, expect, it } from 'vitest';

describe('foldersUp', () => {
  it.each([
    ['/a/b c/d', ['/a/b c/d', '/a/b c', '/a', '/']],
    ['/a', ['/a', '/']],
    ['/', ['/']],
  ])('lists %s and the folders above it', (path, folders) => {
    expect(foldersUp(path)).toEqual(folders);
  });
});

describe('fromHome', () => {
  it.each([
    ['~/a', '/home/u', '/home/u/a'],
    ['~', '/home/u', '/home/u'],
    ['~/a', '/', '/a'],
    ['~', '/', '/'],
    ['~user/a', '/home/u', '~user/a'],
    ['./~/a', '/home/u', './~/a'],
  ])('%s with the home %s is %s', (path, home, absolute) => {
    expect(fromHome(path, home)).toBe(absolute);
  });
});
