import { describe, expect, it } from 'vitest';
import { defineCapability, defineTool, defineToolset } from '../../src/index.js';

const greet = {
  name: 'greet',
  description: 'Greets.',
  input: { parse: () => ({ ok: true, value: {} }) as const, json: {} },
  describe: () => ({ capabilities: [] }),
  execute: () => 'hello',
};

describe('defineTool', () => {
  it.each(['input', 'describe', 'execute'])('refuses a tool without `%s`', (key) => {
    expect(() => defineTool({ ...greet, [key]: undefined } as never)).toThrow(
      `the tool \`greet\` has no \`${key}\``,
    );
  });
});

describe('defineToolset', () => {
  it('refuses a tool that is listed twice', () => {
    expect(() => defineToolset({ name: 'crm', tools: [greet, greet] })).toThrow(
      'crm has two tools called `greet`',
    );
  });
});

describe('defineCapability', () => {
  it.each(['string', 'toString'])('refuses a fact of the unknown kind `%s`', (kind) => {
    expect(() => defineCapability({ name: 'crm.x', facts: { to: kind as 'text' }, words: '' })).toThrow(
      `the fact \`to\` of crm.x is of the unknown kind \`${kind}\`: text, number, boolean or list`,
    );
  });

  it('refuses words about a fact that it lacks', () => {
    expect(() => defineCapability({ name: 'crm.x', facts: { to: 'text' }, words: 'greet {who}' })).toThrow(
      'the words of crm.x name `who`, which is not one of its facts: to',
    );
  });
});
