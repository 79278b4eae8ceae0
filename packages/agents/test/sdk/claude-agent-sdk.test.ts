import { describe, expect, it } from 'vitest';
import { ambitOptions } from '../../src/sdk/claude-agent-sdk.js';
import { HookPlace } from '../place.js';

describe('a hook of the Claude Agent SDK', { timeout: 60_000 }, () => {
  it.each(['PreToolUse', 'PreSkillShellCommand'] as const)('answers %s in its own words', async (event) => {
    const place = new HookPlace();
    const { hooks } = ambitOptions({ policies: [place.policy], state: place.state });
    const [matcher] = hooks[event];
    const decided = async (command: string) => {
      const answer = await matcher?.hooks[0]?.(place.bash(command, { hook_event_name: event }));
      return [answer?.hookSpecificOutput.hookEventName, answer?.hookSpecificOutput.permissionDecision];
    };
    expect(await decided('ls')).toEqual([event, 'allow']);
    expect(await decided('echo > made.txt')).toEqual([event, 'deny']);
    expect(await decided('echo > new.txt')).toEqual([event, event === 'PreToolUse' ? 'ask' : 'deny']);
  });

  it('runs nothing after an abort, whatever the user says then', async () => {
    const place = new HookPlace();
    const aborting = new AbortController();
    const ask = async () => {
      aborting.abort();
      return true;
    };
    const { hooks, canUseTool } = ambitOptions({ policies: [place.policy], state: place.state, ask });
    const call = place.bash('echo > new.txt', { tool_use_id: 'toolu_00000001' });
    await hooks.PreToolUse[0]?.hooks[0]?.(call);
    const options = { toolUseID: 'toolu_00000001', signal: aborting.signal };
    expect((await canUseTool('Bash', { command: 'echo > new.txt' }, options)).behavior).toBe('deny');
  });
});
