import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientName, importRules, settingsWithRules } from '../src/index.js';
import { decided, HookPlace } from './place.js';

type Call = readonly [tool: string, args: object];
const bash = (command: string): Call => ['Bash', { command }];
const reading = (file_path: string): Call => ['Read', { file_path }];
const writing = (file_path: string): Call => ['Write', { file_path, content: 'x' }];
const claude = (permissions: object) => JSON.stringify({ permissions });
const opencode = (permission: object) => JSON.stringify({ permission });
const gemini = (tool: string) => `[[rule]]\ntoolName = "${tool}"\ndecision = "allow"\npriority = 1\n`;
const agent = (subagent_type: string): Call => ['Agent', { subagent_type, description: 'x', prompt: 'go' }];
const user = 'settings.json';
const managed = '/etc/claude-code/managed-settings.json';

/** Settings, a call that they permit, and one that the client asks about or refuses. */
type Narrow = readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  permitted: Call | null,
  not: Call,
];
const narrow: Readonly<Partial<Record<ClientName, readonly Narrow[]>>> = {
  'claude-code': [
    [
      'a permission to list files',
      { [user]: claude({ allow: ['Glob'] }) },
      ['Glob', { pattern: '*', path: '/usr/share' }],
      reading('/etc/hostname'),
    ],
    [
      'a permission to read, for a command',
      { [user]: claude({ allow: ['Read', 'Bash(cat:*)'] }) },
      reading('/etc/hostname'),
      bash('cat /etc/hostname'),
    ],
    [
      'a permission to write files, for a redirection',
      { [user]: claude({ allow: ['Write', 'Bash(echo:*)'] }) },
      writing('/var/tmp/x'),
      bash('echo x > /var/tmp/x'),
    ],
    [
      'a permission to edit notebooks',
      { [user]: claude({ allow: ['NotebookEdit'] }) },
      null,
      writing('src/b'),
    ],
    ...(
      [
        ['code-reviewer', 'Code Reviewer'],
        ['Code Reviewer', 'code-reviewer'],
      ] as const
    ).map(
      ([one, other]) =>
        [
          `a permission of ${one}, for ${other}`,
          { [user]: claude({ allow: [`Agent(${one})`] }) },
          agent(one),
          agent(other),
        ] as const,
    ),
    [
      'a refusal to search, for a read',
      { [user]: claude({ deny: ['Grep'] }) },
      reading('src/a'),
      ['Grep', { pattern: 'x', path: '.git' }],
    ],
    ['a comment in place of a path', { [user]: claude({ allow: ['Edit(#x)'] }) }, null, writing('#x')],
    ...['.vscode/x', 'below/.vscode/x', '.ripgreprc', 'bunfig.toml'].map(
      (name) =>
        [
          `edits, for ${name}`,
          { [user]: claude({ defaultMode: 'acceptEdits' }) },
          writing('src/b'),
          writing(name),
        ] as const,
    ),
    [
      'reads outside that another key blocks',
      { [user]: claude({ allow: ['Read'], blockReadsOutsideWorkingDirectories: true }) },
      reading('src/a'),
      reading('/etc/hostname'),
    ],
    [
      'a mode beside rules of the machine',
      {
        [managed]: JSON.stringify({
          allowManagedPermissionRulesOnly: true,
          permissions: { allow: ['WebFetch'] },
        }),
        [user]: claude({ defaultMode: 'plan' }),
      },
      null,
      ['WebFetch', { url: 'https://example.com/', prompt: 'x' }],
    ],
    [
      'every command refused, for one without a program',
      { [user]: claude({ allow: ['Edit(src/**)'], deny: ['Bash'] }) },
      writing('src/b'),
      bash('> src/a'),
    ],
    ...(
      [
        ['Monitor', { command: 'true' }],
        ['SendMessage', { to: 'a', message: 'b' }],
        ['Skill', { skill: 'a' }],
      ] as const
    ).flatMap((call) =>
      [call[0], `${call[0].slice(0, 4)}*`].map(
        (rule) =>
          [
            `a refusal of ${rule}`,
            { [user]: claude({ allow: ['Bash', 'Agent'], deny: [rule] }) },
            null,
            call,
          ] as const,
      ),
    ),
  ],
  gemini: [
    [
      'a permission to edit, for a new file',
      { 'a.toml': gemini('replace') + gemini('read_file') },
      ['Edit', { file_path: 'src/a', old_string: 'x', new_string: 'y' }],
      writing('src/b'),
    ],
    [
      'a permission to list a folder',
      { 'a.toml': gemini('list_directory') },
      ['Glob', { pattern: '*' }],
      reading('src/a'),
    ],
  ],
  opencode: [
    [
      'a question about every command, for one without a program',
      { 'opencode.json': opencode({ read: 'allow', bash: 'ask' }) },
      reading('src/a'),
      bash('[[ -e src/a ]]'),
    ],
    ...(
      [
        ['Grep', { pattern: 'x' }],
        ['Glob', { pattern: '*' }],
        ['LSP', { filePath: 'src/a', operation: 'hover', line: 1, character: 1 }],
      ] as const
    ).map(
      (call) =>
        [
          `a permission to read, for ${call[0]}`,
          { 'opencode.json': opencode({ '*': 'deny', read: 'allow' }) },
          reading('src/a'),
          call,
        ] as const,
    ),
    [
      'a permission to search',
      { 'opencode.json': opencode({ '*': 'ask', grep: 'allow' }) },
      ['Grep', { pattern: 'x' }],
      reading('src/a'),
    ],
  ],
};

const rows = (Object.keys(narrow) as ClientName[]).flatMap((client) =>
  (narrow[client] ?? []).map(([what, ...row]) => [what, client, ...row] as const),
);

describe('an import of narrow settings', () => {
  it.each(rows)(
    'permits what they permit, and no more: %s (%s)',
    async (_, client, files, permitted, not) => {
      const given = Object.entries(files).map(([file, text]) => ({
        file,
        text,
        isProject: file !== managed,
      }));
      const place = new HookPlace(importRules(client, given).text);
      place.write('src/a', 'x');
      for (const call of permitted === null ? [] : [permitted])
        expect(decided(await place.answer(place.call(...call)))[0]).toBe('allow');
      expect(decided(await place.answer(place.call(...not)))[0]).not.toBe('allow');
    },
  );

  it.each([
    ['list', 'glob'],
    ['glob', 'list'],
  ])('of opencode permits %s, and not %s, which has the same name in policies', async (one, other) => {
    const text = opencode({ '*': 'deny', [one]: 'allow' });
    const place = new HookPlace(
      importRules('opencode', [{ file: 'opencode.json', text, isProject: true }]).text,
    );
    const args = { list: { path: '.' }, glob: { pattern: '*' } };
    const said = async (tool: string) => {
      const input = { tool, sessionID: 's', callID: tool };
      const call = { input, args: args[tool as 'list'], directory: place.project };
      return (await place.answer(call, { client: 'opencode' })).stdout;
    };
    expect(await said(one)).toContain('"allow"');
    expect(await said(other)).toContain('"deny"');
  });

  it('asks about a tool of opencode that it refuses', () => {
    const file = { file: 'opencode.json', text: opencode({ bash: 'allow', skill: 'deny' }), isProject: true };
    expect(importRules('opencode', [file]).text).toContain(
      'opencode.skill:\n    - {"decision":"needs_approval"}',
    );
  });

  it.each([
    [
      'codex',
      ['home/.codex/config.toml', 'sandbox_mode = "workspace-write"\n'],
      ['project/.codex/config.toml', 'sandbox_mode = "read-only"\n'],
      writing('src/b'),
    ],
    [
      'codex',
      ['home/.codex/config.toml', ''],
      ['project/.codex/config.toml', 'sandbox_mode = "workspace-write"\n'],
      writing('src/b'),
    ],
    [
      'opencode',
      ['project/opencode.json', opencode({ bash: 'allow' })],
      ['project/.opencode/opencode.jsonc', opencode({ bash: { 'true *': 'deny' } })],
      bash('true x'),
    ],
    [
      'opencode',
      ['project/opencode.json', opencode({ bash: 'allow' })],
      ['home/.opencode/opencode.json', opencode({ '*': 'ask' })],
      bash('true x'),
    ],
    [
      'gemini',
      ['home/.gemini/policies/a.toml', gemini('run_shell_command')],
      ['project/.gemini/settings.json', '{"tools": {"exclude": ["run_shell_command(true)"]}}'],
      bash('true x'),
    ],
    [
      'gemini',
      ['home/.gemini/policies/a.toml', '[[rule]]\nmcpName = "tiny"\ndecision = "allow"\npriority = 1\n'],
      ['home/.gemini/settings.json', '{"mcp": {"excluded": ["tiny"]}}'],
      ['mcp__tiny__echo', {}],
    ],
  ] as const)('of %s reads each file of its settings: %s and %s', async (client, one, other, call) => {
    const { base, home, project, environment } = new HookPlace();
    for (const [name, text] of [one, other]) {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), text);
    }
    const files = await settingsWithRules(client, { home, project, environment });
    expect(files.map(({ file }) => file).sort()).toEqual(
      [one, other].map(([name]) => join(base, name)).sort(),
    );
    const imported = new HookPlace(importRules(client, files).text);
    expect(decided(await imported.answer(imported.call(call[0], call[1])))[0]).not.toBe('allow');
  });

  it('of Codex in a folder reads the rules of the folders above it, too', async () => {
    const { home, project, environment } = new HookPlace();
    const file = join(project, '.codex/rules/a.rules');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    const found = await settingsWithRules('codex', { home, project: join(project, 'sub'), environment });
    expect(found.map((each) => each.file)).toEqual([file]);
  });

  it.each([
    ['trusted', '"pre_approved"'],
    ['untrusted', 'default: needs_approval'],
  ])('takes permissions of a project that Codex counts as %s as Codex does', (level, expected) => {
    const config = `[projects."/me/project"]\ntrust_level = "${level}"\n`;
    const files = [
      { file: '/me/.codex/config.toml', text: config, isProject: false },
      {
        file: '/me/project/.codex/rules/a.rules',
        text: 'prefix_rule(pattern = ["rm"], decision = "allow")',
        isProject: true,
      },
    ];
    const { text } = importRules('codex', files);
    expect(text).toContain(expected);
    expect(text.includes('"pre_approved"')).toBe(level === 'trusted');
  });
});
