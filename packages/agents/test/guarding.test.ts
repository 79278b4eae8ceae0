import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decided, HookPlace, loggedEvents } from './place.js';

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('a guarded file that changes between two hooks of a session', () => {
  const settings = (place: HookPlace) => join(place.home, '.claude/settings.json');
  const hooked = JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [] }] } });

  it.each([
    ['changes', (place: HookPlace) => writeTo(settings(place), '{"hooks":{}}')],
    ['is gone', (place: HookPlace) => rmSync(settings(place))],
    [
      'appears in the project',
      (place: HookPlace) => place.write('.claude/settings.local.json', '{"disableAllHooks":true}'),
    ],
    ['is broken', (place: HookPlace) => writeTo(settings(place), '{')],
  ])('ends the session if it %s', async (_, change) => {
    const place = new HookPlace();
    writeTo(settings(place), hooked);
    const call = place.bash('echo hi > out/a', { tool_use_id: 'toolu_00000001' });
    expect(decided(await place.answer(call))[0]).toBe('allow');
    change(place);
    const again = place.bash('ls', { tool_use_id: 'toolu_00000002' });
    const [decision, reason] = decided(await place.answer(again));
    expect(decision).toBe('deny');
    expect(reason).toMatch(/agent settings .*; look at it, then begin a new run or session$/);
    expect(loggedEvents(place).some(({ event }) => event === 'guard_changed')).toBe(true);
    // Restored settings had been out of force meanwhile.
    rmSync(join(place.project, '.claude'), { recursive: true, force: true });
    writeTo(settings(place), hooked);
    const restored = decided(await place.answer(place.bash('ls')));
    expect(restored[0]).toBe('deny');
    expect(restored[1]).toContain('begin a new session');
    // The outcome of the call before is recorded all the same.
    await place.answer({ ...call, hook_event_name: 'PostToolUse' });
    expect(loggedEvents(place).at(-1)).toMatchObject({ event: 'outcome', call: 'toolu_00000001' });
    const fresh = { ...place.bash('ls'), session_id: 'session-2' };
    expect(decided(await place.answer(fresh))[0]).toBe('allow');
  });

  it('does not end the session if the agent saves a permission or a theme', async () => {
    const place = new HookPlace();
    writeTo(settings(place), hooked);
    await place.answer(place.bash('ls'));
    const more = { ...(JSON.parse(hooked) as object), permissions: { allow: ['Bash(ls)'] }, theme: 'dark' };
    writeTo(settings(place), JSON.stringify(more));
    place.write('.claude/settings.local.json', '{"permissions":{"allow":[]}}');
    // A new file is one that a later hook may stand in.
    expect(decided(await place.answer(place.bash('ls')))[0]).toBe('deny');
    rmSync(join(place.project, '.claude'), { recursive: true });
    const fresh = { ...place.bash('ls'), session_id: 'session-2' };
    expect(decided(await place.answer(fresh))[0]).toBe('allow');
    writeTo(settings(place), JSON.stringify({ ...more, theme: 'light' }));
    expect(decided(await place.answer(fresh))[0]).toBe('allow');
  });

  it('makes the hook refuse calls if its saved digests are damaged', async () => {
    const place = new HookPlace();
    await place.answer(place.bash('ls'));
    const folder = join(place.state, 'sessions');
    const [name = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, name), 'utf8')).toContain('"guards"');
    for (const text of ['', '/', '{', '{}', '{"project":"/"}']) {
      writeFileSync(join(folder, name), text);
      expect(await place.answer(place.bash('ls'))).toMatchObject({ exit: 2, stdout: '' });
    }
  });
});
