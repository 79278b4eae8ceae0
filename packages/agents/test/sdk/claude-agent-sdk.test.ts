import { describe, expect, it } from 'vitest';
import { ambitOptions } from '../../src/sdk/claude-agent-sdk.js';
import { HookPlace, loggedEvents } from '../place.js';

describe('a hook of the Claude Agent SDK', () => {
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

  it.each<[string, object, string]>([
    ['a path as policies', { policies: '/policy.yaml' }, '`policies` must be a list of absolute paths'],
    ['a relative path', { policies: ['policy.yaml'] }, '`policies` must be a list of absolute paths'],
    ['no policies', { policies: undefined }, '`policies` must be a list of absolute paths'],
    ['no time', { timeout: Number.NaN }, '`timeout` must be a number of seconds'],
    ['a text to ask', { ask: 'yes' }, '`ask` must be a function'],
  ])('is not made with %s', (_what, options, message) => {
    expect(() => ambitOptions({ policies: ['/policy.yaml'], ...options })).toThrow(message);
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

  it('asks about each call with a repeated id, and records its own answer and outcome', async () => {
    const place = new HookPlace();
    const answers = [true, false];
    const ask = async () => answers.shift() === true;
    const { hooks, canUseTool } = ambitOptions({ policies: [place.policy], state: place.state, ask });
    const [id, command] = ['toolu_00000001', 'echo > new.txt'] as const;
    const call = (event = 'PreToolUse') => place.bash(command, { tool_use_id: id, hook_event_name: event });
    const asked = async () => (await canUseTool('Bash', { command }, { toolUseID: id })).behavior;
    for (const _ of answers) await hooks.PreToolUse[0]?.hooks[0]?.(call());
    expect([await asked(), await asked(), await asked()]).toEqual(['allow', 'deny', 'deny']);
    await hooks.PostToolUse[0]?.hooks[0]?.(call('PostToolUse'));
    const told = loggedEvents(place).slice(2);
    const first = told.filter((each) => each.call === id);
    const words = (events: typeof told) =>
      events.map(({ event, decision, outcome, approved }) =>
        [event, decision ?? outcome ?? approved].join(' '),
      );
    expect(words(first)).toEqual(['decision needs_approval', 'approval true', 'outcome completed']);
    const others = told.filter((each) => each.call !== id);
    expect(words(others)).toEqual(['decision needs_approval', 'approval false', 'outcome refused']);
  });

  it('records that a permitted call did not run if the user refuses it', async () => {
    const place = new HookPlace();
    const ask = async () => false;
    const { hooks, canUseTool } = ambitOptions({ policies: [place.policy], state: place.state, ask });
    const call = place.bash('ls', { tool_use_id: 'toolu_00000001' });
    await hooks.PreToolUse[0]?.hooks[0]?.(call);
    const options = { toolUseID: 'toolu_00000001' };
    expect((await canUseTool('Bash', { command: 'ls' }, options)).behavior).toBe('deny');
    expect(loggedEvents(place).at(-1)).toMatchObject({
      outcome: 'failed',
      error: 'the user refused this call',
    });
  });
});
