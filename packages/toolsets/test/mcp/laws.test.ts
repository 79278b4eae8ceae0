import { equalJson, type Json, type JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { hintsIn } from '../../src/mcp/mcp-toolset.js';
import { listedTool } from '../../src/mcp/tools/listed-tool.js';
import { type OfferedTool, offersOf } from '../../src/mcp/tools/offered-tools.js';
import { resultOf } from '../../src/mcp/tools/result.js';

const words = [
  'name',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'type',
  'object',
  'properties',
  'text',
  'content',
  'isError',
];
const word = fc.constantFrom(...words, 'a', 'a.b', '__proto__', 'constructor', '', '\u202e', '\ud800');
const json = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof<fc.Arbitrary<Json>[]>(word, fc.constantFrom<Json>(null, 0, 1.5, true)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(word, tie('json'), { maxKeys: 5 }),
  ),
})).json;
const likeTool = fc.record(
  { name: word, description: json, inputSchema: json, annotations: json },
  { requiredKeys: ['name'] },
);
const server = { key: 'x', prefix: '' };

describe('for any list of a server', () => {
  it('each tool is offered or omitted once, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(likeTool, json), { maxLength: 6 }), (list) => {
        const { tools, left_out } = offersOf(list, server);
        expect(tools.length + left_out.length).toBe(list.length);
        const names = tools.map(({ shown }) => shown.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
        for (const { shown } of tools) expect(shown).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      }),
      explore(3000),
    );
  });

  it('equal definitions have equal fingerprints in any key order, and others differ', () => {
    const reversed = (value: Json): Json => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    fc.assert(
      fc.property(likeTool, json, (tool, other) => {
        const whole = (given: unknown) => listedTool(given)?.fingerprint.whole;
        expect(whole(reversed(tool as JsonObject))).toBe(whole(tool));
        const same = equalJson(other, tool.inputSchema ?? null);
        expect(whole({ ...tool, inputSchema: other }) === whole(tool)).toBe(same);
      }),
      explore(3000),
    );
  });

  it('hints are three booleans', () => {
    fc.assert(
      fc.property(json, (annotations) => {
        const { read_only, destructive, open_world, ...rest } = hintsIn(annotations);
        expect([typeof read_only, typeof destructive, typeof open_world, rest]).toEqual([
          'boolean',
          'boolean',
          'boolean',
          {},
        ]);
      }),
      explore(1000),
    );
  });
});

describe('for any result of a server', () => {
  it('the result is text for the model, or a failure with a message', () => {
    const tool = { name: 'a', result: null } as OfferedTool;
    const of = { key: 'x' } as Parameters<typeof resultOf>[2];
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'image', 'resource', 'resource_link', 'a'),
        text: json,
        resource: json,
        uri: json,
        data: json,
        mimeType: json,
      },
      { requiredKeys: ['type'] },
    );
    const result = fc.record(
      {
        content: fc.oneof(json, fc.array(fc.oneof(block, json))),
        structuredContent: json,
        isError: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(result, fc.dictionary(word, json)), (given) => {
        try {
          expect(typeof resultOf(given as JsonObject, tool, of)).toBe('string');
        } catch (error) {
          expect((error as Error).message).toMatch(/^the server mcp-x says: /);
        }
      }),
      explore(3000),
    );
  });
});
