import { describe, expect, it } from 'vitest';
import { blocksIn } from './blocks.js';

describe('blocksIn', () => {
  it('finds fences with their info strings, and ignores fences inside other fences', () => {
    const text = '# T\n```ts\na;\n```\n\n````yaml worker x=1\n```\nb\n```\n````\n~~~\nc\n~~~\n';
    expect(blocksIn({ path: 'T.md', text })).toEqual([
      { at: 'T.md:2', document: 'T.md', language: 'ts', info: [], text: 'a;\n' },
      { at: 'T.md:6', document: 'T.md', language: 'yaml', info: ['worker', 'x=1'], text: '```\nb\n```\n' },
      { at: 'T.md:11', document: 'T.md', language: '', info: [], text: 'c\n' },
    ]);
  });

  it('refuses an unclosed fence, which would hide the rest of the document', () => {
    expect(() => blocksIn({ path: 'T.md', text: 'x\n```ts\na;\n' })).toThrow(
      'T.md:2: this block is not closed',
    );
  });
});
