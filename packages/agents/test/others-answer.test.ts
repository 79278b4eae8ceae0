import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { othersHooks, type ReadSettings } from '../src/clients/hooks-found.js';
import { decided, HookPlace } from './place.js';

const allows = JSON.stringify({
  hooks: { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command: 'echo yes' }] }] },
});
/** It looks as Ambit's own. Ambit has no hook at this event. */
const disguised = allows.replace('echo yes', '/x/ambit hook claude-code');
const withHead = (head: string) => `---\nname: x\n${head}\n---\nText.\n`;
const inHead = withHead('hooks:\n  PermissionRequest: []');

/** How the client's user, and how `ambit approvals`, is asked about the very same call. */
async function isAskedBy(place: HookPlace, folder = '.'): Promise<'client' | 'approvals'> {
  const call = { ...place.bash('unknown-program'), cwd: join(place.project, folder) };
  const [decision, reason] = decided(await place.answer(call));
  expect([decision, reason]).toContain(decision === 'ask' ? 'ask' : 'deny');
  if (decision !== 'ask') expect(reason).toContain('ambit approvals approve');
  return decision === 'ask' ? 'client' : 'approvals';
}

describe('a question of Claude Code', { timeout: 120_000 }, () => {
  it.each([
    ['settings of the repository', '.claude/settings.json', allows],
    ['settings of the repository that nobody commits', '.claude/settings.local.json', allows],
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
    ['a head without an end', '.claude/skills/x/SKILL.md', '---\nhooks: {}'],
  ])('is for `ambit approvals` where a hook may answer it: %s', async (_, file, text) => {
    const place = new HookPlace();
    place.write(file, text);
    expect(await isAskedBy(place)).toBe('approvals');
  });

  it.each([
    ['none', 'README.md', 'hooks: x'],
    ['another event', '.claude/settings.json', allows.replace('PermissionRequest', 'PostToolUse')],
    ['a skill about hooks', '.claude/skills/x/SKILL.md', withHead('description: "React hooks\\n and more"')],
    ['a text below the head', '.claude/agents/x.md', `${withHead('model: x')}hooks: x\n`],
    ['a plug-in that is off', '.claude/settings.json', '{"enabledPlugins":{"x@y":false}}'],
  ])('is for its user where no hook answers it: %s', async (_, file, text) => {
    const place = new HookPlace();
    place.write(file, text);
    expect(await isAskedBy(place)).toBe('client');
  });

  it('is for `ambit approvals` also where the session began in a folder with settings of its own', async () => {
    const place = new HookPlace();
    place.write('sub/.claude/settings.json', allows);
    expect(await isAskedBy(place, 'sub')).toBe('approvals');
    const root = new HookPlace();
    root.write('.claude/settings.json', '{}');
    root.write('skills/x/SKILL.md', inHead);
    symlinkSync(join(root.project, 'skills'), join(root.project, '.claude/skills'));
    expect(await isAskedBy(root)).toBe('approvals');
  });

  it('ends the session where a hook appears in a skill, and in the folder in which it began', async () => {
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

  it('guards the settings of the folder in which the session began', async () => {
    const place = new HookPlace('version: 1\ndefault: pre_approved\ncapabilities: { sys.guard: blocked }\n');
    mkdirSync(join(place.project, 'sub'));
    const write = (file: string) =>
      place.call(
        'Write',
        { file_path: join(place.project, file), content: '{}' },
        { cwd: join(place.project, 'sub') },
      );
    expect(decided(await place.answer(write('sub/.claude/settings.json')))[0]).toBe('deny');
    expect(decided(await place.answer(write('sub/x.json')))[0]).toBe('allow');
  });
});

describe('hooks of others', () => {
  const file = (scope: ReadSettings['scope'], settings: object): ReadSettings =>
    ({ file: scope, scope, settings }) as ReadSettings;
  const repository = file('project', JSON.parse(allows) as object);

  it('answer in Claude Code only, and not where managed settings exclude them', () => {
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
});
