import { describe, expect, it } from 'vitest';
import { usualInput } from '../../src/worker-file/worker-input.js';
import { defined, everything, header, mistakes, read, words } from '../worker-text.js';

const found = (text: string) => mistakes(header(text));

describe('readWorker', () => {
  it('reads every key', () => {
    const { input, output, ...rest } = defined(everything);
    expect(rest).toEqual({
      name: 'main',
      file: 'main.worker',
      path: '/w/main.worker',
      sha256: 'ab',
      description: 'Evaluates',
      instructions: 'Do it.\n---\nReally.',
      model: 'anthropic:claude-sonnet-4-5',
      compatibleModels: null,
      roots: [
        {
          name: 'input',
          root: './in',
          mode: 'ro',
          suffixes: ['.pdf', '.tar.gz'],
          max_file_bytes: 15,
          read_approval: true,
          untrusted: false,
          at: 'main.worker:9:5',
        },
        {
          name: 'output',
          root: '~/out',
          mode: 'rw',
          write_approval: true,
          at: 'main.worker:10:5',
        },
      ],
      attachments: { max_count: 0, max_total_bytes: 20, allow: ['.pdf'], deny: ['.exe'] },
      toolsets: [
        {
          key: 'filesystem',
          path: null,
          paths: [],
          sha256: null,
          configuration: {},
          approvals: [],
          at: 'main.worker:13:3',
        },
        {
          key: 'delegation',
          path: null,
          paths: [],
          sha256: null,
          configuration: { allow_workers: ['reader', 'main'] },
          approvals: [],
          at: 'main.worker:14:3',
        },
        {
          key: 'reader',
          path: null,
          paths: [],
          sha256: null,
          configuration: {},
          approvals: [{ tool: 'reader', decision: 'needs_approval', at: 'main.worker:15:26' }],
          at: 'main.worker:15:3',
        },
      ],
      maxDepth: 7,
      locked: true,
    });
    expect(input.parse({ deck: 'a' })).toEqual({ ok: true, value: { deck: 'a' } });
    expect(input.parse({})).toMatchObject({ ok: false });
    expect(input.parse({ deck: 'a', more: 1 })).toMatchObject({ ok: false });
    expect(output?.parse({ score: 1.5 })).toMatchObject({ ok: false });
    expect(output?.parse({ score: 1 })).toEqual({ ok: true, value: { score: 1 } });
  });

  it.each([
    '\n---\nDo it.\n',
    '\n\n---\nDo it.',
    '# nothing\n  # at all\n---\nDo it.\n',
    '---\n---\nDo it.\n',
  ])('uses the default of every key: %j', (text) => {
    expect(defined(text)).toEqual({
      name: 'main',
      file: 'main.worker',
      path: '/w/main.worker',
      sha256: 'ab',
      description: '',
      instructions: 'Do it.',
      model: null,
      compatibleModels: null,
      input: usualInput,
      output: null,
      roots: [],
      attachments: { max_count: 10, max_total_bytes: 20_000_000, allow: null, deny: [] },
      toolsets: [],
      maxDepth: 5,
      locked: false,
    });
  });

  it('accepts text and optional attachments if no input is described', () => {
    const { input } = defined('\n---\nDo it.');
    expect(input.parse({ input: 'a' })).toMatchObject({ ok: true });
    expect(input.parse({ input: 'a', attachments: ['input/a.pdf'] })).toMatchObject({ ok: true });
    expect(
      [{}, { input: 1 }, { input: 'a', attachments: 'b' }, { input: 'a', x: 1 }].map(input.parse),
    ).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ ok: false })));
  });

  it('returns callable workers even for an invalid file', () => {
    const toolsets = 'toolsets: { reader: {}, delegation: { allow_workers: ["*"] } }\nnonsense: 1';
    expect(read(header(toolsets))).toMatchObject({ definition: null, callees: ['reader', 'main', 'reader'] });
  });

  it('returns no definition for an invalid file', () => {
    expect(read(header('max_depth: 0')).definition).toBeNull();
    expect(read('name: main\n').definition).toBeNull();
    expect(read(Uint8Array.of(0xff)).definition).toBeNull();
  });
});

describe('the line between YAML and instructions', () => {
  it.each<[string, string]>([
    ['name: main\n---\nDo it.\n', 'Do it.'],
    ['---\nname: main\n---\nDo it.\n', 'Do it.'],
    ['\ufeff---\nname: main\n---\nDo it.\n', 'Do it.'],
    ['\ufeffname: main\n---\nDo it.\n', 'Do it.'],
    ['name: main\r\n---\r\nDo\r\nit.\r\n', 'Do\r\nit.'],
    ['---\r\nname: main\r\n---\r\nDo it.', 'Do it.'],
    ['--- \t\nname: main\n---  \nDo it.', 'Do it.'],
    ['name: main\n---\n', ''],
    ['name: main\n---', ''],
    ['name: main\n---\n\n  Do it.\n\n', 'Do it.'],
    ['name: main\n---\n---\nDo it.\n---\nAgain.', '---\nDo it.\n---\nAgain.'],
    ['name: main\n---\na: [unclosed\n{{ *x &y !z', 'a: [unclosed\n{{ *x &y !z'],
    ['name: main\n...\n---\nDo it.', 'Do it.'],
    ['description: |\n  a\n  ---\n  b\n---\nDo it.', 'Do it.'],
    ['description: a --- b\n---\nDo it.', 'Do it.'],
    ['# a\n---\nDo it.', 'Do it.'],
  ])('is found in %j', (text, instructions) => {
    expect(defined(text).instructions).toBe(instructions);
  });

  it.each<[string, readonly string[]]>([
    ['', ['1:1 NO_INSTRUCTIONS']],
    // Lines to a regular expression, and to nobody else: what follows them stays YAML.
    ['description: a\u2028---\u2028b\n---\nDo it.', ['1:15 CONTROL_CHARACTER', '1:19 CONTROL_CHARACTER']],
    ['name: main\n', ['1:11 NO_INSTRUCTIONS']],
    ['---\nname: main\n', ['2:11 NO_INSTRUCTIONS']],
    ['---\n', ['1:4 NO_INSTRUCTIONS']],
    ['name: main\n ---\nDo it.', ['3:1 SYNTAX', '3:7 NO_INSTRUCTIONS']],
    ['name: main\n----\nDo it.', ['2:1 SYNTAX', '3:7 NO_INSTRUCTIONS']],
    ['name: main\n--- Do it.', ['2:1 SEVERAL_DOCUMENTS', '2:11 NO_INSTRUCTIONS']],
    ['nmae: main\n', ['1:1 UNKNOWN_KEY', '1:11 NO_INSTRUCTIONS']],
    ['Do it.\n', ['1:1 WRONG_TYPE', '1:7 NO_INSTRUCTIONS']],
    ['%YAML 1.2\n---\nname: main\n', ['1:1 EMPTY_FILE']],
    // One line `---` at the top: whether YAML or instructions follow, nobody can tell.
    ['---\nDo it.\n', ['2:1 WRONG_TYPE', '2:7 NO_INSTRUCTIONS']],
    ['name: main\n...\nmax_depth: 1\n---\nDo it.', ['3:1 SEVERAL_DOCUMENTS']],
    ['name: main\r---\rDo it.', ['1:11 CONTROL_CHARACTER', '1:15 CONTROL_CHARACTER', '1:22 NO_INSTRUCTIONS']],
  ])('is reported missing in %j', (text, expected) => {
    expect(mistakes(text)).toEqual(expected);
  });
});

describe('the place of a mistake in a worker file', () => {
  it.each<[string, readonly string[]]>([
    ['- a', ['1:1 WRONG_TYPE']],
    ['~', ['1:1 WRONG_TYPE']],
    ['{}', []],
    ['nmae: main', ['1:1 UNKNOWN_KEY']],
    ['name: mian', ['1:7 BAD_WORKER_NAME']],
    ['name: Main', ['1:7 BAD_WORKER_NAME']],
    ['name: 1', ['1:7 WRONG_TYPE']],
    ['name:', ['1:1 EMPTY_SECTION']],
    ['name: ""', ['1:7 BAD_TEXT']],
    ['description: [a]', ['1:14 WRONG_TYPE']],
    ['description: " "', ['1:14 BAD_TEXT']],
    ['model: claude-sonnet-4-5', ['1:8 BAD_MODEL']],
    ['model: gpt:x', ['1:8 BAD_MODEL']],
    ['model: "anthropic:"', ['1:8 BAD_MODEL']],
    ['model: "script: "', ['1:8 BAD_MODEL']],
    ['model: 5', ['1:8 WRONG_TYPE']],
    ['compatible_models: anthropic:*', ['1:20 WRONG_TYPE']],
    ['compatible_models: []', ['1:20 EMPTY_SECTION']],
    ['compatible_models: [1, ""]', ['1:21 WRONG_TYPE', '1:24 BAD_TEXT']],
    ['model: script:a\ncompatible_models: ["*"]', ['2:1 MISPLACED_KEY']],
    ['input: text', ['1:8 WRONG_TYPE']],
    ['input: {}', ['1:8 EMPTY_SECTION']],
    ['input: { type: string }', ['1:1 BAD_SCHEMA']],
    ['input: { properties: { a: true } }', ['1:1 BAD_SCHEMA']],
    ['output:\n  type: strin', ['1:1 BAD_SCHEMA']],
    ['output: { type: string }', []],
    ['sandbox: ./out', ['1:10 WRONG_TYPE']],
    ['sandbox: {}', ['1:10 EMPTY_SECTION']],
    ['sandbox: { path: { a: { root: ./a } } }', ['1:12 UNKNOWN_KEY']],
    ['sandbox: { paths: {} }', ['1:19 EMPTY_SECTION']],
    ['sandbox: { paths: [a] }', ['1:19 WRONG_TYPE']],
    ['sandbox: { paths: { a: ./a } }', ['1:24 WRONG_TYPE']],
    ['sandbox: { paths: { a: {} } }', ['1:24 EMPTY_SECTION']],
    ['sandbox: { paths: { a: } }', ['1:21 EMPTY_SECTION']],
    ['sandbox: { paths: { a: { mode: rw } } }', ['1:21 MISSING_KEY']],
    ['sandbox: { paths: { a: { root: } } }', ['1:26 EMPTY_SECTION']],
    ['sandbox: { paths: { a: { root: ~ } } }', ['1:32 WRONG_TYPE']],
    ['sandbox: { paths: { a: { root: "" } } }', ['1:32 BAD_TEXT']],
    ['sandbox: { paths: { a: { root: ., mode: wr } } }', ['1:41 UNKNOWN_VALUE']],
    ['sandbox: { paths: { a: { root: ., mode: RW } } }', ['1:41 UNKNOWN_VALUE']],
    ['sandbox: { paths: { a: { root: ., mode: [rw] } } }', ['1:41 WRONG_TYPE']],
    ['sandbox: { paths: { a: { root: ., suffix: [.pdf] } } }', ['1:35 UNKNOWN_KEY']],
    ['sandbox: { paths: { a: { root: ., suffixes: .pdf } } }', ['1:45 WRONG_TYPE']],
    [
      'sandbox: { paths: { a: { root: ., suffixes: [pdf, .a/b, ".", ". x", 1] } } }',
      ['1:46 BAD_VALUE', '1:51 BAD_VALUE', '1:57 BAD_VALUE', '1:62 BAD_VALUE', '1:69 WRONG_TYPE'],
    ],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: 0 } } }', ['1:51 BAD_VALUE']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: 1.5 } } }', ['1:51 BAD_VALUE']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: -1 } } }', ['1:51 BAD_VALUE']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: 1e999 } } }', ['1:51 BAD_NUMBER']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: .inf } } }', ['1:51 BAD_NUMBER']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: .nan } } }', ['1:51 BAD_NUMBER']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: 9007199254740993 } } }', ['1:51 BAD_NUMBER']],
    ['sandbox: { paths: { a: { root: ., max_file_bytes: "1" } } }', ['1:51 WRONG_TYPE']],
    ['sandbox: { paths: { a: { root: ., read_approval: yes } } }', ['1:50 WRONG_TYPE']],
    ['sandbox: { paths: { a: { root: ., write_approval: 1 } } }', ['1:51 WRONG_TYPE']],
    ['sandbox: { paths: { a: { root: ., untrusted: "false" } } }', ['1:46 WRONG_TYPE']],
    ['sandbox: { paths: { A: { root: . } } }', ['1:21 BAD_VALUE']],
    ['sandbox: { paths: { a/b: { root: . } } }', ['1:21 BAD_VALUE']],
    ['sandbox: { paths: { "..": { root: . } } }', ['1:21 BAD_VALUE']],
    ['sandbox: { paths: { a: { root: . }, a: { root: . } } }', ['1:37 DUPLICATE_KEY']],
    ['attachments: [.pdf]', ['1:14 WRONG_TYPE']],
    ['attachments: {}', []],
    ['attachments: { max_count: -1 }', ['1:27 BAD_VALUE']],
    ['attachments: { max_count: 0, max_total_bytes: 0 }', ['1:47 BAD_VALUE']],
    ['attachments: { allow: [pdf] }', ['1:24 BAD_VALUE']],
    ['attachments: { allow: [], deny: [] }', []],
    ['attachments: { deny: pdf, max: 1 }', ['1:22 WRONG_TYPE', '1:27 UNKNOWN_KEY']],
    ['max_depth: 0', ['1:12 BAD_VALUE']],
    ['max_depth: 2.5', ['1:12 BAD_VALUE']],
    ['max_depth: two', ['1:12 WRONG_TYPE']],
    ['locked: "true"', ['1:9 WRONG_TYPE']],
    ['locked: ~', ['1:9 WRONG_TYPE']],
    ['locked:', ['1:1 EMPTY_SECTION']],
    ['created: 1', ['1:1 UNKNOWN_KEY']],
  ])('in %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('is found for all mistakes of a file, in order', () => {
    const text = `nmae: main
model: claude
sandbox: { paths: { In: { mode: wr } } }
attachments: { max_count: many }
toolsets:
  filesystm: {}
  delegation: { allow_workers: [raeder] }
max_depth: 0
`;
    expect(mistakes(text)).toEqual([
      '1:1 UNKNOWN_KEY',
      '2:8 BAD_MODEL',
      '3:21 BAD_VALUE',
      '3:21 MISSING_KEY',
      '3:33 UNKNOWN_VALUE',
      '4:27 WRONG_TYPE',
      '6:3 UNKNOWN_TOOLSET',
      '7:33 UNKNOWN_WORKER',
      '8:12 BAD_VALUE',
      '8:13 NO_INSTRUCTIONS',
    ]);
  });

  it('counts lines of the whole file, after a line `---` and with carriage returns', () => {
    expect(mistakes('---\r\nname: main\r\nmax_depth: 0\r\n---\r\nDo it.')).toEqual(['3:12 BAD_VALUE']);
    expect(mistakes('\ufeff---\nmax_depth: 0\n---\nDo it.')).toEqual(['2:12 BAD_VALUE']);
    expect(mistakes('\ufeffmax_depth: 0\n---\nDo it.')).toEqual(['1:12 BAD_VALUE']);
  });

  it.each<[string, readonly string[]]>([
    ['Main', ['1:1 BAD_WORKER_NAME']],
    ['', ['1:1 BAD_WORKER_NAME']],
    ['a.b', ['1:1 BAD_WORKER_NAME']],
    ['created:a', ['1:1 BAD_WORKER_NAME']],
    ['a\u202eb', ['1:1 BAD_WORKER_NAME']],
    ['filesystem', ['1:1 BAD_WORKER_NAME']],
    ['shell', ['1:1 BAD_WORKER_NAME']],
    ['http', ['1:1 BAD_WORKER_NAME']],
    ['delegation', ['1:1 BAD_WORKER_NAME']],
    ['worker', ['1:1 BAD_WORKER_NAME']],
    ['provider', ['1:1 BAD_WORKER_NAME']],
    ['toolset', ['1:1 BAD_WORKER_NAME']],
    ['mcp-files', ['1:1 BAD_WORKER_NAME']],
    ['constructor', []],
    ['mcp', []],
  ])('is the start of a file called %j', (name, expected) => {
    expect(mistakes('\n---\nDo it.', { name })).toEqual(expected);
  });

  it.each<[string, string]>([
    [
      'nmae: main',
      'UNKNOWN_KEY `nmae` is not a key here; did you mean `name`? name, description, model, compatible_models, input, output, sandbox, attachments, toolsets, max_depth or locked',
    ],
    [
      'maxDepth: 1',
      'UNKNOWN_KEY `maxDepth` is not a key here; did you mean `max_depth`? name, description, model, compatible_models, input, output, sandbox, attachments, toolsets, max_depth or locked',
    ],
    [
      'name: other',
      'BAD_WORKER_NAME the worker of this file is called `main`, not `other`; callers and policies know a worker by the name of its file',
    ],
    ['model: claude-x', 'BAD_MODEL `claude-x` is not a model; did you mean `anthropic:claude-x`?'],
    [
      'model: gpt',
      'BAD_MODEL `gpt` is not a model; anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE',
    ],
    ['max_depth: 0', 'BAD_VALUE 0 is not a limit; a whole number, 1 or more'],
    ['attachments: { max_count: -1 }', 'BAD_VALUE -1 is not a limit; a whole number, 0 or more'],
    [
      'attachments: { allow: [pdf] }',
      "BAD_VALUE `pdf` is not the end of a file's name; a dot, and what follows it: `.pdf`",
    ],
    [
      'sandbox: { paths: { a: { root: ., mode: write } } }',
      'UNKNOWN_VALUE `write` is not a value of `mode`; ro or rw',
    ],
    [
      'sandbox: { paths: { a: { mode: ro } } }',
      'MISSING_KEY `root` is missing; `root: ./folder`, relative to the folder where the run starts',
    ],
    [
      'input: { type: text }',
      'BAD_SCHEMA `input` is not a usable JSON Schema: `type` must be string, number, integer, boolean, null, array, object, or a list of these; `{ type: object, properties: { … }, required: [ … ] }`',
    ],
  ])('has a message and a suggestion: %s', (text, expected) => {
    expect(words(header(text))).toEqual([expected]);
  });
});
