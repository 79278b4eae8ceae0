import { loadPolicyText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../src/clients/clients.js';
import { type ClientName, clientNames, compileRules, denialsOf } from '../src/index.js';
import { withDenials } from '../src/install/rules-file.js';
import { claudeDenials } from '../src/rules/claude-written.js';

interface Compiled {
  readonly text: string;
  /** `how rule`, of each rule that the client cannot say exactly. */
  readonly notes: readonly string[];
}

const places = { root: '/home/me/project', home: '/home/me' };

function policyOf(lines: string, root = places.root) {
  const read = loadPolicyText('policy.yaml', `version: 1\ndefault: needs_approval\ncapabilities:\n${lines}`, {
    ...places,
    root,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics[0]));
  return read.policy;
}

function compiled(client: ClientName, lines: string, root = places.root): Compiled {
  const { text, notes } = compileRules(client, { policies: [policyOf(lines, root)], root });
  return { text, notes: notes.map(({ how, rule }) => `${how} ${rule}`) };
}

const blocking = (name: string, match: object) =>
  `  ${name}: { id: mine, decision: blocked, match: ${JSON.stringify(match)} }\n`;

const lost = /^(?:looser|not_at_all) mine$/;

describe('a block that a client would misread', () => {
  // Brackets, marks of negation and of comments, escapes, blanks at the end: gitignore reads them; parentheses end a rule.
  const paths = [
    './a[1].txt',
    './a(1).txt',
    './a)b/**',
    './!keep',
    './#notes',
    './a\\b',
    './dir /x',
    './x ',
    './{a,b}/x',
  ];
  it.each(paths)('is reported for claude-code, and not written: %j', (path) => {
    const { text, notes } = compiled('claude-code', blocking('fs.write', { path }));
    expect(text).not.toContain(JSON.stringify(path.slice(1).replace('/**', '')).slice(1, -1));
    expect(notes).toContainEqual(expect.stringMatching(lost));
  });

  it.each(clientNames)('is reported for %s if the project folder contains wildcards', (client) => {
    const { text, notes } = compiled(client, blocking('fs.write', { path: './secret/**' }), '/home/me/a*b');
    expect(text).not.toContain('a*b');
    expect(notes).toContainEqual(expect.stringMatching(lost));
  });

  it.each(
    clientNames.flatMap((client) =>
      [
        ['mcp.call', { server: 'tin?' }],
        ['mcp.call', { server: 'tin*' }],
        ['net.connect', { host: 'ex?mple.com' }],
        ['net.connect', { host: '**.example.com' }],
        ['worker.call', { worker: 'gen?ral' }],
        ['worker.call', { worker: 'gen*' }],
      ].map(([name, match]) => [client, name, match] as const),
    ),
  )('is reported for %s if %s has a wildcard in %j', (client, name, match) => {
    const { text, notes } = compiled(client, blocking(name as string, match as object));
    expect(text).not.toContain(Object.values(match as object)[0]);
    expect(notes).toContainEqual(expect.stringMatching(lost));
  });

  it('names a server in the way of Claude Code', () => {
    const { text } = compiled('claude-code', blocking('mcp.call', { server: 'my server.é' }));
    expect(text).toContain('"mcp__my_server____*"');
  });

  it('covers hosts with and without TLS in Copilot', () => {
    const lines = blocking('net.connect', { host: 'bad.example' });
    const { text } = compiled('copilot', lines);
    for (const url of ['http://bad.example', 'https://bad.example'])
      expect(text).toContain(`--deny-url '${url}'`);
    const denials = denialsOf([policyOf(lines)], places.root);
    const installing = { client: 'copilot', scope: 'user', home: '/h', project: '/p' } as const;
    const written = withDenials(null, { ...installing, command: ['x'], timeout: 1, random: 'x', denials });
    expect(written).toContain('http://bad.example');
  });
});

describe('a block of a tool', () => {
  const tools = (...names: readonly string[]) =>
    `  fs.read: pre_approved\ntools:\n${names.map((name) => `  ${name}: blocked\n`).join('')}`;
  const deniedBy = (lines: string) => {
    const { permissions } = JSON.parse(compiled('claude-code', lines).text) as {
      permissions: { deny: readonly string[] };
    };
    return permissions.deny;
  };

  it.each([
    ['filesystem.write_file', ['Write']],
    ['filesystem.edit_file', ['Edit', 'NotebookEdit']],
    ['shell.run', ['Bash', 'Monitor']],
    ['claude-code.web_fetch', ['WebFetch']],
    ['mcp-tiny.danger', ['mcp__tiny__danger']],
    ['mcp-tiny.*', ['mcp__tiny__*']],
  ])('is a denial of Claude Code: %s', (name, denied) => {
    expect(deniedBy(tools(name))).toEqual(denied);
  });

  it('is a denial of the tools of other clients, if they have a rule for exactly these', () => {
    const both = tools('filesystem.write_file', 'filesystem.edit_file');
    const one = tools('filesystem.write_file');
    expect(compiled('gemini', one).text).toContain('toolName = ["write_file"]\ndecision = "deny"');
    const edit = (lines: string) =>
      (JSON.parse(compiled('opencode', lines).text) as { permission: { edit: unknown } }).permission.edit;
    expect([edit(one), edit(both)]).toEqual(['ask', 'deny']);
    const flag = "--deny-tool 'write'";
    expect([one, both].map((lines) => compiled('copilot', lines).text.includes(flag))).toEqual([false, true]);
    expect(compiled('opencode', one).notes).toContain('not_at_all tools.filesystem.write_file');
    expect(compiled('copilot', one).notes).toContain('looser tools.filesystem.write_file');
    expect(compiled('codex', one).notes).toContain('looser tools.filesystem.write_file');
  });

  it('is reported if a client refuses only some of the tools, or only one spelling', () => {
    expect(compiled('copilot', tools('filesystem.*')).notes).toContain('looser tools.filesystem.*');
    expect(compiled('claude-code', tools('mcp-tiny.danger')).notes).toContain('looser tools.mcp-tiny.danger');
    expect(compiled('claude-code', tools('mcp-tiny.*')).notes).toContain('stricter tools.mcp-tiny.*');
  });

  it.each(['mcp-a__b.c', 'mcp-a_.b', 'mcp-a._b', 'mcp-a_.*', 'crm.delete'])(
    'is reported if no tool certainly has its name: %s',
    (name) => {
      const { text, notes } = compiled('claude-code', tools(name));
      expect(deniedBy(tools(name))).toEqual([]);
      expect(text).not.toContain('crm');
      expect(notes).toContain(`not_at_all tools.${name}`);
    },
  );

  it('is installed, too, and so is a block of every write', () => {
    const denials = (lines: string) => claudeDenials(denialsOf([policyOf(lines)], places.root));
    expect(denials(tools('shell.run'))).toEqual(['Bash', 'Monitor']);
    expect(denials('  fs.write: blocked\n')).toEqual(['Edit', 'Write', 'NotebookEdit']);
    expect(denials('  mcp.call: blocked\n')).toContain('mcp__*');
    // Some commands carry no capability of reading.
    expect(denials('  fs.read: blocked\n')).toEqual([]);
    expect(denials('  fs.write: { decision: blocked, match: { path: ./a/** } }\n')).not.toContain('Write');
  });
});

describe('a block with a condition', () => {
  const when = 'when: { "==": [{ var: context.isolation }, none] }';
  it.each([
    `fs.read: { id: mine, decision: blocked, match: { path: "./secret/**" }, ${when} }`,
    'fs.read: { id: mine, decision: blocked, match: { path: "./secret/**" }, except: { path: ./secret/b } }',
    `vcs.push: { id: mine, decision: blocked, ${when} }`,
  ])('is compiled to a stricter denial of the same calls, and not installed: %s', (rule) => {
    const { text, notes } = compiled('claude-code', `  ${rule}\n`);
    expect(text).toMatch(/"(?:Read\(.*\/secret\/\*\*\)|Bash\(git push:\*\))"/);
    expect(notes).toContain('stricter mine');
    expect(denialsOf([policyOf(`  ${rule}\n`)], places.root)).toEqual([]);
  });

  it.each([
    `fs.write: { id: mine, decision: blocked, ${when} }`,
    `proc.exec: { id: mine, decision: blocked, ${when} }`,
  ])('asks if it is about every call of a kind: %s', (rule) => {
    const { text, notes } = compiled('claude-code', `  ${rule}\n`);
    expect(text).toContain('"deny": []');
    expect(notes).toContain('looser mine');
  });
});

describe('a sub-agent that a policy blocks', () => {
  it('is refused by Claude Code also in the usual spellings of its name', () => {
    const { text, notes } = compiled('claude-code', blocking('worker.call', { worker: 'code-reviewer' }));
    for (const name of ['code-reviewer', 'Code-Reviewer', 'code reviewer', 'Code Reviewer'])
      expect(text).toContain(`"Agent(${name})"`);
    expect(notes).toContain('looser mine');
  });
});

describe('a rule outside the project', () => {
  it.each(['pre_approved', 'needs_approval'])('keeps the tools that it needs: %s', (decision) => {
    const rules = `  fs.read.outside: ${decision}\n  fs.write.outside: ${decision}\n`;
    const policy = loadPolicyText(
      'policy.yaml',
      `version: 1\ndefault: blocked\ncapabilities:\n${rules}`,
      places,
    );
    if (!policy.ok) throw new Error('the policy does not load');
    const { text } = compileRules('claude-code', { policies: [policy.policy], root: places.root });
    const { permissions } = JSON.parse(text) as { permissions: { deny: readonly string[] } };
    for (const tool of ['Read', 'Edit']) expect(permissions.deny).not.toContain(tool);
  });
});

describe('a permission of a narrower capability', () => {
  it.each(clientNames)('permits no other call in %s', (client) => {
    const all = '  content.untrusted: pre_approved\n  tool.call: pre_approved\n';
    for (const rule of [
      'net.connect.private: { decision: pre_approved, match: { host: db.example.com } }',
      'mcp.call.changed: { decision: pre_approved, match: { server: tiny } }',
    ])
      expect(compiled(client, `  ${rule}\n${all}`).text).toBe(compiled(client, all).text);
  });
});

describe('a permission of one worker', () => {
  // A client would permit it to each of its sub-agents.
  it.each(clientNames)('permits nothing in %s', (client) => {
    const all = '  content.untrusted: pre_approved\n  tool.call: pre_approved\n';
    const rules = [
      'net.connect: { decision: pre_approved, match: { host: db.example.com } }',
      'mcp.call: { decision: pre_approved, match: { server: tiny } }',
      'worker.call: { decision: pre_approved, match: { worker: explorer } }',
    ].join(', ');
    for (const worker of [client, 'helper']) {
      const permitting = `${all}workers: { ${worker}: { capabilities: { ${rules} } } }\n`;
      expect(compiled(client, permitting).text).toBe(compiled(client, all).text);
    }
  });
});

describe('a question that a client would not ask', () => {
  it('is asked by Claude Code about commands in its sandbox, too, or reported', () => {
    const { text, notes } = compiled('claude-code', '  proc.exec: pre_approved\n');
    expect(JSON.parse(text)).toMatchObject({ sandbox: { autoAllowBashIfSandboxed: false } });
    expect(notes).toContain('looser sandbox');
  });

  it('is asked by Claude Code about each tool that Ambit knows', () => {
    const { text } = compiled('claude-code', '  net: needs_approval\n');
    const { permissions } = JSON.parse(text) as { permissions: { ask: readonly string[] } };
    // Other names of `Edit` and `Agent`.
    const known = [...clientOf('claude-code').tools.keys()].filter(
      (each) => !/^(?:MultiEdit|Task)$/.test(each),
    );
    expect(permissions.ask).toEqual(expect.arrayContaining(known));
  });

  it('is asked by Gemini about commands that only read', () => {
    const { text } = compiled('gemini', '  proc.exec: pre_approved\n');
    expect(text).toContain('toolName = ["run_shell_command"]\ndecision = "ask_user"\nargsPattern = "."');
  });
});

describe('a rule that another file of the client overrides', () => {
  it.each(['gemini', 'opencode'] as const)('is reported for %s', (client) => {
    expect(compiled(client, '  proc.exec: blocked\n').notes).toContain('looser other files');
  });
});

describe('a permission that a client would widen', () => {
  const permitting = (server: string) =>
    `  mcp.call: { id: mine, decision: pre_approved, match: { server: ${server} } }\n`;

  // `--allow-tool shell` permits every command.
  it.each(['shell', 'write', 'url', 'memory', 'read', 'Shell', 'custom-tool'])(
    'is not written for Copilot if a server has the name of its tools: %s',
    (server) => {
      const { text, notes } = compiled('copilot', permitting(server));
      expect(text).not.toContain('--allow-tool');
      expect(notes).toContain('stricter mine');
      expect(compiled('copilot', permitting('tiny')).text).toContain(`--allow-tool 'tiny'`);
    },
  );

  it.each(clientNames)(
    'is not written for %s if the name has other letters, wildcards or a special meaning',
    (client) => {
      for (const server of ['tіny', 'ti__ny', 'tiny*', '"*"', '"?"', '__proto__']) {
        const { text } = compiled(client, permitting(server));
        expect(text).not.toMatch(/"allow": \[\s*"|--allow|decision = "allow"/);
      }
      for (const host of [
        'exаmple.com',
        'xn--exmple-4nf.com.',
        'LOCALHOST',
        'printer.local',
        '127.0.0.1',
        '"[::1]"',
      ]) {
        const lines = `  net.connect: { decision: pre_approved, match: { host: ${host} } }\n  content.untrusted: pre_approved\n`;
        let text = '';
        try {
          ({ text } = compiled(client, lines));
        } catch (error) {
          expect((error as Error).message).toContain('host');
        }
        expect(text).not.toMatch(/"allow": \[\s*"|--allow|decision = "allow"/);
      }
    },
  );
});

describe('a path that no call can have', () => {
  it.each(['./a/../secret/**', '~/../root/**', '/a/./b', './a//b', 'secret/**', './a\u0000b'])(
    'is refused before anything is written: %j',
    (path) => {
      expect(() => policyOf(blocking('fs.write', { path }))).toThrow();
    },
  );
});
