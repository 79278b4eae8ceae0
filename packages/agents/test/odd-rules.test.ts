import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientName, importRules, settingsWithRules } from '../src/index.js';
import { rulesFile } from '../src/install/rules-file.js';
import { decided, HookPlace } from './place.js';

type File = readonly [file: string, text: string];
type Call = readonly [tool: string, args: object];
const bash = (command: string): Call => ['Bash', { command }];
const reading = (file_path: string): Call => ['Read', { file_path }];
const writing = (file_path: string): Call => ['Write', { file_path, content: 'x' }];
const fetching: Call = ['WebFetch', { url: 'https://example.com/', prompt: 'x' }];

const json = (value: object) => JSON.stringify(value);
const opencode = (value: object): readonly File[] => [['opencode.json', json(value)]];
const gemini = (...rules: readonly string[]): readonly File[] => [
  ['a.toml', rules.map((rule) => `[[rule]]\n${rule}\ndecision = "allow"\npriority = 1\n`).join('')],
];
const claude = (permissions: object): File => ['.claude/settings.json', json({ permissions })];
const managed = '/etc/claude-code/managed-settings.json';

/** Odd settings, and a call that the client would not run without a question. */
const odd: Readonly<Record<ClientName, readonly (readonly [string, readonly File[], Call])[]>> = {
  'claude-code': [
    [
      'deny inside allow',
      [claude({ allow: ['Bash(npm run *)'], deny: ['Bash(npm run publish *)'] })],
      bash('npm run publish now'),
    ],
    ['a deny of all tools', [claude({ allow: ['WebFetch'], deny: ['WebFetch(domain:*.com)'] })], fetching],
    ['a denied tool with wildcards', [claude({ allow: ['Bash'], deny: ['B*'] })], bash('true')],
    ['every tool denied', [claude({ allow: ['WebFetch'], deny: ['*'] })], fetching],
    [
      'servers denied by a wildcard',
      [claude({ allow: ['mcp__tiny__echo'], deny: ['m*'] })],
      ['mcp__tiny__echo', {}],
    ],
    ...['deniedMcpServers', 'allowedMcpServers', 'disabledMcpjsonServers'].map(
      (key) =>
        [
          key,
          [claude({ allow: ['mcp__tiny'] }), [managed, json({ [key]: [] })]],
          ['mcp__tiny__echo', {}],
        ] as const,
    ),
    [
      'a literal star, denied',
      [claude({ allow: ['Bash(*)'], deny: ['Bash(echo \\* *)'] })],
      bash('echo * x'),
    ],
    ['a denied path with a blank at its end', [claude({ deny: ['Read(src/a )'] })], reading('src/a')],
    ['a mode that only plans', [claude({ defaultMode: 'plan', allow: ['Edit(src/**)'] })], writing('src/a')],
    ['an unknown mode', [claude({ defaultMode: 'x', allow: ['WebFetch'] })], fetching],
    [
      'rules of the machine only',
      [[managed, json({ allowManagedPermissionRulesOnly: true })], claude({ allow: ['WebFetch'] })],
      fetching,
    ],
  ],
  codex: [
    [
      'a decision in single quotes',
      [['a.rules', `prefix_rule(pattern=["true"], decision='forbidden')`]],
      bash('true'),
    ],
    [
      'a decision in the words of another argument',
      [['a.rules', `prefix_rule(pattern=["true"], justification='decision="allow"', decision="forbidden")`]],
      bash('true'),
    ],
    ['a variable as a decision', [['a.rules', 'prefix_rule(pattern=["true"], decision=NO)']], bash('true')],
    ...['{ token = "true" }', '{ any_of = ["x", "true"] }'].map(
      (token) =>
        [
          'a rule that the machine requires',
          [
            ['a.rules', 'prefix_rule(pattern=["true"])'],
            [
              '/etc/codex/requirements.toml',
              `[rules]\nprefix_rules = [{ pattern = [${token}], decision = "forbidden" }]`,
            ],
          ],
          bash('true'),
        ] as const,
    ),
    [
      'a stricter profile',
      [
        [
          'config.toml',
          'sandbox_mode = "workspace-write"\nprofile = "tight"\n[profiles.tight]\nsandbox_mode = "read-only"\n',
        ],
      ],
      writing('src/a'),
    ],
    [
      'profiles as permissions',
      [['config.toml', 'sandbox_mode = "workspace-write"\ndefault_permissions = "x"\n']],
      writing('src/a'),
    ],
    [
      'a stricter mode in a later file',
      [
        ['config.toml', 'sandbox_mode = "workspace-write"\n'],
        ['.codex/config.toml', 'sandbox_mode = "read-only"\n'],
      ],
      writing('src/a'),
    ],
    [
      'questions in a later file',
      [
        ['config.toml', 'sandbox_mode = "workspace-write"\n'],
        ['.codex/config.toml', 'approval_policy = "untrusted"\n'],
      ],
      writing('src/a'),
    ],
    [
      'an untrusted project',
      [['config.toml', 'sandbox_mode = "workspace-write"\n[projects."/x"]\ntrust_level = "untrusted"\n']],
      writing('src/a'),
    ],
  ],
  gemini: [
    [
      'a tool with wildcards',
      [
        [
          'a.toml',
          '[[rule]]\ntoolName = "web_fetch"\ndecision = "allow"\npriority = 1\n[[rule]]\ntoolName = "web_*"\ndecision = "deny"\npriority = 9\n',
        ],
      ],
      fetching,
    ],
    [
      'a prefix for another tool',
      [['a.toml', '[[rule]]\ntoolName = "web_fetch"\ncommandPrefix = "true"\ndecision = "allow"\n']],
      bash('true'),
    ],
    [
      'servers in a list',
      [['a.toml', '[[rule]]\nmcpName = ["tiny"]\ntoolName = "web_fetch"\ndecision = "allow"\n']],
      fetching,
    ],
    [
      'a check of its own',
      [
        [
          'a.toml',
          '[[rule]]\ntoolName = "web_fetch"\ndecision = "allow"\n[[safety_checker]]\ntoolName = "web_fetch"\n',
        ],
      ],
      fetching,
    ],
    ['a search instead of a page', gemini('toolName = "google_web_search"'), fetching],
    ...[
      '{"tools": {"core": ["read_file"]}}',
      '{"coreTools": ["ReadFileTool"]}',
      '{"tools": {"core": ["run_shell_command(git)"]}}',
      '{"tools": {"allowed": ["ShellTool(git)"]}}',
      '{"tools": {"exclude": ["ShellTool"]}}',
      '{"tools": {"confirmationRequired": ["run_shell_command"]}}',
    ].map(
      (text) =>
        [text, [...gemini('toolName = "run_shell_command"'), ['a.json', text]], bash('true')] as const,
    ),
    ...[
      '{"mcp": {"allowed": ["other"]}}',
      '{"mcpServers": {"tiny": {"excludeTools": ["echo"]}}}',
      '{"mcpServers": {"tiny": {"includeTools": ["other"]}}}',
    ].map(
      (text) =>
        [
          text,
          [...gemini('mcpName = "tiny"\ntoolName = "*"'), ['a.json', text]],
          ['mcp__tiny__echo', {}],
        ] as const,
    ),
    ['a file with an error', gemini('mcpName = "tiny"', 'toolName = "web_fetch"'), fetching],
    ['a path outside', gemini('toolName = "read_file"'), reading('/etc/hostname')],
    ['a build file', gemini('toolName = "write_file"'), writing('src/rules.mk')],
    [
      'a redirection',
      gemini('toolName = "run_shell_command"', 'toolName = "write_file"'),
      bash('echo x > src/a'),
    ],
    [
      'a harmful command',
      gemini('toolName = ["run_shell_command", "list_directory"]'),
      bash('find src -exec true \\;'),
    ],
  ],
  copilot: [
    ['a host without TLS', [['settings.json', json({ allowedUrls: ['http://example.com'] })]], fetching],
    [
      'another port',
      [['settings.json', json({ allowedUrls: ['example.com'] })]],
      ['WebFetch', { url: 'https://example.com:8443/', prompt: 'x' }],
    ],
  ],
  opencode: [
    ['a folder outside', opencode({ permission: { read: 'allow' } }), reading('/etc/hostname')],
    ['a write outside', opencode({ permission: { edit: 'allow' } }), writing('/var/tmp/x')],
    ['a tool with wildcards', opencode({ permission: { webfetch: 'allow', 'web*': 'deny' } }), fetching],
    [
      'a disabled tool',
      opencode({ permission: { edit: 'allow' }, tools: { write: false } }),
      writing('src/a'),
    ],
    [
      'all tools switched off',
      opencode({ permission: { edit: 'allow' }, tools: { '*': false } }),
      writing('src/a'),
    ],
    [
      'a question for all after it',
      opencode({ permission: { edit: 'allow', '*': 'ask' } }),
      writing('src/a'),
    ],
    ['a refusal of all after it', opencode({ permission: { edit: 'allow', '*': 'deny' } }), writing('src/a')],
    [
      'a question in a later file',
      [
        ['opencode.json', json({ permission: { webfetch: 'allow' } })],
        ['b.json', json({ permission: { webfetch: { '*': 'ask', 'https://a.example/*': 'allow' } } })],
      ],
      fetching,
    ],
    [
      'a question for all commands in a later file',
      [
        ['opencode.json', json({ permission: { bash: { 'true *': 'allow' } } })],
        ['b.json', json({ permission: { bash: { '*': 'ask', 'ls *': 'allow' } } })],
      ],
      bash('true x'),
    ],
    [
      'a tool before a question for all, in two files',
      [
        ['opencode.json', json({ permission: { edit: 'allow', '*': 'ask' } })],
        ['b.json', json({ permission: { edit: 'allow' } })],
      ],
      writing('src/a'),
    ],
    ['a search instead of a page', opencode({ permission: { websearch: 'allow' } }), fetching],
    ['a name without effect', opencode({ permission: { write: 'allow' } }), writing('src/a')],
  ],
};

const rows = (Object.keys(odd) as ClientName[]).flatMap((client) =>
  odd[client].map(([what, files, call]) => [what, client, files, call] as const),
);

describe('an import of unusual settings', () => {
  it.each(rows)('permits no more than the client: %s (%s)', async (_, client, files, [tool, args]) => {
    let text = 'version: 1\ndefault: needs_approval\n';
    try {
      ({ text } = importRules(
        client,
        files.map(([file, given]) => ({ file, text: given, isProject: client !== 'codex' })),
      ));
    } catch (error) {
      // Refused with a place is as good.
      expect((error as Error).message).toContain(files[0]?.[0]);
    }
    const place = new HookPlace(text);
    place.write('src/a', 'x');
    expect(decided(await place.answer(place.call(tool, args)))[0]).not.toBe('allow');
  });

  it.each([
    [
      'a default below others',
      'opencode',
      opencode({ permission: { bash: { '*': 'deny', 'ls *': 'allow' } } }),
    ],
    ['a denied path in another letter case', 'claude-code', [claude({ deny: ['Read(./Secret.txt)'] })]],
    ['an agent of its own', 'opencode', opencode({ agent: { plan: { permission: { edit: 'deny' } } } })],
    ['a tool off that no policy names', 'opencode', opencode({ tools: { github_push: false } })],
    ['a sandbox', 'claude-code', [['a.json', json({ sandbox: { filesystem: { denyRead: ['~/x'] } } })]]],
    ['servers in part', 'codex', [['config.toml', '[mcp_servers.a]\ndisabled_tools = ["b"]']]],
    ['refusals without a question', 'codex', [['config.toml', 'approval_policy = "never"']]],
    ['refused tools', 'copilot', [['settings.json', json({ deniedTools: ['shell(rm)'] })]]],
    ['refused hosts in another form', 'copilot', [['settings.json', json({ deniedUrls: 'evil.example' })]]],
    ['policies elsewhere', 'gemini', [['a.json', json({ policyPaths: ['/x.toml'] })]]],
    [
      'a denied tool that no policy names',
      'gemini',
      [['a.toml', '[[rule]]\ntoolName = "save_memory"\ndecision = "deny"\n']],
    ],
  ] as readonly (readonly [string, ClientName, readonly File[]])[])(
    'reports that it is looser: %s',
    (_, client, files) => {
      const { notes } = importRules(
        client,
        files.map(([file, text]) => ({ file, text, isProject: true })),
      );
      expect(notes.map(({ how }) => how)).toContain('looser');
    },
  );

  it.each([
    ['a refusal of reads', 'opencode', opencode({ permission: { read: 'deny' } })],
    ['a refusal of a search of the web', 'opencode', opencode({ permission: { websearch: 'deny' } })],
    ['a refusal of new files', 'claude-code', [claude({ deny: ['Write'] })]],
    [
      'a refusal of new files',
      'gemini',
      [['a.toml', '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\n']],
    ],
    ['a permission in a settings file', 'gemini', [['a.json', json({ tools: { allowed: ['web_fetch'] } })]]],
    ['a permitted tool', 'copilot', [['settings.json', json({ allowedTools: ['shell(ls)'] })]]],
  ] as readonly (readonly [string, ClientName, readonly File[]])[])(
    'reports that it is stricter: %s (%s)',
    (_, client, files) => {
      const given = files.map(([file, text]) => ({ file, text, isProject: true }));
      // Not merely the note that each import of Claude Code has.
      const own = importRules(client, given).notes.filter(({ rule }) => rule !== 'reads of the project');
      expect(own.map(({ how }) => how)).toContain('stricter');
    },
  );

  it.each(['allow-all', 'assisted', 'manual'])('reports a mode of Copilot that answers: %s', (mode) => {
    const text = json({ defaultPermissionMode: mode });
    const { notes } = importRules('copilot', [{ file: 'settings.json', text, isProject: false }]);
    expect(notes.map(({ how }) => how)).toEqual(mode === 'manual' ? [] : ['stricter']);
  });

  it('names the paths that opencode refuses, and no other one', async () => {
    const read = { '*': 'allow', '*.env': 'deny', '*.env.*': 'ask', 'kept/*': 'deny', 'kept/x': 'allow' };
    const file = { file: 'opencode.json', text: json({ permission: { read } }), isProject: true };
    const { text, notes } = importRules('opencode', [file]);
    expect(notes[0]?.why).toBe('a policy cannot name this, so its other rules decide');
    const place = new HookPlace(text);
    const paths = ['src/a', 'kept', 'a.env', 'src/b.env', 'b.env.d/x', 'kept/x', 'kept/b/c'];
    const said: string[] = [];
    for (const path of paths) said.push(decided(await place.answer(place.call(...reading(path))))[0]);
    expect(said).toEqual(['allow', 'allow', 'deny', 'deny', 'ask', 'deny', 'deny']);
  });

  it('reads no policies of a project that Gemini does not load', async () => {
    const { home, project, environment } = new HookPlace();
    for (const folder of [home, project]) {
      mkdirSync(join(folder, '.gemini/policies'), { recursive: true });
      writeFileSync(join(folder, '.gemini/policies/a.toml'), '');
    }
    const found = await settingsWithRules('gemini', { home, project, environment });
    expect(found.map(({ file }) => file)).toEqual([join(home, '.gemini/policies/a.toml')]);
    const installing = { client: 'gemini', home, project, command: ['x'], timeout: 1, random: 'x' } as const;
    expect(rulesFile({ ...installing, scope: 'project' })).toBeNull();
  });

  it('refuses what a rule asks about, in a mode that refuses questions', () => {
    const text = json({ permissions: { defaultMode: 'dontAsk', ask: ['WebFetch'] } });
    const file = { file: '.claude/settings.json', text, isProject: true };
    expect(importRules('claude-code', [file]).text).toContain('net.connect:\n    - {"decision":"blocked"');
  });

  it('prefers the managed mode to the mode of the project', () => {
    const of = (defaultMode: string) => json({ permissions: { defaultMode } });
    const files = [managed, '.claude/settings.json'].map((file, at) => ({
      file,
      text: of(['dontAsk', 'default'][at] ?? ''),
      isProject: at === 1,
    }));
    expect(importRules('claude-code', files).text).toContain('default: blocked');
  });
});
