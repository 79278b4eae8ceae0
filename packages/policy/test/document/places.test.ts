import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

/** One line after the first two, `version: 1` and `default: blocked`. */
function third(line: string): readonly string[] {
  return mistakes(`version: 1\ndefault: blocked\n${line}\n`);
}
/** One line under `capabilities:`, the fourth line of the file. */
function rule(line: string): readonly string[] {
  return third(`capabilities:\n  ${line}`);
}
/** One pattern for a fact, on the fourth line. */
function pattern(text: string): readonly string[] {
  return rule(`crm.x: { decision: blocked, match: { ${text} } }`).map((mistake) =>
    mistake.replace(/^\d+:\d+ /, ''),
  );
}

describe('the place of a mistake', () => {
  it.each<[string, readonly string[]]>([
    ['', ['1:1 EMPTY_FILE']],
    ['\ufeff', ['1:1 EMPTY_FILE']],
    ['# nothing\n', ['1:1 EMPTY_FILE']],
    ['---\n', ['1:1 EMPTY_FILE']],
    ['null\n', ['1:1 WRONG_TYPE']],
    ['  ~\n', ['1:3 WRONG_TYPE']],
    ['[]', ['1:1 WRONG_TYPE']],
    ['text', ['1:1 WRONG_TYPE']],
    ['{}', ['1:1 MISSING_KEY', '1:1 MISSING_KEY']],
    ['# a\n{}', ['1:1 MISSING_KEY', '1:1 MISSING_KEY']],
    ['# a\nversion: 1\n', ['2:1 MISSING_KEY']],
    ['\n\n  default: blocked\n', ['3:3 MISSING_KEY']],
    ['\ufeffdefault: blocked\n', ['1:1 MISSING_KEY']],
    ['version: "1"\ndefault: blocked\n', ['1:10 WRONG_TYPE']],
    ['version: 1.5\ndefault: blocked\n', ['1:10 UNKNOWN_VERSION']],
    ['version: 0x1\ndefault: blocked\n', []],
    ['version: 1\ndefault: {answer: person}\n', ['2:1 MISSING_KEY']],
    ['version: 1\ndefault:\n  decision: needs_approval\n  answer: nobody\n', ['4:11 UNKNOWN_VALUE']],
    ['version: 1\ndefault:\n', ['2:1 EMPTY_SECTION']],
    ['version: 1\ndefault: {}\n', ['2:10 EMPTY_SECTION']],
    ['version: 1\ndefault: ~\n', ['2:10 WRONG_TYPE']],
    ['version: 1\ndefault: Blocked\n', ['2:10 UNKNOWN_DECISION']],
    ['version: 1\ndefault: blocked\nversion: 1\n', ['3:1 DUPLICATE_KEY']],
    ['version: 1\ndefault: blocked\n"version": 1\n', ['3:1 DUPLICATE_KEY']],
    ['version: 1\ndefault: blocked\n---\n', ['3:1 SEVERAL_DOCUMENTS']],
    ['version: 1\ndefault: blocked\n...\n', []],
    ['%YAML 1.2\n---\nversion: 1\ndefault: blocked\n', []],
    ['%YAML 1.1\n---\nversion: 1\ndefault: blocked\n', ['1:1 DIRECTIVE']],
    ['{version: 1, default: blocked, defualt: blocked}', ['1:32 UNKNOWN_KEY']],
  ])('in %j', (text, expected) => {
    expect(mistakes(text)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['capabilities:', ['3:1 EMPTY_SECTION']],
    ['capabilities: {}', ['3:15 EMPTY_SECTION']],
    ['capabilities: []', ['3:15 WRONG_TYPE']],
    ['capabilities: ~', ['3:15 WRONG_TYPE']],
    ['tools: {}', ['3:8 EMPTY_SECTION']],
    ['workers: { a: {} }', ['3:15 EMPTY_SECTION']],
    ['workers: { a: { grants: {} } }', ['3:17 UNKNOWN_KEY']],
    ['workers: { A: { tools: { s.t: blocked } } }', ['3:12 BAD_WORKER_NAME']],
    ['workers: { "created:Foo": { tools: { s.t: blocked } } }', ['3:12 BAD_WORKER_NAME']],
    ['workers: { "created:foo": { tools: { s.t: blocked } }, created: { tools: { s.t: blocked } } }', []],
    ['grants: {}', ['3:9 EMPTY_SECTION']],
    ['grants: { workers: yes }', ['3:20 WRONG_TYPE']],
    ['grants: { workers: [shell] }', ['3:21 BAD_TOOL_NAME']],
    ['grants: { workers: [shell.*] }', ['3:21 BAD_TOOL_NAME']],
    ['grants: { workers: [] }', ['3:20 EMPTY_SECTION']],
    ['grants: { reach: farther }', ['3:18 UNKNOWN_VALUE']],
    ['grants: { remember: [run] }', ['3:21 WRONG_TYPE']],
    ['grants: { unattended: "no" }', ['3:23 WRONG_TYPE']],
    ['extends: org.yaml', ['3:10 WRONG_TYPE']],
    ['extends: []', ['3:10 EMPTY_SECTION']],
    ['extends: [1]', ['3:11 WRONG_TYPE']],
    ['extends: [""]', ['3:11 BAD_TEXT']],
    ['together: []', ['3:11 EMPTY_SECTION']],
    ['invariants: []', ['3:13 EMPTY_SECTION']],
    ['tools: { shell: blocked }', ['3:10 BAD_TOOL_NAME']],
    ['tools: { shell.*: blocked }', []],
    ['tools: { "*": blocked }', ['3:10 BAD_TOOL_NAME']],
    ['tools: { s.t: { decision: blocked, match: { path: /a } } }', ['3:36 MISPLACED_KEY']],
    ['tools: { s.t: { decision: blocked, except: { path: /a } } }', ['3:36 MISPLACED_KEY']],
    ['tools: { s.t: { decision: pre_approved, below: true } }', ['3:41 MISPLACED_KEY']],
    ['tools: { s.t: { decision: blocked, when: { var: capability.x } } }', ['3:49 CAPABILITY_OUT_OF_SIGHT']],
    [
      'tools: { s.t: { decision: blocked, when: { and: [{ missing: [args.a, capability.x] }] } } }',
      ['3:70 CAPABILITY_OUT_OF_SIGHT'],
    ],
    ['carries: { s.t: crm.x }', ['3:17 WRONG_TYPE']],
    ['carries: { s.t: [] }', ['3:17 EMPTY_SECTION']],
    ['carries: { s.t: [Crm] }', ['3:18 BAD_CAPABILITY_NAME']],
    ['carries: { s.t: [{ path: /a }] }', ['3:18 MISSING_KEY']],
    ['carries: { s.t: [{ name: fs.read, path: a/ }] }', ['3:41 BAD_FACT']],
    ['carries: { s.t: [{ name: fs.read, path: /a }, crm.x] }', []],
    ['__proto__: 1', ['3:1 RESERVED_KEY']],
    ['constructor: 1', ['3:1 UNKNOWN_KEY']],
    ['1: 1', ['3:1 KEY_NOT_TEXT']],
    ['? [a]\n: 1', ['3:3 KEY_NOT_TEXT']],
    ['&a capabilities: { net: blocked }', []],
    ['x: &a { net: blocked }\ncapabilities: *a', ['3:1 UNKNOWN_KEY']],
    ['capabilities: *a', ['3:15 BAD_ALIAS']],
    ['capabilities: { net: &a blocked, fs: *a }', []],
    ['capabilities: { net: &a deny, fs: *a }', ['3:25 UNKNOWN_DECISION', '3:35 UNKNOWN_DECISION']],
    ['capabilities: { net: &a { decision: blocked, id: x }, fs: *a }', ['3:55 DUPLICATE_ID']],
    ['capabilities: { net: ! blocked }', ['3:22 TAG']],
    ['capabilities: !!map { net: blocked }', ['3:15 TAG']],
    ['capabilities: { net: !<tag:x> blocked }', ['3:22 TAG']],
    ['capabilities: { net: "\\uD800" }', ['3:22 BAD_TEXT']],
    ['capabilities: { net: .inf }', ['3:22 BAD_NUMBER']],
    ['capabilities:\n\t net: blocked', ['4:1 SYNTAX']],
  ])('in a third line %s', (line, expected) => {
    expect(third(line)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['net: deny', ['4:8 UNKNOWN_DECISION']],
    ['net: 1', ['4:8 WRONG_TYPE']],
    ['net: {}', ['4:8 EMPTY_SECTION']],
    ['net: []', ['4:8 EMPTY_SECTION']],
    ['net: [[]]', ['4:9 WRONG_TYPE']],
    ['net:', ['4:3 EMPTY_SECTION']],
    ['net: { match: { host: a } }', ['4:3 MISSING_KEY']],
    ['net: [{ decision: blocked }, { match: { host: a } }]', ['4:32 MISSING_KEY']],
    ['net: { decision: [blocked] }', ['4:20 WRONG_TYPE']],
    ['net: { decision: blocked, mtach: { host: a } }', ['4:29 UNKNOWN_KEY']],
    ['net: { decision: blocked, match: {} }', ['4:36 EMPTY_SECTION']],
    ['net: { decision: blocked, match: [a] }', ['4:36 WRONG_TYPE']],
    ['net: { decision: blocked, match: { host: } }', ['4:38 EMPTY_SECTION']],
    ['net: { decision: blocked, match: { host: [] } }', ['4:44 EMPTY_SECTION']],
    ['net: { decision: blocked, match: { host: [[a]] } }', ['4:45 WRONG_TYPE']],
    ['net: { decision: blocked, match: { host: {} } }', ['4:44 IMPOSSIBLE_PATTERN']],
    ['net: { decision: blocked, match: { name: a } }', ['4:38 BAD_FACT']],
    ['net.connect: { decision: blocked, match: { hsot: a } }', ['4:46 UNKNOWN_FACT']],
    ['net: { decision: blocked, below: true }', ['4:29 MISPLACED_KEY']],
    ['net: { decision: blocked, below: false }', ['4:29 MISPLACED_KEY']],
    ['net: { decision: needs_approval, until: 2026-01-01T00:00:00Z }', ['4:36 MISPLACED_KEY']],
    ['net: { decision: pre_approved, until: 2026-01-01 }', ['4:41 BAD_TIME']],
    ['net: { decision: pre_approved, until: 2026-02-29T00:00:00Z }', ['4:41 BAD_TIME']],
    ['net: { decision: pre_approved, until: 2026-01-01T00:00:00 }', ['4:41 BAD_TIME']],
    ['net: { decision: pre_approved, until: 20260101 }', ['4:41 WRONG_TYPE']],
    ['net: { decision: pre_approved, until: 2024-02-29T23:59:59.5+02:00, below: true }', []],
    ['net: { decision: blocked, observe: false }', []],
    ['net: { decision: blocked, observe: "true" }', ['4:38 WRONG_TYPE']],
    ['net: { decision: blocked, observe: }', ['4:29 EMPTY_SECTION']],
    ['net: { decision: blocked, observe: true, observed_since: 2026-01-01T00:00:00Z }', []],
    ['net: { decision: blocked, observe: true, observed_since: 2026-01-01 }', ['4:60 BAD_TIME']],
    ['net: { decision: blocked, observed_since: 2026-01-01T00:00:00Z }', ['4:29 MISPLACED_KEY']],
    [
      'net: { decision: blocked, observe: false, observed_since: 2026-01-01T00:00:00Z }',
      ['4:45 MISPLACED_KEY'],
    ],
    ['net: { decision: blocked, id: "" }', ['4:33 BAD_TEXT']],
    ['net: { decision: blocked, id: 5 }', ['4:33 WRONG_TYPE']],
    ['net: { decision: blocked, id: a b }', ['4:33 BAD_ID']],
    ['net: [{ decision: blocked, id: a }, { decision: blocked, id: a }]', ['4:64 DUPLICATE_ID']],
    ['net: [{ decision: blocked, id: "capabilities.net[1]" }, blocked]', ['4:59 DUPLICATE_ID']],
    ['net: { decision: blocked, inherit: 1 }', ['4:38 WRONG_TYPE']],
    ['net: { decision: blocked, reason: 1 }', ['4:37 WRONG_TYPE']],
    ['net: { decision: blocked, answer: human }', ['4:37 UNKNOWN_VALUE']],
    ['net: { decision: blocked, examples: {} }', ['4:39 EMPTY_SECTION']],
    ['net: { decision: blocked, examples: { match: [] } }', ['4:48 EMPTY_SECTION']],
    [
      'net: { decision: blocked, examples: { match: [{ host: a }], not_match: [{ host: b }] } }',
      ['4:75 EXAMPLE_FAILS'],
    ],
    ['net: { decision: blocked, examples: { matches: [{ host: a }] } }', ['4:41 UNKNOWN_KEY']],
    ['net: { decision: blocked, when: }', ['4:29 EMPTY_SECTION']],
    ['net: { decision: blocked, when: { "=": [1, 1] } }', ['4:37 UNKNOWN_OPERATOR']],
    [
      'net: { decision: blocked, when: { and: [{ var: capability.a }, { vra: a }] } }',
      ['4:68 UNKNOWN_OPERATOR'],
    ],
    ['net: { decision: blocked, when: { a: 1, b: 2 } }', ['4:43 BAD_CONDITION']],
    ['Net: blocked', ['4:3 BAD_CAPABILITY_NAME']],
    ['net.*: blocked', ['4:3 BAD_CAPABILITY_NAME']],
    ['net.: blocked', ['4:3 BAD_CAPABILITY_NAME']],
    ['net-x: blocked', ['4:3 BAD_CAPABILITY_NAME']],
    ['constructor: blocked', []],
    ['"__proto__": blocked', ['4:3 RESERVED_KEY']],
    ['"": blocked', ['4:3 BAD_CAPABILITY_NAME']],
    ['crm.x: { decision: blocked, match: { anything: 1, else: a } }', []],
    ['fs.writeback: blocked', []],
    ['fs: { decision: blocked, match: { path: /a, bytes: { from: 1 } } }', []],
  ])('in a rule %s', (line, expected) => {
    expect(rule(line)).toEqual(expected);
  });

  it('is reported for all mistakes of a file, in order', () => {
    const text =
      'version: 2\ncapabilities:\n  net: deny\n  fs.write:\n    - match: { path: out }\n  Fs: blocked\nnonsense: 1\n';
    expect(mistakes(text)).toEqual([
      '1:1 MISSING_KEY',
      '1:10 UNKNOWN_VERSION',
      '3:8 UNKNOWN_DECISION',
      '5:7 MISSING_KEY',
      '5:22 IMPOSSIBLE_PATTERN',
      '6:3 BAD_CAPABILITY_NAME',
      '7:1 UNKNOWN_KEY',
    ]);
  });
});

describe('a pattern', () => {
  it.each([
    'path: /',
    'path: /a',
    'path: "**"',
    'path: "/**"',
    'path: ~/**',
    'path: ./a/*.txt',
    'path: "**/.*/x"',
    'path: /..a/b..',
    'path: [/a, ~/b]',
    'cwd: ./**',
    'host: a.example',
    'host: "**"',
    'host: "*"',
    'host: "*.example"',
    'host: 10.0.0.*',
    'host: localhost',
    'host: "::1"',
    'host: "fe80:*"',
    'host: "2001:db8::*"',
    'host: _dmarc.example',
    'host: xn--mnchen-3ya.de',
    'port: 443',
    'port: { from: 1024 }',
    'port: { from: 0, to: 65535 }',
    'program: git',
    'program: /usr/bin/*',
    'program: "*/git"',
    'program: g*',
    'url: "https://*"',
    'amount: -1.5',
  ])('accepts %s', (text) => {
    expect(pattern(text)).toEqual([]);
  });

  it.each([
    'path: a',
    'path: a/**',
    'path: ""',
    'path: .',
    'path: "~"',
    'path: ..',
    'path: ./',
    'path: ~/',
    'path: /a/',
    'path: //a',
    'path: /a//b',
    'path: /a/./b',
    'path: /a/../b',
    'path: ../a',
    'path: ./../a',
    'path: "**/"',
    'path: "**a/b"',
    'path: /a**',
    'path: "/***"',
    'path: ~ada/x',
    'path: $HOME/x',
    'path: 5',
    'path: true',
    'path: { from: 1 }',
    'path: "C:/x"',
    'cwd: out',
    'path: [/a, b]',
    'path: "*/x"',
    'path: "/a\\0"',
    'host: A.example',
    'host: https://a.example',
    'host: a.example:443',
    'host: "*:443"',
    'host: "[::1]"',
    'host: "[::1]:80"',
    'host: a.example.',
    'host: .a.example',
    'host: a..b',
    'host: ""',
    'host: a.example/x',
    'host: münchen.de',
    'host: "::ffff:1.2.3.4"',
    'host: "0:0:0:0:0:0:0:1"',
    'host: "127.1"',
    'host: 010.0.0.1',
    'host: 10.0.0.256',
    'host: "**a.example"',
    'host: -a.example',
    'host: 10.0.0.0/8',
    'host: a b',
    'host: 5',
    'port: "443"',
    'port: 65536',
    'port: -1',
    'port: 1.5',
    'port: { from: 70000 }',
    'port: { from: 2, to: 1 }',
    'port: { from: 1.2, to: 1.8 }',
    'port: true',
    'program: ./x',
    'program: bin/x',
    'program: ~/x',
    'program: ""',
    'program: /a/../b',
    'program: /a/',
    'program: 5',
    'url: "a**"',
    'url: "**"',
    'amount: { from: 3, to: 2 }',
  ])('reports that %s can match nothing', (text) => {
    expect(pattern(text)).toEqual(['IMPOSSIBLE_PATTERN']);
  });

  it.each<[string, string]>([
    ['path: out/**', 'write `./out/**`'],
    ['path: /a/', 'write `/a`'],
    ['path: /a/../b', 'write `/b`'],
    ['path: //a//b', 'write `/a/b`'],
    ['path: $HOME/.ssh', 'write `~/.ssh`'],
    ['path: ./', 'write `./**`'],
    ['path: "~"', 'write `~/**`'],
    ['host: A.Example', 'write `a.example`'],
    ['host: "https://a.example:8080/x"', 'write `a.example`'],
    ['host: "[::1]:80"', 'write `::1`'],
    ['host: "*.Example.com."', 'write `*.example.com`'],
    ['host: "::ffff:1.2.3.4"', 'write `1.2.3.4`'],
    ['host: "127.1"', 'write `127.0.0.1`'],
    ['host: münchen.de', 'write `xn--mnchen-3ya.de`'],
    ['host: .example.com', 'write `**.example.com`'],
    ['port: "443"', 'write 443 without quotes'],
    ['program: ./x', 'write `/w/x`'],
    ['program: bin/x', 'write `x`, or the absolute path'],
  ])('%s: help: %s', (text, help) => {
    const loaded = load(
      `version: 1\ndefault: blocked\ncapabilities:\n  crm.x: { decision: blocked, match: { ${text} } }\n`,
    );
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe(help);
  });

  it.each([
    ['fs.write', 'exists: "true"'],
    ['fs.write', 'bytes: "12"'],
    ['proc.exec', 'argv: "*"'],
    ['fs', 'bytes: many'],
    ['worker.create', 'toolsets: shell'],
  ])('of %s may not be %s, which has a kind other than the fact', (name, text) => {
    expect(
      mistakes(
        `version: 1\ndefault: blocked\ncapabilities:\n  ${name}: { decision: blocked, match: { ${text} } }\n`,
      ),
    ).toHaveLength(1);
  });
});
