import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DecisionEvent } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { unguardedSessions } from '../src/doctor/transcripts.js';
import { HookPlace } from './place.js';

const use = (id: string, input = '{}') =>
  `{"message":{"content":[{"type":"tool_use","id":"${id}","name":"Bash","input":${input}}]}}\n`;

describe('a transcript of Claude Code', () => {
  it.each<readonly [string, string, string | Buffer]>([
    ['behind a link to its folder', 'linked/a.jsonl', use('toolu_00000001')],
    ['in the folder of a sub-agent', 'p/a/subagents/agent.jsonl', use('toolu_00000001')],
    ['with very deep arguments', 'p/a.jsonl', use('toolu_00000001', '['.repeat(300) + ']'.repeat(300))],
    ['with a damaged line', 'p/a.jsonl', `${use('toolu_00000001').slice(0, 80)}\n${'{}\n'}`],
    ['in another encoding', 'p/a.jsonl', Buffer.from(use('toolu_00000001'), 'utf16le')],
    ['with a line that is still being written', 'p/a.jsonl', use('toolu_00000001') + use('x').slice(0, 9)],
  ])('is unguarded %s', async (_, name, text) => {
    const place = new HookPlace();
    const [projects, elsewhere] = [join(place.home, '.claude/projects'), join(place.base, 'elsewhere')];
    for (const folder of [projects, elsewhere]) mkdirSync(folder, { recursive: true });
    symlinkSync(elsewhere, join(projects, 'linked'));
    symlinkSync(join(place.base, 'nothing'), join(projects, 'nothing.jsonl'));
    const file = join(projects, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, 1, 1);
    const places = { home: place.home, project: place.project, environment: {} };
    const asked = { places, since: 1_000_000, logged: [], within: null, scripted: new Set<string>() };
    const found = await unguardedSessions('claude-code', asked);
    expect(found.map(({ uses, missing }) => [uses, missing])).toEqual([[1, 1]]);
  });
});

describe('a session without a decision', () => {
  it.each([
    [
      'that ended before the first decision of all is not counted as one that the hook missed',
      9e15,
      null,
      true,
    ],
    ['that went on after it is', 1, null, false],
    ['that went on after it is, with a hook of this project', 1, '/state/here', false],
    ['is compared with decisions of this project, if the hook is only for it', 1, '/state/other', true],
  ])('%s', async (_, now, within, isEarlier) => {
    const place = new HookPlace();
    const folder = join(place.home, '.claude/projects');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.jsonl'), use('toolu_00000001'));
    const decisions = [{ call: 'c', now } as DecisionEvent];
    const found = await unguardedSessions('claude-code', {
      places: { home: place.home, project: place.project, environment: {} },
      since: 0,
      logged: [
        { run: 'claude-code-b', folder: '/state/here', decisions },
        {
          run: 'claude-code-c',
          folder: '/state/other',
          decisions: [{ call: 'd', now: 9e15 } as DecisionEvent],
        },
      ],
      within,
      scripted: new Set<string>(),
    });
    expect(found.map((each) => each.isEarlier)).toEqual([isEarlier]);
  });
});

describe('a transcript of Codex in code mode', () => {
  const script = (name: string) =>
    `{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"call_1","name":"${name}"}}\n`;
  const ran = (id: string) =>
    `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"${id}"}}}\n`;

  it.each([
    ['whose script made logged calls only is guarded', ['exec-1'], ['exec-1'], []],
    ['whose script made a call that the log lacks is not', ['exec-1', 'exec-2'], ['exec-1'], [[2, 1]]],
    ['of a session without a hook is not', [], null, [[1, 1]]],
  ])('%s', async (_, calls, logged, expected) => {
    const place = new HookPlace();
    const folder = join(place.home, '.codex/sessions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.jsonl'), script('exec') + calls.map(ran).join(''));
    const decisions = (logged ?? []).map((call) => ({ call }) as DecisionEvent);
    const found = await unguardedSessions('codex', {
      places: { home: place.home, project: place.project, environment: {} },
      since: 0,
      logged: logged === null ? [] : [{ run: 'codex-a', folder: '/state', decisions }],
      within: null,
      scripted: new Set<string>(),
    });
    expect(found.map(({ uses, missing }) => [uses, missing])).toEqual(expected);
  });
});
