import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { inputSchema } from '../../src/index.js';

describe('inputSchema', () => {
  it('reports all problems of arguments on one line, general ones first', () => {
    const { parse } = inputSchema(
      z.strictObject({
        path: z.string(),
        lines: z.array(z.int()),
        range: z.object({ from: z.int() }),
      }),
    );
    expect(parse({ paht: 'a.md', lines: [1, 'two'], range: { from: 'start' } })).toEqual({
      ok: false,
      problem:
        'unknown key: "paht" (did you mean `path`?); `path` is missing; expected number, received string at lines[1]; expected number, received string at range.from',
    });
  });

  it('suggests for an unknown key no key that is given', () => {
    const { parse } = inputSchema(z.strictObject({ path: z.string() }));
    expect(parse({ path: 'a.md', paths: 'b.md' })).toEqual({ ok: false, problem: 'unknown key: "paths"' });
  });
});
