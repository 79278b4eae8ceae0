import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  type ClientName,
  clientNames,
  type Installing,
  install,
  planInstall,
  probeClient,
  settingsFile,
  uninstall,
} from '../src/index.js';
import { withHook } from '../src/install/settings.js';
import type { StaticRule } from '../src/rules/static-rule.js';
import { HookPlace } from './place.js';

function installingIn(place: HookPlace, client: ClientName, more: Partial<Installing> = {}): Installing {
  return {
    client,
    scope: 'user',
    home: place.home,
    project: place.project,
    command: ['/usr/bin/node', '/opt/ambit/launch.cjs', 'hook', client, '--home', "/home/o'hara"],
    timeout: 30,
    random: '9f2c71',
    ...more,
  };
}

describe('probeClient', () => {
  it('says what a program printed in place of its version', async () => {
    const place = new HookPlace();
    const text = 'printf "\\033[31mError in settings.json: line 3\\033[0m\\nplease fix it\\n" >&2; exit 1';
    writeFileSync(join(place.home, 'gemini'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const found = await probeClient('gemini', { PATH: place.home });
    expect(found).toMatchObject({ version: null, said: 'Error in settings.json: line 3', isTested: false });
  });
});

/** Settings of Claude Code, as another program changes them. */
interface Changed {
  readonly hooks: Record<string, object[]>;
  readonly permissions?: { readonly deny?: string[] };
}

const own = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] };
const json: readonly ClientName[] = ['claude-code', 'codex', 'gemini'];

describe('installing a hook', () => {
  it.each(clientNames)('writes the settings of %s, and restores them byte for byte', async (client) => {
    const place = new HookPlace();
    const installing = installingIn(place, client);
    const file = settingsFile(installing);
    const planned = await planInstall(installing);
    expect(planned[0].before).toBe(null);
    await install(planned, place.environment);
    expect(readFileSync(file, 'utf8')).toContain('/opt/ambit/launch.cjs');
    expect(await uninstall(installing, place.environment)).toEqual([file]);
    expect(existsSync(file)).toBe(false);
    expect(await uninstall(installing, place.environment)).toEqual([]);
  });

  it.each(json)('keeps the existing settings of %s', async (client) => {
    const place = new HookPlace();
    const installing = installingIn(place, client);
    const file = settingsFile(installing);
    const before =
      '{\n\t"description": "x",\n\t"hooks": {"Stop": [], "PreToolUse": [{"matcher": "Bash", "hooks": []}]} }  ';
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    await install(await planInstall(installing), place.environment);
    const after = JSON.parse(readFileSync(file, 'utf8')) as {
      description: string;
      hooks: Record<string, unknown[]>;
    };
    expect(after.description).toBe('x');
    expect(after.hooks.Stop).toEqual([]);
    expect(after.hooks.PreToolUse?.[0]).toEqual({ matcher: 'Bash', hooks: [] });
    await uninstall(installing, place.environment);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('refuses unreadable settings and a second installation', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'claude-code');
    const file = settingsFile(installing);
    mkdirSync(dirname(file), { recursive: true });
    for (const text of ['{ /* comment', '[]', '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}']) {
      writeFileSync(file, text);
      await expect(planInstall(installing)).rejects.toThrow(new RegExp(`^${file}: .*(?:settings|\`hooks)`));
    }
    writeFileSync(file, '{}');
    await install(await planInstall(installing), place.environment);
    await expect(planInstall(installing)).rejects.toThrow('ambit hook uninstall');
  });

  it.each(['copilot', 'opencode'] as const)(
    'takes out a hook of %s that was installed again, also after a change',
    async (client) => {
      const place = new HookPlace();
      const installing = { ...installingIn(place, client), timeout: 20 };
      const file = settingsFile(installing);
      for (const timeout of [20, 30, 40]) {
        await install(await planInstall({ ...installing, timeout }), place.environment);
        if (timeout === 30) appendFileSync(file, '\n');
      }
      expect(await uninstall(installing, place.environment)).toContain(file);
      expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, false]);
      const elsewhere = { ...place.environment, AMBIT_HOME: join(place.base, 'elsewhere') };
      for (const environment of [elsewhere, place.environment])
        await install(await planInstall(installing), environment);
      await uninstall(installing, place.environment);
      expect(existsSync(file)).toBe(false);
    },
  );

  const odd: readonly (readonly [string, string])[] = [
    [
      'comments',
      '// mine\n{\n  // of the model\n  "description": "x", /* , } */\n  "hooks": { "Stop": [], },\n}\n',
    ],
    ['no final newline', '{"description": "x"}'],
    ['CRLF', '{\r\n    "description": "x",\r\n    "hooks": {}\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{"description":"\u00fc"}\n'],
    ['nothing', '  \n'],
    ['text like comments', '{"description": "// no /* no */ \\" // ,]"}'],
  ];
  /** The real agents ran no hook with such settings, and said nothing. */
  const unread = (client: ClientName, what: string) =>
    (client !== 'gemini' && what === 'comments') || (client === 'codex' && what === 'a byte order mark');

  it.each(
    json.flatMap((client) => odd.filter(([what]) => unread(client, what)).map((each) => [client, ...each])),
  )('refuses settings of %s with %s, which it would not read', async (client, _, before) => {
    const place = new HookPlace();
    const installing = installingIn(place, client as ClientName);
    const file = settingsFile(installing);
    mkdirSync(dirname(file), { recursive: true });
    for (const text of [before, '{"a": 1,}']) {
      writeFileSync(file, text as string);
      await expect(planInstall(installing)).rejects.toThrow(`its hooks would not run: correct ${file}`);
    }
  });

  it.each([
    { hooks: [{ type: 'command', cmd: 'x' }] },
    { hooks: [{ command: 'x' }] },
    { hooks: [{ type: 'weird', command: 'x' }] },
    { hooks: [{ type: 'http' }] },
    { hooks: [{ type: 'command', command: 'x', timeout: '10' }] },
    { hooks: [{ type: 'command', command: 'x', async: 'no' }] },
    { hooks: null },
    { matcher: 3, hooks: [] },
    null,
  ])('refuses settings with the hook %j, because of which the agent would run none', async (group) => {
    const place = new HookPlace();
    for (const client of ['claude-code', 'codex'] as const) {
      const installing = installingIn(place, client);
      const file = settingsFile(installing);
      mkdirSync(dirname(file), { recursive: true });
      for (const event of ['PreToolUse', 'Stop']) {
        writeFileSync(file, JSON.stringify({ hooks: { [event]: [group] } }));
        await expect(planInstall(installing)).rejects.toThrow(`its hooks would not run: correct ${file}`);
      }
    }
  });

  it.each([
    { model: 5 },
    { model: null },
    { env: [] },
    { permissions: { deny: 'x' } },
    { availableModels: 'x' },
    { includeCoAuthoredBy: 'yes' },
  ])('refuses settings of Claude Code with %j, because of which it would run no hook', async (settings) => {
    const place = new HookPlace();
    const installing = { ...installingIn(place, 'claude-code'), denials: [] };
    const file = settingsFile(installing);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
    const name = Object.keys(settings)[0] ?? '';
    await expect(planInstall(installing)).rejects.toThrow(
      new RegExp(`would not run: correct ${file}, which has another \`${name}`),
    );
  });

  it('refuses hooks of Codex with other settings, or with a hook that only Claude Code accepts', async () => {
    const place = new HookPlace();
    const [codex, claude] = [installingIn(place, 'codex'), installingIn(place, 'claude-code')];
    const http = { hooks: { Stop: [{ matcher: 'x', hooks: [{ type: 'http', url: 'http://a.example' }] }] } };
    for (const settings of [{ model: 'x' }, http]) {
      for (const installing of [codex, claude]) {
        mkdirSync(dirname(settingsFile(installing)), { recursive: true });
        writeFileSync(settingsFile(installing), JSON.stringify(settings));
      }
      await expect(planInstall(codex)).rejects.toThrow('its hooks would not run');
      await expect(planInstall(claude)).resolves.toHaveLength(1);
    }
  });

  it.each(
    json.flatMap((client) =>
      odd.filter(([what]) => !unread(client, what)).map((each) => [client, ...each] as const),
    ),
  )('restores settings of %s with %s', async (client, _, before) => {
    const place = new HookPlace();
    const installing = installingIn(place, client);
    const file = settingsFile(installing);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before, { mode: 0o444 });
    await install(await planInstall(installing), place.environment);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('/opt/ambit/launch.cjs');
    for (const comment of before.match(/\/\/ \w+|\/\* , } \*\//g) ?? []) expect(after).toContain(comment);
    if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(statSync(file).mode & 0o777).toBe(0o444);
    await uninstall(installing, place.environment);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o444);
  });

  it('keeps links, and writes no file that it could not restore', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'claude-code');
    const file = settingsFile(installing);
    place.write('dotfiles/settings.json', '{}');
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(join(place.project, 'dotfiles/settings.json'), file);
    await install(await planInstall(installing), place.environment);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(place.project, 'dotfiles/settings.json'), 'utf8')).toContain('launch.cjs');
    await uninstall(installing, place.environment);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('{}');
    rmSync(join(place.project, 'dotfiles'), { recursive: true });
    await expect(planInstall(installing)).rejects.toThrow('a link to nothing');
    rmSync(file);
    writeFileSync(file, Buffer.from('{"a":"\xfc"}', 'latin1'));
    await expect(planInstall(installing)).rejects.toThrow('is not UTF-8');
    writeFileSync(file, '{"hooks": {"PreToolUse": []}, "hooks": {"PreToolUse": []}}');
    await expect(planInstall(installing)).rejects.toThrow('duplicate member');
  });

  const denials: readonly StaticRule[] = [
    { decision: 'deny', subject: { about: 'shell', words: ['git', 'push'], isExact: false }, from: 'push' },
    { decision: 'deny', subject: { about: 'read', globs: ['~/.ssh/**', '/x/*'] }, from: 'keys' },
    { decision: 'deny', subject: { about: 'web', host: 'a.example' }, from: 'host' },
  ];
  it.each([
    [
      'claude-code',
      '.claude/settings.json',
      '{"permissions": {"deny": ["Bash(rm:*)"], "allow": ["Read"]}}',
      ['Bash(rm:*)', 'Bash(git push:*)', 'Read(~/.ssh)', 'Read(~/.ssh/**)', 'WebFetch(domain:a.example)'],
    ],
    ['codex', '.codex/rules/ambit.rules', null, ['(pattern = ["git","push"], decision = "forbidden")']],
    ['gemini', '.gemini/policies/ambit.toml', null, ['commandPrefix = "git push"\ndecision = "deny"']],
    ['copilot', '.copilot/settings.json', '{"deniedUrls": ["b.example"] /* mine */}', ['mine', 'a.example']],
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{"permission": "ask"}',
      ['"*": "ask"', '"git push *": "deny"', '"~/.ssh/*": "deny"'],
    ],
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{"permission": {"bash": {"git push": "ask", "*": "allow"}}}',
      ['"*": "allow",\n      "git push": "deny"'],
    ],
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{"permission": {"bash": {"*": "deny", "ls": "ask"}, "edit": "ask", "*": "allow"}}',
      ['"*": "allow",\n    "bash": {\n      "ls": "ask",\n      "*": "allow",\n      "git push": "deny"'],
    ],
  ] as const)('writes rules of %s for %s too, and removes them', async (client, name, before, wanted) => {
    const place = new HookPlace();
    const installing = installingIn(place, client, { denials });
    const file = join(place.home, name);
    mkdirSync(dirname(file), { recursive: true });
    if (before !== null) writeFileSync(file, before);
    await install(await planInstall(installing), place.environment);
    const text = readFileSync(file, 'utf8');
    for (const each of wanted) expect(text).toContain(each);
    expect(text).not.toContain('/x/*');
    await uninstall(installing, place.environment);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(before);
  });

  it('changes no file if one was modified since, or belongs to another user', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'codex', { denials });
    await install(await planInstall(installing), place.environment);
    const rules = join(place.home, '.codex/rules/ambit.rules');
    writeFileSync(rules, 'mine');
    await expect(uninstall(installing, place.environment)).rejects.toThrow('was changed since');
    expect(existsSync(settingsFile(installing))).toBe(true);
    rmSync(settingsFile(installing));
    await expect(planInstall(installing)).rejects.toThrow('did not write it');
  });

  it('removes only the folders that it created', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'opencode');
    mkdirSync(join(place.home, '.config'));
    await install(await planInstall(installing), place.environment);
    await uninstall(installing, place.environment);
    expect(readdirSync(place.home)).toEqual(['.config']);
    expect(readdirSync(join(place.home, '.config'))).toEqual([]);
  });

  it.each([
    'allowed_sandbox_modes = ["read-only"]\n[rules]\nprefix_rules = []',
    '# odd\r\n  a   =   [ 1,\r\n 2 ] # x\r\n[ "t" ] \r\n',
    '',
  ])('keeps the meaning of the requirements of Codex in %j', (before) => {
    const after = withHook(before, installingIn(new HookPlace(), 'codex', { scope: 'managed' }));
    expect(after).toContain(before);
    const { features, hooks, allow_managed_hooks_only: only, ...others } = parse(after);
    expect([features, only]).toEqual([{ hooks: true, unified_exec_tty: false }, true]);
    expect(JSON.stringify(hooks)).toContain('launch.cjs');
    expect(others).toEqual(parse(before));
  });

  it.each([
    'features.hooks = false',
    '["features"]\nhooks = false',
    'hooks = { managed_dir = "/x" }',
    'allow_managed_hooks_only = false',
    'not toml',
  ])('refuses the requirements %j', (before) => {
    const installing = installingIn(new HookPlace(), 'codex', { scope: 'managed' });
    expect(() => withHook(before, installing)).toThrow(/by hand|not TOML/);
  });

  it.each<readonly [string, object | null, (settings: Changed) => void, object]>([
    [
      'a new key',
      { model: 'a' },
      (now) => Object.assign(now, { model: 'b', more: [1] }),
      { model: 'b', more: [1] },
    ],
    ['an empty file', null, (now) => Object.assign(now, { model: 'b' }), { model: 'b' }],
    [
      'a hook of its own, and rules',
      { hooks: { PreToolUse: [own] }, permissions: { deny: ['Read(x)'] } },
      ({ hooks, permissions }) => {
        hooks.PreToolUse?.push(own);
        permissions?.deny?.unshift('Read(y)');
      },
      { hooks: { PreToolUse: [own, own] }, permissions: { deny: ['Read(y)', 'Read(x)'] } },
    ],
    [
      'the hook taken out by hand',
      { disableAllHooks: true },
      (now) => Object.assign(now, { hooks: {}, permissions: {} }),
      { disableAllHooks: true },
    ],
    ['a switch', null, (now) => Object.assign(now, { disableAllHooks: true }), { disableAllHooks: true }],
  ])('takes out only what the installation wrote, and keeps %s', async (_, before, change, wanted) => {
    const place = new HookPlace();
    const installing = installingIn(place, 'claude-code', { denials });
    const file = settingsFile(installing);
    mkdirSync(dirname(file), { recursive: true });
    if (before !== null) writeFileSync(file, JSON.stringify(before));
    await install(await planInstall(installing), place.environment);
    const now = JSON.parse(readFileSync(file, 'utf8')) as Changed;
    change(now);
    writeFileSync(file, JSON.stringify(now));
    expect(await uninstall(installing, place.environment)).toEqual([file]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(wanted);
    expect(await uninstall(installing, place.environment)).toEqual([]);
  });

  it('leaves an empty member as it was written, in settings that were changed since', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'claude-code', { denials });
    const file = settingsFile(installing);
    const before = '{\n\t"model": "a",\n\t"hooks": {},\n\t"permissions": {},\n\t"env": {}\n}\n';
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    await install(await planInstall(installing), place.environment);
    const changed = (text: string) => text.replace('"a"', '"b"');
    writeFileSync(file, changed(readFileSync(file, 'utf8')));
    await uninstall(installing, place.environment);
    expect(readFileSync(file, 'utf8')).toBe(changed(before));
  });

  it('removes its file if only blanks were changed since', async () => {
    const place = new HookPlace();
    const installing = installingIn(place, 'gemini');
    await install(await planInstall(installing), place.environment);
    const file = settingsFile(installing);
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    await uninstall(installing, place.environment);
    expect(existsSync(file)).toBe(false);
  });

  it.each<readonly [string, (text: string) => string]>([
    ['whose hook has another argument', (text) => text.replace(/"--home"/g, '"--hom"')],
    ['that are no longer JSON', (text) => text.slice(1)],
    ['with a duplicate member', (text) => text.replace('{', '{ "hooks": {},')],
  ])('changes no settings %s', async (_, change) => {
    const place = new HookPlace();
    const installing = installingIn(place, 'claude-code');
    const settings = settingsFile(installing);
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{ "model": "a" }');
    await install(await planInstall(installing), place.environment);
    const changed = change(readFileSync(settings, 'utf8'));
    writeFileSync(settings, changed);
    await expect(uninstall(installing, place.environment)).rejects.toThrow('was changed since');
    expect(readFileSync(settings, 'utf8')).toBe(changed);
  });

  it('closes the off-switches of each client', () => {
    const place = new HookPlace();
    const claude = JSON.parse(
      withHook(null, installingIn(place, 'claude-code', { scope: 'managed' })),
    ) as object;
    expect(claude).toMatchObject({ disableAllHooks: false, allowManagedHooksOnly: true });
    expect(JSON.stringify(claude)).toContain('"onFailure":"block"');
    const codex = withHook('# mine\n[other]\na = 1\n', installingIn(place, 'codex', { scope: 'managed' }));
    for (const line of [
      'allow_managed_hooks_only = true',
      'hooks = true',
      'unified_exec_tty = false',
      '# mine',
    ])
      expect(codex).toContain(line);
    expect(() =>
      withHook('[features]\nhooks = false\n', installingIn(place, 'codex', { scope: 'managed' })),
    ).toThrow('by hand');
    const gemini = JSON.parse(withHook(null, installingIn(place, 'gemini'))) as { hooksConfig: object };
    expect(gemini.hooksConfig).toEqual({ enabled: true });
    expect(JSON.stringify(gemini)).toContain('ambit-9f2c71');
    expect(() => settingsFile(installingIn(place, 'copilot', { scope: 'managed' }))).toThrow('copilot');
  });

  it.each([
    ['is killed', ['/bin/sh', '-c', 'kill -9 $$'], 'Killed'],
    ['is missing', ['/missing/node'], 'No such file'],
    ['ends with 1', ['/bin/sh', '-c', 'echo broken >&2; exit 1'], 'broken'],
    ['hangs', ['/bin/sleep', '600'], ''],
    ['refuses', ['/bin/sh', '-c', 'echo "ambit: no policy" >&2; exit 2'], null],
  ] as const)('exits with 2 and a message if the program %s', (_, command, said) => {
    const place = new HookPlace();
    const limiter = ['/usr/bin/timeout', '--foreground', '-s', 'KILL', '1'];
    const text = withHook(null, installingIn(place, 'codex', { command: [...command], limiter }));
    const { hooks } = JSON.parse(text) as { hooks: { PreToolUse: { hooks: { command: string }[] }[] } };
    const line = hooks.PreToolUse[0]?.hooks[0]?.command ?? '';
    const { status, stderr, stdout } = spawnSync('sh', ['-c', line], { input: '{}', encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    if (said === null) expect(stderr).toBe('ambit: no policy\n');
    else {
      expect(stderr).toContain(said);
      expect(stderr).toContain('the hook failed; the call is refused');
    }
  });

  it('quotes words that a shell would interpret', () => {
    const place = new HookPlace();
    expect(withHook(null, installingIn(place, 'codex'))).toContain(`'/home/o'\\\\''hara'`);
    expect(join(place.home, '.codex/hooks.json')).toBe(settingsFile(installingIn(place, 'codex')));
  });
});
