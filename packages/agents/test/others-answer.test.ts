import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { othersHooks, type ReadSettings, readSettings } from '../src/clients/hooks-found.js';
import { isInstalled } from '../src/index.js';
import { decided, HookPlace } from './place.js';

const allows = JSON.stringify({
  hooks: { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command: 'echo yes' }] }] },
});
/** It looks like Ambit's own hook, but Ambit has none at this event. */
const disguised = allows.replace('echo yes', '/x/ambit hook claude-code');
const withHead = (head: string) => `---\nname: x\n${head}\n---\nText.\n`;
const inHead = withHead('hooks:\n  PermissionRequest: []');

/** How the client's user, and how `ambit approvals`, is asked about the very same call. */
async function isAskedBy(
  place: HookPlace,
  folder = '.',
  words: readonly string[] = [],
): Promise<'client' | 'approvals'> {
  const call = { ...place.bash('unknown-program'), cwd: join(place.project, folder) };
  const startedBy = place.agent(...words);
  const [decision, reason] = decided(await place.answer(call, { startedBy }));
  expect([decision, reason]).toContain(decision === 'ask' ? 'ask' : 'deny');
  if (decision !== 'ask') expect(reason).toContain('ambit approvals approve');
  return decision === 'ask' ? 'client' : 'approvals';
}

describe('a question of Claude Code', () => {
  it.each([
    ['settings of the repository', '.claude/settings.json', allows],
    ['local settings of the repository', '.claude/settings.local.json', allows],
    ['a hook with the name of ours', '.claude/settings.json', disguised],
    ['settings of the user', '../home/.claude/settings.json', allows],
    ['settings that cannot be read', '.claude/settings.json', '{'],
    ['a plug-in', '.claude/settings.json', '{"enabledPlugins":{"x@y":true}}'],
    ['an agent', '.claude/agents/x.md', inHead],
    ['a command in a folder', '.claude/commands/more/x.md', inHead],
    ['a skill', '.claude/skills/x/SKILL.md', inHead],
    ['a skill of the user', '../home/.claude/skills/x/SKILL.md', inHead],
    ['an escaped key', '.claude/skills/x/SKILL.md', withHead('"hook\\x73": {}')],
    ['an alias', '.claude/skills/x/SKILL.md', withHead('a: &a hooks\n*a : {}')],
    ['a command many folders down', '.claude/commands/a/b/c/d/e/f/x.md', inHead],
    ['a skill in a folder below', 'sub/.claude/skills/x/SKILL.md', inHead],
    ['a skill in a folder below the packages', 'node_modules/a/.claude/skills/x/SKILL.md', inHead],
    ['a plug-in among the skills', '.claude/skills/x/.claude-plugin/plugin.json', '{"name":"x"}'],
    ['a plug-in in a folder below', 'sub/.claude/skills/x/.claude-plugin/plugin.json', '{"name":"x"}'],
    ['a head without an end', '.claude/skills/x/SKILL.md', '---\nhooks: {}'],
  ])('goes to `ambit approvals` if a hook could answer it: %s', async (_, file, text) => {
    const place = new HookPlace();
    place.write(file, text);
    expect(await isAskedBy(place)).toBe('approvals');
  });

  it.each([
    ['none', 'README.md', 'hooks: x'],
    ['another event', '.claude/settings.json', allows.replace('PermissionRequest', 'PostToolUse')],
    ['a skill about hooks', '.claude/skills/x/SKILL.md', withHead('description: "React hooks\\n and more"')],
    ['a text below the head', '.claude/agents/x.md', `${withHead('model: x')}hooks: x\n`],
    ['a page of a skill', '.claude/skills/x/more/page.md', inHead],
    ['a skill in no folder of Claude Code', 'sub/skills/x/SKILL.md', inHead],
    ['a skill next to a program', '.claude/skills/x/SKILL.md', withHead('model: x')],
    ['a disabled plug-in', '.claude/settings.json', '{"enabledPlugins":{"x@y":false}}'],
  ])('goes to the user if no hook answers it: %s', async (_, file, text) => {
    const place = new HookPlace();
    place.write(file, text);
    expect(await isAskedBy(place)).toBe('client');
  });

  const adding = (...folders: readonly string[]) =>
    JSON.stringify({ permissions: { additionalDirectories: folders } });
  it.each([
    ['named after an option', '../added/.claude/skills/x/SKILL.md', inHead, ['--add-dir', 'src', '../added']],
    ['named in an option', '../added/.claude/agents/x.md', inHead, ['--add-dir=../added']],
    [
      'with plug-ins',
      '../added/.claude/settings.json',
      '{"enabledPlugins":{"x@y":["1"]}}',
      ['--add-dir', '../added', '-c'],
    ],
    ['with a skill below', '../added/a/.claude/skills/x/SKILL.md', inHead, ['--add-dir', '../added']],
    ['with settings', '../more.json', allows, ['--settings', '../more.json']],
    ['with settings as text', 'x', '', ['--settings', allows]],
    ['with settings as text after a blank', 'x', '', ['--settings', ` ${allows}`]],
    ['with a file that is not settings', 'x', '', ['--settings=../more.md']],
    ['of a plug-in', 'x', '', ['--plugin-dir', '../added']],
    ['of a plug-in in an option', 'x', '', ['--plugin-url=http://127.0.0.1/x.zip']],
    ['in an unknown option', 'x', '', ['--new', '../added']],
    ['in combined short options', 'x', '', ['-cp']],
    [
      'after another',
      '../added/.claude/agents/x.md',
      inHead,
      ['--add-dir', 'a', '-c', '--add-dir', '../added'],
    ],
    ['in the home', '../home/x/.claude/agents/x.md', inHead, ['--add-dir=~/x']],
    ['in a folder called `~`', '~/x/.claude/agents/x.md', inHead, ['--add-dir=~/x']],
    ['with non-ASCII letters', '../déjà/.claude/agents/x.md', inHead, ['--add-dir', '../déjà']],
    ['like an option', '-x/.claude/agents/x.md', inHead, ['--add-dir', '-x']],
    [
      'after a value that resembles an option',
      '../added/.claude/agents/x.md',
      inHead,
      ['-n', '-p', '--add-dir', '../added'],
    ],
    ['from a new work tree', 'x', '', ['--worktree', 'y', '--add-dir', '../added']],
  ])(
    'goes to `ambit approvals` if the command line adds a place with a hook: one %s',
    async (_, file, text, words) => {
      const place = new HookPlace();
      place.write(file, text);
      expect(await isAskedBy(place, '.', words)).toBe('approvals');
      expect(await isAskedBy(new HookPlace(), '.', words)).toBe(file === 'x' ? 'approvals' : 'client');
    },
  );

  it.each([
    ['an absolute folder with a new work tree', ['--worktree', '--add-dir', '/nowhere']],
    ['arguments after `--`', ['-c', '--', '--plugin-dir', '{']],
    [
      'known options',
      ['--model', 'x', '--resume', '-c', '--verbose', '--allowedTools', 'Bash', 'Read', '-d'],
    ],
    ['a prompt', ['{"hooks":{}}']],
  ])('goes to the user if the command line adds no such place: %s', async (_, words) => {
    expect(await isAskedBy(new HookPlace(), '.', words)).toBe('client');
  });

  it.each(['CLAUDE_CONFIG_DIR', 'HOME'])(
    'goes to `ambit approvals` if a hook is in the folder that %s of the agent names',
    async (name) => {
      const place = new HookPlace();
      place.write(`../other${name === 'HOME' ? '/.claude' : ''}/agents/x.md`, inHead);
      const variables = { HOME: place.home, [name]: join(place.base, 'other') };
      const options = { startedBy: place.agentIn(variables) };
      expect(decided(await place.answer(place.bash('unknown-program'), options))[0]).toBe('deny');
      const usual = { startedBy: place.agentIn({ HOME: place.home }) };
      const other = { ...place.bash('unknown-program'), session_id: 'session-2' };
      expect(decided(await place.answer(other, usual))[0]).toBe('ask');
    },
  );

  it('goes to `ambit approvals` if the command line of the agent is unknown', async () => {
    for (const startedBy of [2 ** 30, new HookPlace().agentIn({})]) {
      const place = new HookPlace();
      const [decision, reason] = decided(await place.answer(place.bash('unknown-program'), { startedBy }));
      expect([decision, reason]).toEqual(['deny', expect.stringContaining('ambit approvals approve')]);
    }
    const place = new HookPlace();
    const startedBy = place.agent('title', '--plugin-dir', 'x');
    const title = `/proc/${startedBy}/cmdline`;
    while (!readFileSync(title, 'utf8').startsWith('claude\0')) await wait(20);
    expect(decided(await place.answer(place.bash('unknown-program'), { startedBy }))[0]).toBe('deny');
  });

  it.each([
    ['.claude/settings.json', adding('../added')],
    ['../home/.claude/settings.json', adding('src', '~/../added')],
  ])('goes to `ambit approvals` if %s names a folder with a hook', async (file, text) => {
    const place = new HookPlace();
    place.write(file, text);
    expect(await isAskedBy(place)).toBe('client');
    const other = new HookPlace();
    other.write(file, text);
    other.write('../added/.claude/skills/x/SKILL.md', inHead);
    expect(await isAskedBy(other)).toBe('approvals');
  });

  it('is void when a hook appears in an added folder', async () => {
    const place = new HookPlace();
    place.write('.claude/settings.json', adding('../added'));
    expect(decided(await place.answer(place.bash('ls')))[0]).toBe('allow');
    place.write('../added/.claude/agents/x.md', inHead);
    expect(decided(await place.answer(place.bash('ls')))[0]).toBe('deny');
  });

  it('goes to `ambit approvals` if the session began in a folder with its own settings', async () => {
    const place = new HookPlace();
    place.write('sub/.claude/settings.json', allows);
    expect(await isAskedBy(place, 'sub')).toBe('approvals');
    const root = new HookPlace();
    root.write('.claude/settings.json', '{}');
    root.write('skills/x/SKILL.md', inHead);
    symlinkSync(join(root.project, 'skills'), join(root.project, '.claude/skills'));
    expect(await isAskedBy(root)).toBe('approvals');
  });

  it('goes to `ambit approvals` if a parent folder or the main work tree has the hook', async () => {
    const between = new HookPlace();
    between.write('a/.claude/agents/x.md', inHead);
    mkdirSync(join(between.project, 'a/b'));
    expect(await isAskedBy(between, 'a/b')).toBe('approvals');
    const bare = new HookPlace();
    rmSync(join(bare.project, '.git'), { recursive: true });
    bare.write('../.claude/skills/x/SKILL.md', inHead);
    expect(await isAskedBy(bare)).toBe('approvals');
    const above = new HookPlace();
    above.write('../.claude/skills/x/SKILL.md', inHead);
    expect(await isAskedBy(above)).toBe('client');
    const linked = new HookPlace();
    linked.write('tree/.git', `gitdir: ${linked.base}/main/.git/worktrees/tree\n`);
    linked.write('../main/.claude/commands/x.md', inHead);
    expect(await isAskedBy(linked, 'tree')).toBe('approvals');
  });

  it('is not asked about a changed skill with hooks in a subfolder: the call is refused', async () => {
    const place = new HookPlace('version: 1\ndefault: pre_approved\n');
    const skill = place.call('Skill', { skill: 'x' });
    place.write('old/.claude/skills/y/SKILL.md', inHead);
    expect(decided(await place.answer(place.bash('ls')))[0]).toBe('allow');
    place.write('sub/.claude/skills/x/SKILL.md', withHead('model: x'));
    expect(decided(await place.answer(skill))[0]).toBe('allow');
    place.write('sub/.claude/skills/x/SKILL.md', inHead);
    utimesSync(join(place.project, 'sub/.claude/skills/x/SKILL.md'), 1, 1);
    const [decision, reason] = decided(await place.answer(skill));
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('sub/.claude/skills/x/SKILL.md')]);
  });

  it('considers skills behind circular links', async () => {
    const place = new HookPlace();
    place.write('sub/.claude/commands/x.md', inHead);
    mkdirSync(join(place.project, '.claude/commands/a'), { recursive: true });
    for (const name of ['one', 'two', 'three']) {
      symlinkSync(place.project, join(place.project, '.claude/commands/a', name));
      symlinkSync(place.base, join(place.project, name));
    }
    expect(await isAskedBy(place)).toBe('approvals');
  });

  it('ends the session if a hook appears in a skill or in the starting folder', async () => {
    for (const [file, ends] of [
      ['.claude/skills/x/SKILL.md', true],
      ['sub/.claude/settings.json', true],
      ['other/.claude/settings.json', false],
    ] as const) {
      const place = new HookPlace();
      mkdirSync(join(place.project, 'sub'));
      const call = { ...place.bash('ls'), cwd: join(place.project, 'sub') };
      place.write('.claude/skills/x/SKILL.md', withHead('model: x'));
      expect(decided(await place.answer(call))[0]).toBe('allow');
      place.write('.claude/skills/x/SKILL.md', withHead('model: y'));
      expect(decided(await place.answer(call))[0]).toBe('allow');
      place.write(file, file.endsWith('.md') ? inHead : allows);
      expect(decided(await place.answer({ ...call, cwd: place.project }))[0]).toBe(ends ? 'deny' : 'allow');
    }
  });

  it('protects the settings of the starting folder and its parents', async () => {
    const place = new HookPlace('version: 1\ndefault: pre_approved\ncapabilities: { sys.guard: blocked }\n');
    mkdirSync(join(place.project, 'a/b'), { recursive: true });
    const write = async (file: string) => {
      const args = { file_path: join(place.project, file), content: '{}' };
      return decided(await place.answer(place.call('Write', args, { cwd: join(place.project, 'a/b') })))[0];
    };
    expect(await write('a/b/.claude/settings.json')).toBe('deny');
    expect(await write('a/.mcp.json')).toBe('deny');
    expect(await write('.mcp.json')).toBe('deny');
    expect(await write('a/x.json')).toBe('allow');
  });
});

describe('third-party hooks', () => {
  const file = (scope: ReadSettings['scope'], settings: object): ReadSettings =>
    ({ file: scope, scope, settings }) as ReadSettings;
  const repository = file('project', JSON.parse(allows) as object);

  it('can answer only in Claude Code, unless managed settings exclude them', () => {
    expect(othersHooks('claude-code', [repository])).toMatchObject([
      { event: 'PermissionRequest', own: null },
    ]);
    expect(othersHooks('codex', [repository])).toEqual([]);
    const managed = file('managed', { allowManagedHooksOnly: true });
    expect(othersHooks('claude-code', [managed, repository])).toEqual([]);
    expect(
      othersHooks('claude-code', [file('user', { allowManagedHooksOnly: true }), repository]),
    ).toHaveLength(1);
  });

  it('are distinguished from Ambit’s own, even for another agent', () => {
    const place = new HookPlace();
    const command = '/x/ambit hook claude-code';
    place.write(
      '.claude/settings.json',
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ command }] }] } }),
    );
    const places = { home: place.home, project: place.project, environment: {} };
    const clients = ['claude-code', 'copilot'] as const;
    expect(clients.map((client) => isInstalled(client, places))).toEqual([true, false]);
  });

  const claudes = { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo' }] }] };
  const copilots = { preToolUse: [{ type: 'command', bash: 'echo' }] };
  it.each([
    ['copilot', '.claude/settings.json', { hooks: claudes }],
    ['copilot', '.claude/settings.local.json', { hooks: claudes }],
    ['copilot', '.github/copilot/settings.json', { hooks: copilots }],
    ['copilot', '.github/copilot/settings.local.json', { hooks: copilots }],
    ['copilot', '.github/hooks/below/x.json', { version: 1, hooks: copilots }],
    ['copilot', '../home/.copilot/hooks/below/x.json', { version: 1, hooks: copilots }],
    ['copilot', '../home/.copilot/extensions/x/extension.mjs', 'await joinSession({});'],
    ['copilot', '.github/extensions/x/extension.cjs', ''],
    ['gemini', '../linked/hooks/hooks.json', { hooks: { BeforeTool: [{ hooks: [{ command: 'x' }] }] } }],
    ['codex', 'a/.codex/hooks.json', { hooks: claudes }],
    [
      'codex',
      '../home/.codex/config.toml',
      '[plugins."x@y"]\nenabled = true\n[plugins."z@y"]\nenabled = false\n',
    ],
    ['copilot', '../home/.copilot/settings.json', { enabledPlugins: { 'x@y': true, 'z@y': false } }],
    [
      'copilot',
      '../home/.copilot/config.json',
      { installedPlugins: [{ name: 'x' }, { name: 'z', enabled: false }] },
    ],
    ['opencode', 'a/opencode.json', { plugin: ['x'] }],
    ['opencode', '.opencode/opencode.jsonc', { plugin: ['x'] }],
    ['opencode', '.opencode/tools/x.ts', {}],
    ['opencode', '../home/.config/opencode/config.json', { plugin: ['x'] }],
    ['opencode', '../home/.opencode/opencode.json', { plugin: ['x'] }],
    ['opencode', '../home/.opencode/plugin/x.js', {}],
  ] as const)('are found for %s in %s', (client, name, settings) => {
    const place = new HookPlace();
    place.write(name, typeof settings === 'string' ? settings : JSON.stringify(settings));
    const linked = { type: 'link', source: join(place.base, 'linked') };
    place.write('../home/.gemini/extensions/x/.gemini-extension-install.json', JSON.stringify(linked));
    mkdirSync(join(place.project, 'a/b'), { recursive: true });
    const places = { home: place.home, project: join(place.project, 'a/b'), environment: {} };
    expect(othersHooks(client, readSettings(client, places)).map((found) => found.file)).toEqual([
      join(place.project, name),
    ]);
  });
});
