import { describe, expect, it } from 'vitest';
import { HookPlace, loggedEvents } from './place.js';

describe('a search of Gemini without a folder', () => {
  const call = (place: HookPlace, tool: string, args: object, event = 'BeforeTool') => ({
    session_id: 's',
    cwd: place.project,
    hook_event_name: event,
    tool_name: tool,
    tool_input: args,
  });

  it.each(['glob', 'grep_search', 'search_file_content'])('is kept to the judged one: %s', async (tool) => {
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
  });

  it('runs unchanged with one', async () => {
    const place = new HookPlace();
    const own = call(place, 'grep_search', { pattern: 'x', dir_path: 'src' });
    place.write('src/a', 'x');
    const { stdout } = await place.answer(own, { client: 'gemini' });
    expect(JSON.parse(stdout)).toEqual({ decision: 'allow' });
  });
});
