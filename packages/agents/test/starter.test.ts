import { starterPolicy } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import type { ClientName } from '../src/index.js';
import { HookPlace, loggedEvents } from './place.js';

function callOf(place: HookPlace, client: ClientName, tool: string, args: object): object {
  const { project: cwd } = place;
  if (client === 'copilot') return { sessionId: 's', cwd, toolName: tool, toolArgs: args };
  if (client === 'opencode')
    return { input: { tool, sessionID: 's', callID: 'call_00000001' }, args, directory: cwd };
  const event = client === 'gemini' ? 'BeforeTool' : 'PreToolUse';
  return { session_id: 's', cwd, hook_event_name: event, tool_name: tool, tool_input: args };
}

async function decisionOn(client: ClientName, tool: string, args: object): Promise<unknown> {
  const place = new HookPlace(starterPolicy('coding'));
  place.write('.gitignore', '.env\n');
  place.write('conf/.env', 'KEY=1');
  place.write('src/a.ts', 'KEY');
  await place.answer(callOf(place, client, tool, args), { client });
  return loggedEvents(place).findLast(({ event }) => event === 'decision')?.decision;
}

describe('the preset `coding` in an agent', () => {
  it.each<[ClientName, string, object]>([
    ['claude-code', 'TodoWrite', { todos: [] }],
    ['claude-code', 'TaskUpdate', { taskId: '1', status: 'completed' }],
    ['claude-code', 'BashOutput', { bash_id: '1' }],
    ['claude-code', 'ToolSearch', { query: 'x' }],
    ['claude-code', 'TaskStop', { task_id: '1' }],
    ['claude-code', 'KillShell', { shell_id: '1' }],
    ['claude-code', 'ListAgents', {}],
    ['claude-code', 'ReportFindings', { findings: [] }],
    ['claude-code', 'CronList', {}],
    ['codex', 'update_plan', { plan: [] }],
    ['codex', 'multi_agent_v1close_agent', { target: '1' }],
    ['codex', 'multi_agent_v1resume_agent', { id: '1' }],
    ['gemini', 'list_background_processes', {}],
    ['gemini', 'read_background_output', { pid: 1 }],
    ['gemini', 'enter_plan_mode', { reason: 'x' }],
    ['claude-code', 'EnterPlanMode', {}],
    ['gemini', 'exit_plan_mode', { plan_path: 'x' }],
    ['opencode', 'plan_exit', {}],
    ['opencode', 'invalid', { tool: 'x', error: 'y' }],
    ['copilot', 'stop_bash', { shellId: '1' }],
    ['copilot', 'list_agents', {}],
    ['gemini', 'write_todos', { todos: [] }],
    ['copilot', 'report_intent', { intent: 'x' }],
    ['copilot', 'read_bash', { shellId: '1', delay: 1 }],
    ['opencode', 'todowrite', { todos: [] }],
    ['opencode', 'question', { questions: [] }],
    ['claude-code', 'Agent', { description: 'x', prompt: 'x', subagent_type: 'helper' }],
    ['gemini', 'invoke_agent', { agent_name: 'helper', prompt: 'x' }],
  ])('lets it keep its plans and start agents: %s, %s', async (client, tool, args) => {
    expect(await decisionOn(client, tool, args)).toBe('pre_approved');
  });

  it.each<[ClientName, string, object]>([
    ['claude-code', 'TaskRemote', {}],
    ['claude-code', 'todo_write.sh', {}],
    ['claude-code', 'Skill', { skill: 'x' }],
    // A permission would skip the question of the agent itself.
    ['claude-code', 'ExitPlanMode', { plan: 'x' }],
    ['claude-code', 'AskUserQuestion', { questions: [] }],
    ['copilot', 'exit_plan_mode', { summary: 'x' }],
    ['claude-code', 'mcp__claude-code__todo_write', {}],
    ['codex', 'todo_write', {}],
    ['gemini', 'update_plan', {}],
    ['opencode', 'shell.run', {}],
    // What an unknown argument does to a command is unknown.
    ['claude-code', 'Bash', { command: 'ls', dangerouslyDisableSandbox: true }],
    ['copilot', 'bash', { command: 'ls', cwd: '/etc' }],
  ])('asks about others: %s, %s', async (client, tool, args) => {
    expect(await decisionOn(client, tool, args)).toBe('needs_approval');
  });

  it.each<[ClientName, string, object, string]>([
    ['claude-code', 'Grep', { pattern: 'KEY' }, 'pre_approved'],
    ['copilot', 'grep', { pattern: 'KEY' }, 'pre_approved'],
    ['copilot', 'grep', { pattern: 'KEY', glob: '.env' }, 'blocked'],
    ['opencode', 'grep', { pattern: 'KEY' }, 'pre_approved'],
    ['opencode', 'grep', { pattern: 'KEY', include: '.env' }, 'blocked'],
    // Its search may ignore nothing if it lacks rg.
    ['gemini', 'grep_search', { pattern: 'KEY' }, 'blocked'],
    ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: '*.ts' }, 'pre_approved'],
  ])('searches all but ignored secrets: %s, %s %j', async (client, tool, args, decision) => {
    expect(await decisionOn(client, tool, args)).toBe(decision);
  });

  it.each([
    ['*** Update File: src/a.ts\n*** Move to: src/b.ts', 'pre_approved'],
    ['*** Update File: src/a.ts\n*** Move to: ../b.ts', 'needs_approval'],
    ['*** Update File: .gitattributes\n*** Move to: src/b', 'needs_approval'],
    ['*** Delete File: src/a.ts', 'needs_approval'],
  ])('decides a move by a patch like one by mv: %s', async (lines, decision) => {
    const command = `*** Begin Patch\n${lines}\n*** End Patch`;
    expect(await decisionOn('codex', 'apply_patch', { command })).toBe(decision);
  });

  it.each<[string, object, string]>([
    ['WebFetch', { url: 'https://example.com/a', prompt: 'x' }, 'it would connect to example.com'],
    ['Read', { file_path: '/etc/hosts' }, 'it would read /etc/hosts'],
    ['Read', { file_path: '/etc/a\u202Eb' }, String.raw`it would read /etc/a\u{202e}b`],
    ['Bash', { command: 'head "/x/$(cat a)/b.md"' }, 'it would also read unknown files anywhere'],
    ['Bash', { command: 'grep "$(cat a)" b' }, 'unknown before it runs (`$(cat a)` may be any option)'],
  ])('says what a call would do that it asks about: %s', async (tool, args, words) => {
    const place = new HookPlace(starterPolicy('coding'));
    const { stdout } = await place.answer(callOf(place, 'claude-code', tool, args));
    const { permissionDecisionReason: why } = (
      JSON.parse(stdout) as { hookSpecificOutput: { permissionDecisionReason: string } }
    ).hookSpecificOutput;
    expect(why).toContain(words);
  });
});
