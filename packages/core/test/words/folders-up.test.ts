import { foldersUp } from '@ambit/core';
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
