import { isJsonObject, type JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { explore } from '../../../../test/depth.js';
import { sectionsAbout } from '../../../../test/diagnostics.js';
import { configurationSchema, readConfiguration } from '../../src/catalogue/configuration.js';
import { workerSchema } from '../../src/worker-file/worker-file.js';
import { everything, header, mistakes } from '../worker-text.js';

/** The part of a schema at these properties; `*` for what every property is. */
function at(...path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((schema, key) => {
    const next = key === '*' ? schema.additionalProperties : (schema.properties as JsonObject)[key];
    if (!isJsonObject(next)) throw new Error(`there is nothing at ${path.join('.')}`);
    return next;
  }, workerSchema());
}

const keysAt = (...path: readonly string[]) => Object.keys(at(...path).properties as JsonObject).sort();

describe('workerSchema', () => {
  it('has exactly the keys that the reader knows', () => {
    expect(keysAt()).toEqual([
      'attachments',
      'compatible_models',
      'description',
      'input',
      'locked',
      'max_depth',
      'model',
      'name',
      'output',
      'sandbox',
      'toolsets',
    ]);
    expect(keysAt('sandbox')).toEqual(['paths']);
    expect(keysAt('sandbox', 'paths', '*')).toEqual([
      'max_file_bytes',
      'mode',
      'read_approval',
      'root',
      'suffixes',
      'untrusted',
      'write_approval',
    ]);
    expect(keysAt('attachments')).toEqual(['allow', 'deny', 'max_count', 'max_total_bytes']);
    const closed = [at(), at('sandbox'), at('sandbox', 'paths', '*'), at('attachments')];
    expect(closed.map(({ additionalProperties }) => additionalProperties)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('is plain JSON, the same each time, and a valid schema', () => {
    const schema = workerSchema();
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(workerSchema()).toEqual(schema);
    expect(schema).toMatchObject({ title: 'worker', type: 'object' });
  });

  it('accepts the same files as the reader', () => {
    const type = z.fromJSONSchema(workerSchema() as z.core.JSONSchema.JSONSchema);
    const headers = [
      everything.replace(/^---\n/, ''),
      ...sectionsAbout('worker').map(({ prefer }) => prefer),
    ].map((text) => parse(text.slice(0, text.indexOf('\n---\n'))) as unknown);
    expect(headers.map((header) => type.safeParse(header).error)).toEqual(headers.map(() => undefined));
    const wrong = [{ nmae: 'a' }, { max_depth: 0 }, { model: 'claude' }, { attachments: { allow: ['pdf'] } }];
    expect(wrong.map((header) => type.safeParse(header).success)).toEqual([false, false, false, false]);
  });

  it('accepts every valid header', () => {
    const type = z.fromJSONSchema(workerSchema() as z.core.JSONSchema.JSONSchema);
    const lines = everything.split('\n').slice(1, everything.split('\n').indexOf('---', 1));
    const words = fc.constantFrom(...lines.join('\n').split(/[\s,{}[\]]+/));
    const edit = fc.record({ at: fc.nat(200), word: words });
    fc.assert(
      fc.property(fc.subarray(lines), fc.array(edit, { maxLength: 2 }), (kept, edits) => {
        const text = edits.reduce((text, { at, word }) => {
          const parts = text.split(/([\s,{}[\]]+)/);
          return parts.with((at * 2) % (parts.length + 1), word).join('');
        }, kept.join('\n'));
        if (mistakes(header(text)).length > 0) return;
        expect(type.safeParse(parse(text) ?? {}).error).toBeUndefined();
      }),
      explore(10_000),
    );
  });
});

describe('configurationSchema', () => {
  it('has exactly the keys that the reader knows', () => {
    const keys = (schema: unknown) => Object.keys((schema as { properties: object }).properties).sort();
    const schema = configurationSchema() as { properties: { created: object; prices: object } };
    expect(keys(schema)).toEqual(['created', 'prices']);
    expect(keys(schema.properties.created)).toEqual([
      'attachments',
      'max_depth',
      'model',
      'roots',
      'toolsets',
    ]);
    expect(keys(schema.properties.prices)).toEqual(['currency', 'models']);
  });

  it('accepts the same files as the reader', () => {
    const type = z.fromJSONSchema(configurationSchema() as z.core.JSONSchema.JSONSchema);
    const texts = [
      '{"created": {"model": "script:a", "max_depth": 2, "toolsets": {"http": {"timeout": 3}}, "roots": ["in"], "attachments": {"max_count": 0}}}',
      '{"prices": {"currency": "EUR", "models": {"anthropic:*": {"input": 0.1, "output": 3}}}}',
      '{"created": {"max_depth": 0}}',
      '{"created": {"locked": true}}',
      '{"prices": {"currency": "eur", "models": {"anthropic:*": {"input": 1, "output": 1}}}}',
      '{"prices": {"currency": "EUR", "models": {"anthropic:*": {"input": -1, "output": 1}}}}',
      '{"price": {}}',
    ];
    const read = (text: string) =>
      readConfiguration('ambit.yaml', new TextEncoder().encode(text)).configuration;
    expect(texts.map((text) => type.safeParse(JSON.parse(text)).success)).toEqual(
      texts.map((text) => read(text) !== null),
    );
    expect(texts.map((text) => read(text) !== null)).toEqual([true, true, false, false, false, false, false]);
  });
});
