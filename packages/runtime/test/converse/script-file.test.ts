import { escapeText, formatDiagnostics } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { readScript, type Script, scriptedTurn } from '../../src/converse/script.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function script(text: string): Script {
  const read = readScript('script.yaml', bytesOf(text));
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return read.script;
}

function mistakes(content: string | Uint8Array): readonly string[] {
  const read = readScript('script.yaml', typeof content === 'string' ? bytesOf(content) : content);
  return read.ok ? [] : read.diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

describe('readScript', () => {
  it('reads the turns of each worker', () => {
    const text = `
main:
  - call: [{ tool: list_files, args: { path: input } }, { tool: reader }]
  - say: looking
    call: [{ tool: reader, args: { input: read it, attachments: [input/a.pdf] } }]
  - { say: done, for: Report }
reader: []
created:scribe: [{ say: "" }]
`;
    expect(Object.fromEntries(script(text))).toEqual({
      main: [
        {
          say: '',
          call: [
            { tool: 'list_files', args: { path: 'input' } },
            { tool: 'reader', args: {} },
          ],
          for: null,
        },
        {
          say: 'looking',
          call: [{ tool: 'reader', args: { input: 'read it', attachments: ['input/a.pdf'] } }],
          for: null,
        },
        { say: 'done', call: [], for: 'Report' },
      ],
      reader: [],
      'created:scribe': [{ say: '', call: [], for: null }],
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['~', null],
    ['', null],
    ['text', 'text'],
    ['"\\0\\u202e"', '\u0000\u202e'],
    ['5', 5],
    ['-1.5e3', -1500],
    ['false', false],
    ['[1, [2], { a: null }]', [1, [2], { a: null }]],
    ['{}', {}],
    ['{ path: 5, constructor: x, toString: {} }', { path: 5, constructor: 'x', toString: {} }],
    ['{ "": 1 }', { '': 1 }],
  ])('accepts args of any kind: %s', (args, value) => {
    expect(script(`main: [{ call: [{ tool: t, args: ${args} }] }]`).get('main')).toEqual([
      { say: '', call: [{ tool: 't', args: value }], for: null },
    ]);
  });

  it('accepts aliases for turns, calls and args', () => {
    const text = `
main:
  - &first { call: [&call { tool: t, args: &args { a: 1 } }] }
  - call: [*call, { tool: u, args: *args }]
reader: [*first]
`;
    const call = { tool: 't', args: { a: 1 } };
    expect(Object.fromEntries(script(text))).toEqual({
      main: [
        { say: '', call: [call], for: null },
        { say: '', call: [call, { tool: 'u', args: { a: 1 } }], for: null },
      ],
      reader: [{ say: '', call: [call], for: null }],
    });
  });

  it('accepts a byte order mark, carriage returns and a line `---`', () => {
    expect([...script('\ufeff---\r\nmain:\r\n  - say: hello\r\n').keys()]).toEqual(['main']);
  });

  it.each<[string, readonly string[]]>([
    ['', ['1:1 EMPTY_FILE']],
    ['# nothing', ['1:1 EMPTY_FILE']],
    ['{}', ['1:1 EMPTY_SECTION']],
    ['[]', ['1:1 WRONG_TYPE']],
    ['main', ['1:1 WRONG_TYPE']],
    ['main:', ['1:1 EMPTY_SECTION']],
    ['main: done', ['1:7 WRONG_TYPE']],
    ['main: { say: done }', ['1:7 WRONG_TYPE']],
    ['main: [done]', ['1:8 WRONG_TYPE']],
    ['main: [~]', ['1:8 WRONG_TYPE']],
    ['main: [{}]', ['1:8 EMPTY_SECTION']],
    ['main: [{ for: x }]', ['1:8 MISSING_KEY']],
    ['main: [{ sya: done }]', ['1:8 MISSING_KEY', '1:10 UNKNOWN_KEY']],
    ['main: [{ say: 7 }]', ['1:15 WRONG_TYPE']],
    ['main: [{ say: }]', ['1:10 EMPTY_SECTION']],
    ['main: [{ say: a, for: "" }]', ['1:23 BAD_TEXT']],
    ['main: [{ say: a, for: [x] }]', ['1:23 WRONG_TYPE']],
    ['main: [{ call: t }]', ['1:16 WRONG_TYPE']],
    ['main: [{ call: { tool: t } }]', ['1:16 WRONG_TYPE']],
    ['main: [{ call: [] }]', ['1:16 EMPTY_SECTION']],
    ['main: [{ call: [t] }]', ['1:17 WRONG_TYPE']],
    ['main: [{ call: [{ args: {} }] }]', ['1:17 MISSING_KEY']],
    ['main: [{ call: [{ tool: 5 }] }]', ['1:25 WRONG_TYPE']],
    ['main: [{ call: [{ tool: "" }] }]', ['1:25 BAD_TEXT']],
    ['main: [{ call: [{ tool: t, arg: {} }] }]', ['1:28 UNKNOWN_KEY']],
    ['main: [{ call: [{ tool: t, args: .inf }] }]', ['1:34 BAD_NUMBER']],
    ['main: [{ call: [{ tool: t, args: { a: 1, a: 2 } }] }]', ['1:42 DUPLICATE_KEY']],
    ['main: [{ call: [{ tool: t, args: { __proto__: 1 } }] }]', ['1:36 RESERVED_KEY']],
    ['main: [{ call: [{ tool: t, args: { <<: {} } }] }]', ['1:36 MERGE_KEY']],
    ['main: [{ say: !x a }]', ['1:15 TAG']],
    ['Main: [{ say: a }]', ['1:1 BAD_WORKER_NAME']],
    ['a.b: [{ say: a }]', ['1:1 BAD_WORKER_NAME']],
    ['main: [{ say: a }]\nmain: [{ say: b }]', ['2:1 DUPLICATE_KEY']],
    ['main: [{ say: a }]\n---\nmain: [{ say: b }]', ['2:1 SEVERAL_DOCUMENTS']],
    [
      'Main:\n  - sya: a\n  - call: [{ tol: x }]\nother: [{ say: 1 }]\n',
      [
        '1:1 BAD_WORKER_NAME',
        '2:5 UNKNOWN_KEY',
        '2:5 MISSING_KEY',
        '3:12 MISSING_KEY',
        '3:14 UNKNOWN_KEY',
        '4:16 WRONG_TYPE',
      ],
    ],
  ])('finds the place of every mistake in %j', (text, expected) => {
    expect(mistakes(text)).toEqual(expected);
  });

  it('reports the missing parts of an empty file', () => {
    const read = readScript('script.yaml', bytesOf('# nothing\n'));
    expect(read.ok ? [] : read.diagnostics.map(({ message, help }) => `${message}; ${help}`)).toEqual([
      'the file is empty; the messages of each worker: `NAME: [{ say: hello }]`',
    ]);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(mistakes(Uint8Array.of(0x61, 0xff))).toEqual(['1:2 NOT_UTF8']);
  });

  it('returns a script, or diagnostics with places, for any mutation', () => {
    const seed = bytesOf(
      'main:\n  - call: [{ tool: t, args: &a { x: [1, null] } }, { tool: u, args: *a }]\n  - { say: "done", for: x }\n',
    );
    const edit = fc.record({ at: fc.nat(200), cut: fc.nat(4), put: fc.uint8Array({ maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const bytes = edits.reduce(
          (current, { at, cut, put }) =>
            Uint8Array.from([...current.slice(0, at), ...put, ...current.slice(at + cut)]),
          seed,
        );
        const read = readScript('script.yaml', bytes);
        if (read.ok) return;
        const lines = new TextDecoder().decode(bytes).split('\n');
        const isInside = read.diagnostics.every(
          ({ line, column }) => line >= 1 && column >= 1 && column <= (lines[line - 1]?.length ?? -1) + 1,
        );
        const report = formatDiagnostics(read.diagnostics).replaceAll('\n', '');
        expect([isInside, read.diagnostics.length > 0, report]).toEqual([true, true, escapeText(report)]);
      }),
      explore(2000),
    );
  });
});

describe('scriptedTurn', () => {
  const turns =
    script('main: [{ say: a }, { say: b, for: red }, { say: c, for: blue }, { say: d }]').get('main') ?? [];
  const said = (opening: string, answered: number) => scriptedTurn(turns, { opening, answered }).say;

  it('returns one turn after another, and no turns of other conversations', () => {
    expect([0, 1, 2, 3].map((answered) => said('the red deck', answered))).toEqual(['a', 'b', 'd', '']);
    expect([0, 1, 2, 3].map((answered) => said('the blue deck', answered))).toEqual(['a', 'c', 'd', '']);
    expect([0, 1, 2].map((answered) => said('red and blue', answered))).toEqual(['a', 'b', 'c']);
    expect([0, 1, 2].map((answered) => said('', answered))).toEqual(['a', 'd', '']);
  });

  it('returns no text and no calls when the script is exhausted', () => {
    expect(scriptedTurn(turns, { opening: '', answered: 99 })).toEqual({ say: '', call: [], for: null });
    expect(scriptedTurn([], { opening: '', answered: 0 })).toEqual({ say: '', call: [], for: null });
  });
});
