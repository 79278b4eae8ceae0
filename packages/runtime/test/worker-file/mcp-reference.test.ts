import { describe, expect, it } from 'vitest';
import { defined, mistakes, words } from '../worker-text.js';

const around = { folder: '/nowhere', workers: [], shared: [] };
const header = (text: string) => `toolsets:\n  mcp-x: ${text}\n---\nDo it.\n`;

describe('a reference to an MCP server', () => {
  it.each<[string, readonly string[]]>([
    ['{ command: node }', []],
    ['{ command: node, args: [server.js, "--port=1"], env: { A: b }, cwd: ./tools }', []],
    ['{ url: "https://tools.example/mcp", headers: { Authorization: Bearer abc } }', []],
    ['{ command: node, trusted: true, prefix: x_, timeout: 5, start_timeout: 60 }', []],
    ['{ command: node, approvals: { hello: blocked } }', []],
    ['{}', ['2:3 MISSING_KEY']],
    ['{ args: [a] }', ['2:3 MISSING_KEY']],
    ['{ command: node, url: "https://a.example" }', ['2:27 MISPLACED_KEY']],
    ['{ url: "https://a.example", env: { A: b } }', ['2:38 MISPLACED_KEY']],
    ['{ command: node, headers: { A: b } }', ['2:27 MISPLACED_KEY']],
    ['{ comand: node }', ['2:3 MISSING_KEY', '2:12 UNKNOWN_KEY']],
    ['{ command: "" }', ['2:21 BAD_TEXT']],
    ['{ command: "a\\0b" }', ['2:21 BAD_VALUE']],
    ['{ command: node, args: server.js }', ['2:33 WRONG_TYPE']],
    ['{ command: node, args: [1] }', ['2:34 WRONG_TYPE']],
    ['{ command: node, env: { "A=B": c } }', ['2:34 BAD_VALUE']],
    ['{ command: node, env: { A: 1 } }', ['2:37 WRONG_TYPE']],
    ['{ command: node, env: { ANTHROPIC_API_KEY: x } }', ['2:34 BAD_VALUE']],
    ['{ command: node, env: { AMBIT_HOME: /tmp } }', ['2:34 BAD_VALUE']],
    ['{ command: node, env: { ambit_home: /tmp } }', ['2:34 BAD_VALUE']],
    ['{ command: node, trusted: "yes" }', ['2:36 WRONG_TYPE']],
    ['{ command: node, prefix: "a b" }', ['2:35 BAD_VALUE']],
    ['{ command: node, timeout: 0 }', ['2:36 BAD_VALUE']],
    ['{ command: node, timeout: 1000000 }', ['2:36 BAD_VALUE']],
    ['{ url: "file:///etc/passwd" }', ['2:17 BAD_VALUE']],
    ['{ url: "https://ada:key@a.example" }', ['2:17 BAD_VALUE']],
    ['{ url: nonsense }', ['2:17 BAD_VALUE']],
    ['{ command: node, carries: { a: crm.export } }', []],
    ['{ command: node, carries: { a: [{ name: fs.read, path: { arg: files.path } }] } }', []],
    ['{ command: node, carries: { a: [Crm] } }', ['2:42 BAD_CAPABILITY_NAME']],
    ['{ command: node, carries: { a: { path: { arg: x } } } }', ['2:38 MISSING_KEY']],
    ['{ command: node, carries: { a: { name: fs.read, Path: x } } }', ['2:58 BAD_FACT']],
    ['{ command: node, carries: { a: { name: fs.read, path: { from: x } } } }', ['2:66 UNKNOWN_KEY']],
    ['{ command: node, carries: { a: { name: fs.read, path: { arg: x, each: y } } } }', ['2:74 UNKNOWN_KEY']],
    ['{ command: node, carries: { a: { name: fs.read, path: { arg: "x..y" } } } }', ['2:71 BAD_VALUE']],
    ['{ command: node, carries: { a: { name: fs.read, path: [a] } } }', ['2:64 WRONG_TYPE']],
  ])('%s', (text, expected) => {
    expect(mistakes(header(text), around)).toEqual(expected);
  });

  it('contains the server, with its folder as written', () => {
    const text =
      '{ command: node, args: [a.js], cwd: ./s, env: { A: b }, timeout: 2, carries: { constructor: [{ name: fs.read, path: { arg: a.b }, n: 1 }] } }';
    expect(defined(header(text), around).toolsets[0]?.server).toEqual({
      key: 'x',
      program: {
        transport: 'stdio',
        command: 'node',
        args: ['a.js'],
        folder: './s',
        environment: { A: 'b' },
      },
      trusted: false,
      prefix: '',
      carries: Object.fromEntries([
        ['constructor', [{ name: 'fs.read', facts: { path: { arg: ['a', 'b'] }, n: { is: 1 } } }]],
      ]),
      limits: { call: 2000, start: 60_000 },
    });
  });

  it('suggests a correction', () => {
    expect(words(header('{ command: node, env: { AMBIT_HOME: /tmp } }'), around)).toEqual([
      'BAD_VALUE `AMBIT_HOME` is not the name of a variable that a server may have; letters, digits and `_`; variables named `AMBIT_…` or `ANTHROPIC_…` are not passed on',
    ]);
    expect(words(header('{ url: "https://a.example/mcp", headers: { "X Key": a } }'), around)).toEqual([
      'BAD_VALUE `X Key` is not the name of a header; letters, digits and signs such as `-`, without blanks',
    ]);
  });
});
