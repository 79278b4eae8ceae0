import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HookPlace, loggedEvents } from './place.js';

describe('a search of Gemini', () => {
  const call = (place: HookPlace, tool: string, args: object, event = 'BeforeTool') => ({
    session_id: 's',
    cwd: place.project,
    hook_event_name: event,
    tool_name: tool,
    tool_input: args,
  });

  it.each(['glob', 'grep_search', 'search_file_content'])(
    'without a folder runs in the folder of the call: %s',
    async (tool) => {
      const place = new HookPlace();
      const judged = { pattern: 'x', dir_path: '.' };
      for (const given of [{ pattern: 'x' }, { pattern: 'x', dir_path: '' }]) {
        const { stdout } = await place.answer(call(place, tool, given), { client: 'gemini' });
        expect(JSON.parse(stdout)).toEqual({
          decision: 'allow',
          hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: judged },
        });
        await place.answer(call(place, tool, judged, 'AfterTool'), { client: 'gemini' });
      }
      const events = loggedEvents(place).filter(({ event }) => event === 'decision' || event === 'outcome');
      expect(events).toMatchObject([
        { args: judged, decision: 'pre_approved' },
        { outcome: 'completed' },
        { args: judged, decision: 'pre_approved' },
        { outcome: 'completed' },
      ]);
    },
  );

  it('runs unchanged if it names a folder', async () => {
    const place = new HookPlace();
    const own = call(place, 'grep_search', { pattern: 'x', dir_path: 'src' });
    place.write('src/a', 'x');
    const { stdout } = await place.answer(own, { client: 'gemini' });
    expect(JSON.parse(stdout)).toEqual({ decision: 'allow' });
  });
});

describe('a command of Codex', () => {
  const script = "function f\n{ echo 'x'; }";
  const inBash = `/bin/bash -c 'function f\n{ echo '\\''x'\\''; }'`;

  /** The command that Codex runs, given the shells that its transcript has for the call; null for its own. */
  async function commandOf(place: HookPlace, shells: readonly object[] | null, more: object = {}) {
    const id = 'call_00000001';
    const line = (shell: object, call_id = id) =>
      JSON.stringify({
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: script, ...shell }),
          call_id,
          ...more,
        },
      });
    const lines = [line({ shell: 'sh' }, 'other'), ...(shells ?? []).map((shell) => line(shell))];
    place.write('transcript.jsonl', `${'x'.repeat(1_500_000)}\n${lines.join('\n')}\n`);
    const at = { transcript_path: join(place.project, 'transcript.jsonl'), tool_use_id: id };
    const input = place.bash(script, shells === null ? {} : at);
    const { stdout } = await place.answer(input, { client: 'codex' });
    const { updatedInput } =
      stdout === '' ? {} : (JSON.parse(stdout) as { hookSpecificOutput: Hooked }).hookSpecificOutput;
    return updatedInput?.command ?? null;
  }
  interface Hooked {
    readonly updatedInput?: { readonly command: string };
  }

  const place = () => new HookPlace('version: 1\ndefault: pre_approved\n');

  it.each([
    [[{ shell: '/bin/sh' }]],
    [[{ shell: 'zsh' }]],
    [[{ shell: '/home/mine/bash' }]],
    [[{ shell: null }]],
    [[{ shell: 'bash' }, { shell: 'sh' }]],
    [[]],
    [null],
  ])('runs in the described bash if its shell is another one or unknown: %j', async (shells) => {
    expect(await commandOf(place(), shells)).toBe(inBash);
  });

  it('runs unchanged in bash', async () => {
    expect(await commandOf(place(), [{ shell: 'bash' }])).toBe(null);
    expect(await commandOf(place(), [{ shell: '/usr/bin/bash' }])).toBe(null);
    // The shell of this user.
    const isBash = userInfo().shell?.endsWith('/bin/bash') === true;
    expect(await commandOf(place(), [{}])).toBe(isBash ? null : inBash);
  });

  it('runs in the described bash if the transcript names another tool', async () => {
    expect(await commandOf(place(), [{ shell: 'bash' }], { name: 'new_tool' })).toBe(inBash);
    expect(await commandOf(place(), [{ shell: 'bash' }], { type: 'custom_tool_call' })).toBe(inBash);
  });
});
