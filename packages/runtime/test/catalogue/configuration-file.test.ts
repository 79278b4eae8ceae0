import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/catalogue/configuration.js';

const read = (text: string) => readConfiguration('ambit.yaml', new TextEncoder().encode(text));
const mistakes = (text: string) =>
  read(text).diagnostics.map(
    ({ file, line, column, code, message, help }) => `${file}:${line}:${column} ${code} ${message}; ${help}`,
  );

describe('readConfiguration', () => {
  it('does not read a policy that lies in the folder', () => {
    expect(read('version: 1\ndefault: pre_approved\ncreated: 7\n')).toEqual({
      configuration: null,
      diagnostics: [],
      isPolicy: true,
    });
    for (const text of ['version: 1', 'default: pre_approved', 'version: 1\nversion: 1\ndefault: blocked'])
      expect([read(text).isPolicy, read(text).diagnostics.length > 0]).toEqual([false, true]);
  });

  it('reads defaults for created workers, and prices', () => {
    const { configuration, diagnostics } = read(`created:
  model: script:small.yaml
  max_depth: 2
  toolsets: { filesystem: {}, delegation: { allow_workers: [helper] }, ./tools/crm.mjs: { region: eu } }
  roots: [input]
  attachments: { max_count: 1, allow: [.pdf] }
prices:
  currency: EUR
  models:
    "anthropic:claude-*": { input: 3, output: 15.5 }
    "script:*": { input: 0, output: 0 }
`);
    expect(diagnostics).toEqual([]);
    expect(configuration).toMatchObject({
      created: {
        model: 'script:small.yaml',
        max_depth: 2,
        toolsets: [
          ['filesystem', {}],
          ['delegation', { allow_workers: ['helper'] }],
          ['./tools/crm.mjs', { region: 'eu' }],
        ],
        roots: ['input'],
        attachments: { values: { max_count: 1, allow: ['.pdf'] } },
      },
      prices: {
        currency: 'EUR',
        models: [
          { glob: 'anthropic:claude-*', input: 3, output: 15.5 },
          { glob: 'script:*', input: 0, output: 0 },
        ],
      },
    });
  });

  it.each<readonly [string, readonly string[]]>([
    [
      'craeted: {}',
      ['1:1 UNKNOWN_KEY `craeted` is not a key here; did you mean `created`? created or prices'],
    ],
    ['created:', ['1:1 EMPTY_SECTION']],
    [
      'created: { max_deth: 2 }',
      ['1:12 UNKNOWN_KEY `max_deth` is not a key here; did you mean `max_depth`?'],
    ],
    ['created: { max_depth: 0 }', ['1:23 BAD_VALUE 0 is not a limit']],
    [
      'created: { model: claude-x }',
      ['1:19 BAD_MODEL `claude-x` is not a model; did you mean `anthropic:claude-x`?'],
    ],
    [
      'created: { toolsets: { filesytem: {} } }',
      ['1:24 UNKNOWN_TOOLSET `filesytem` is not a built-in toolset; did you mean `filesystem`?'],
    ],
    ['created: { roots: [./in] }', ['1:20 BAD_VALUE `./in` is not a name for a root']],
    ['created: { attachments: { allow: [pdf] } }', ['1:35 BAD_VALUE']],
    ['created: { locked: true }', ['1:12 UNKNOWN_KEY']],
    ['prices: { currency: USD }', ['1:1 MISSING_KEY `models` is missing']],
    [
      'prices: { models: { "script:*": { input: 1, output: 1 } } }',
      ['1:1 MISSING_KEY `currency` is missing'],
    ],
    [
      'prices: { currency: usd, models: { "script:*": { input: 1, output: 1 } } }',
      ['1:21 BAD_VALUE `usd` is not a currency'],
    ],
    [
      'prices: { currency: USD, models: { claude: { input: 1, output: 1 } } }',
      ['1:36 BAD_MODEL `claude` is not a model name'],
    ],
    [
      'prices: { currency: USD, models: { "script:*": { input: -1, output: 1 } } }',
      ['1:57 BAD_VALUE -1 is not a price'],
    ],
    [
      'prices: { currency: USD, models: { "script:*": { inptu: 1, output: 1 } } }',
      ['1:36 MISSING_KEY `input` is missing', '1:50 UNKNOWN_KEY'],
    ],
    ['prices: { currency: USD, models: { "script:*": { input: "1", output: 1 } } }', ['1:57 WRONG_TYPE']],
    ['a: 1\na: 2', ['1:1 UNKNOWN_KEY', '2:1 DUPLICATE_KEY']],
    ['- created', ['1:1 WRONG_TYPE']],
    ['', ['1:1 ']],
  ])('reports mistakes in %j with their places', (text, said) => {
    const found = mistakes(text);
    expect(found).toHaveLength(said.length);
    for (const [index, one] of said.entries()) expect(found[index]).toContain(`ambit.yaml:${one}`);
    expect(read(text).configuration).toBe(null);
  });

  it.each([
    ['a document with too many levels', `created: ${'['.repeat(20_000)}`],
    [
      'one of many aliases',
      `a: &a [x, x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *${at === 0 ? 'a' : `b${at - 1}`}]`).join('\n')}`,
    ],
    ['two documents', 'created: { max_depth: 1 }\n---\ncreated: { max_depth: 2 }'],
    ['a merge key', 'x: &x { max_depth: 1 }\ncreated: { <<: *x }'],
    ['a tag', 'created: !!js/function { max_depth: 1 }'],
    ['a prototype', 'created: { toolsets: { __proto__: { a: 1 } }, __proto__: { max_depth: 1 } }'],
    ['bytes that are not text', '\u0000\u0001'],
    ['a number beyond all', 'created: { max_depth: 1e400 }'],
    ['a price beyond all', 'prices: { currency: USD, models: { "*": { input: .inf, output: .nan } } }'],
  ])('refuses %s', (_, text) => {
    const { configuration, diagnostics } = read(text);
    expect([configuration, diagnostics.length > 0]).toEqual([null, true]);
  });
});
