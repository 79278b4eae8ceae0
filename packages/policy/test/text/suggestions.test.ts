import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

describe('the suggestion for a pattern that nothing can match', () => {
  it.each<[string, string]>([
    ['path: .env', 'write `./.env`, or `**/.env` for any folder'],
    ['path: "*.pem"', 'write `./*.pem`, or `**/*.pem` for any folder'],
    ['path: *.pem', 'a pattern that begins with `*` is in quotes: `"*.pem"`'],
    ['path: "**.pem"', 'write `**/*.pem`; within a segment, `*` matches any text'],
    ['path: ./src**', 'write `./src*/**`; within a segment, `*` matches any text'],
    ['path: ..', 'write `./**`'],
    ['path: ~ada', 'write `~/**`'],
    ['path: a/b', 'write `./a/b`'],
    ['path: ../x', 'write `/x`'],
    ['path: ~/../x', 'write `/home/x`'],
    ['path: ./a/../../x', 'write `/x`'],
    ['path: ./a/../x', 'write `./x`'],
    ['path: ~/..', 'write `/home`'],
    [
      'path: /a }, when: { "==": [{ var: host }, b]',
      'did you mean `capability.host` or `context.host`? a key begins with capability, args, tool, toolset, worker, chain or context',
    ],
    [
      'host: 10.0.0.0/8',
      'a block of addresses: `when: {"cidr": [{"var": "capability.host"}, "10.0.0.0/8"]}`',
    ],
    [
      'host: "fe80::1/10"',
      'a block of addresses: `when: {"cidr": [{"var": "capability.host"}, "fe80::/10"]}`',
    ],
    ['host: a.example/8', 'write `a.example`'],
  ])('%s: %s', (text, help) => {
    const loaded = load(
      `version: 1\ndefault: blocked\ncapabilities:\n  crm.x: { decision: blocked, match: { ${text} } }\n`,
    );
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe(help);
  });
});

describe('the suggestion for a wrong value or place', () => {
  it.each<[string, string]>([
    ['default: allow', 'did you mean `pre_approved`? pre_approved, needs_approval or blocked'],
    ['default: ask', 'did you mean `needs_approval`? pre_approved, needs_approval or blocked'],
    ['default: deny', 'did you mean `blocked`? pre_approved, needs_approval or blocked'],
    ['default: blocked\nextends: org.yaml', 'write it in brackets: `[org.yaml]`'],
    ['default: blocked\ncapabilities: { fs: { decision: pre_approved, below: yes } }', 'write `true`'],
    ['default: blocked\ngrants: { workers: "false" }', 'write `false`'],
    ['default: blocked\nnet: blocked', 'rules about capabilities are indented under `capabilities:`'],
    [
      'default: blocked\ncapabilities: { fs.read: { decision: blocked, path: ./a } }',
      'facts are indented under `match:` or `except:`',
    ],
    [
      'default: blocked\ncapabilities:\n  net:\n    - decision: blocked\n    match: { port: 1 }',
      'the keys of one map begin in one column; in a list, that is the column after `- `',
    ],
    ['default: [blocked]', 'write `blocked` without brackets'],
    ['default: blocked\ncapabilities:\n  fs.read', 'a map: `KEY: VALUE`'],
    [
      'default: blocked\ncapabilities: { "*": blocked }',
      'names have no wildcards: `default` is for everything that no rule covers',
    ],
    ['default: blocked\ncapabilities: { fs: blocked', 'close every `{`, `[` and quote'],
    ['default: "blocked', 'close every `{`, `[` and quote'],
    [
      'default: blocked\ncapabilities: { fs: { decision: blocked, reason: no: never } }',
      'quote a text that contains `: `',
    ],
    [
      'default: blocked\ncapabilities:\n  net: blocked\n   fs: blocked',
      'the keys of one map begin in one column; quote a text that contains `: `',
    ],
  ])('%s: %s', (text, help) => {
    const loaded = load(`version: 1\n${text}\n`);
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe(help);
  });

  it('says how to write the number of the version', () => {
    const loaded = load('version: "1"\ndefault: blocked\n');
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe('write `1` without quotes');
  });

  it('reports one mistake of syntax for each line', () => {
    const log = '{"prev":"0","v":2,"seq":0}\n'.repeat(3);
    const loaded = load(log);
    expect(loaded.ok ? null : loaded.diagnostics.map(({ line }) => line)).toEqual([2, 3]);
  });

  it.each(['\tfs', ' fs'])('reports one mistake in indentation, and not the lines after it: %j', (key) => {
    const loaded = load(
      `version: 1\ndefault: blocked\ncapabilities:\n  net: blocked\n${key}: blocked\n  vcs: blocked\n  sys: blocked\n`,
    );
    expect(loaded.ok ? null : loaded.diagnostics.map(({ line }) => line)).toEqual([5]);
  });
});

describe('the suggestion for a tool that is named as an agent names it', () => {
  it.each<[string, string]>([
    ['Bash', 'did you mean `shell.run`?'],
    ['"Bash(git push:*)"', 'did you mean `shell.run`?'],
    ['WebFetch', 'did you mean `claude-code.web_fetch`?'],
    ['mcp__github__push', 'did you mean `mcp-github.push`?'],
    ['mcp__my_server__push', 'did you mean `mcp-my_server.push`?'],
    ['"mcp__github__*"', 'did you mean `mcp-github.*`?'],
    ['mcp__GitHub', 'did you mean `mcp-github.*`?'],
    ['read_file', 'did you mean `filesystem.read_file`? `read_file.*` for all tools of a toolset'],
    [
      'task',
      'did you mean `claude-code.agent`, `copilot.agent` or `opencode.agent`? `task.*` for all tools of a toolset',
    ],
    ['mcp__a___b', '`toolset.tool`, or `toolset.*` for all tools of a toolset'],
    ['github', '`github.*` for all tools of a toolset, `github.TOOL` for one'],
    ['"git hub"', '`toolset.tool`, or `toolset.*` for all tools of a toolset'],
  ])('%s: %s', (tool, help) => {
    const loaded = load(`version: 1\ndefault: blocked\ntools: { ${tool}: blocked }\n`);
    expect(loaded.ok ? null : loaded.diagnostics[0].help).toBe(help);
  });
});
