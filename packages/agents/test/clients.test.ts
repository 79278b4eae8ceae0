import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Capability, JsonObject } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookStage } from '../src/clients/client.js';
import { type ClientName, clientNames } from '../src/clients/client-call.js';
import { clientOf } from '../src/clients/clients.js';
import { usesOfPatch } from '../src/clients/patch.js';
import { describeClientCall } from '../src/describe/describe-client-call.js';
import { HookPlace } from './place.js';

/** The input of a client's hook for a call, in the client's own form. */
function input(client: ClientName, tool: string, args: JsonObject, folder: string): JsonObject {
  switch (client) {
    case 'claude-code':
    case 'codex':
      return {
        session_id: 's',
        cwd: folder,
        hook_event_name: 'PreToolUse',
        tool_name: tool,
        tool_input: args,
      };
    case 'gemini':
      return {
        session_id: 's',
        cwd: folder,
        hook_event_name: 'BeforeTool',
        tool_name: tool,
        tool_input: args,
      };
    case 'copilot':
      return { sessionId: 's', cwd: folder, toolName: tool, toolArgs: args };
    case 'opencode':
      return { input: { tool, sessionID: 's', callID: 'c' }, args, directory: folder, worktree: '/' };
  }
}

async function described(
  place: HookPlace,
  client: ClientName,
  call: readonly [string, JsonObject],
): Promise<readonly Capability[]> {
  const event = clientOf(client).read(input(client, ...call, place.project), 'before');
  const roots = openRoots([{ name: 'project', folder: place.project, mode: 'rw' }], {
    home: place.home,
    naming: 'by_path',
  });
  return describeClientCall(event.call, {
    roots,
    home: place.home,
    searchPath: ['/usr/bin', '/bin'],
    repositorySetting: async () => null,
  });
}

/** Name and path, or host, of each capability; paths in the project without it. */
function brief(place: HookPlace, capabilities: readonly Capability[]): readonly string[] {
  return capabilities.map(({ name, path, host, program, worker, server, tool }) => {
    const fact = [path, host, program, worker, server, tool].find((each) => each !== undefined);
    return `${name} ${typeof fact === 'string' ? fact.replace(`${place.project}/`, './') : JSON.stringify(fact)}`;
  });
}

const patch = '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch';

/** A call of each kind, with its capabilities. */
const calls: Readonly<Record<ClientName, readonly (readonly [string, JsonObject, readonly string[]])[]>> = {
  'claude-code': [
    ['Bash', { command: 'ls src' }, ['proc.exec ls', 'fs.list ./src']],
    ['Monitor', { command: 'rm a' }, ['proc.exec rm', 'fs.delete ./a']],
    ['Read', { file_path: 'a' }, ['fs.read ./a']],
    ['Read', { file_path: '/etc/hosts' }, ['fs.read.outside /etc/hosts']],
    ['Write', { file_path: 'a', content: 'x' }, ['fs.write ./a']],
    [
      'Edit',
      { file_path: '../x', old_string: 'a', new_string: 'b' },
      ['fs.read.outside', 'fs.write.outside'],
    ],
    ['WebFetch', { url: 'https://a.example/x', prompt: 'p' }, ['net.connect a.example', 'content.untrusted']],
    [
      'WebFetch',
      { url: 'http://127.0.0.1:9/', prompt: 'p' },
      ['net.connect.private 127.0.0.1', 'content.untrusted'],
    ],
    ['Agent', { prompt: 'p', subagent_type: 'Code Reviewer' }, ['worker.call code-reviewer']],
    ['Agent', { prompt: 'p', isolation: 'worktree' }, ['worker.call general-purpose', 'proc.exec.opaque']],
    ['mcp__tiny__danger', { path: '/x' }, ['mcp.call tiny']],
    ['Agent', { prompt: 'p', subagent_type: ['x'] }, ['worker.call']],
    ['mcp__a__b__c', {}, ['tool.call', 'mcp.call']],
    ['ReadMcpResourceTool', { server: 'a', uri: 'b' }, ['tool.call', 'mcp.call']],
    ['SendMessage', { to: 'reviewer', message: 'x' }, ['worker.call']],
    [
      'Artifact',
      { file_path: 'a.html', file_paths: ['b', 'c'] },
      ['fs.read ./a.html', 'fs.read ./b', 'fs.read ./c', 'net.connect', 'net.connect.private'],
    ],
    [
      'Artifact',
      { action: 'read_asset', asset_id: 'x', out_dir: 'src' },
      ['fs.write', 'fs.write.outside', 'sys.guard', 'sys.persist', 'net.connect', 'net.connect.private'],
    ],
    [
      'Projects',
      { method: 'project_write', path: 'a', local_path: 'b' },
      ['fs.read ./b', 'net.connect', 'net.connect.private'],
    ],
    ['LSP', { operation: 'hover', filePath: 'a', line: 1, character: 1 }, ['fs.read ./a']],
    ['EnterWorktree', { name: 'a' }, ['proc.exec.opaque']],
    ['ExitWorktree', { action: 'remove' }, ['proc.exec.opaque']],
    ['TodoWrite', { todos: [] }, ['tool.call claude-code.todo_write']],
    ['Skill', { skill: 'x', args: 'y' }, ['proc.exec.opaque']],
    [
      'Bash',
      { command: 'ls', dangerouslyDisableSandbox: true },
      ['proc.exec ls', 'tool.call shell.run', 'proc.exec.opaque'],
    ],
    ['Glob', { pattern: '**/*.ts' }, ['fs.list']],
    ['Glob', { pattern: '../**' }, ['fs.list', 'fs.list.outside']],
    ['CronCreate', { cron: '* * * * *', prompt: 'p' }, ['sys.persist']],
    ['constructor', {}, ['tool.call claude-code.constructor']],
    ['__proto__', {}, ['tool.call']],
    ['RemoteTrigger', { action: 'run' }, ['worker.call', 'net.connect', 'net.connect.private']],
  ],
  codex: [
    ['Bash', { command: 'ls' }, ['proc.exec ls']],
    ['apply_patch', { command: patch }, ['fs.write ./new.txt']],
    ['Bash', { command: `apply_patch <<'EOF'\n${patch}\nEOF` }, ['fs.write ./new.txt']],
    ...['cd out && ', 'cd "out"  &&', "cd 'out' &&\n", 'cd ./out && '].map(
      (cd) =>
        ['Bash', { command: `${cd}apply_patch <<EOF\n${patch}\nEOF` }, ['fs.write ./out/new.txt']] as const,
    ),
    // Codex takes these names as they are written, and a shell does not.
    // After `cd` and a line end, `out` is a program.
    ...['cd ~ && ', 'cd o* && ', 'cd o\\ut && ', 'cd $HOME && ', 'cd out; ', 'cd\nout && '].map(
      (cd) =>
        [
          'Bash',
          { command: `${cd}apply_patch <<'EOF'\n${patch}\nEOF` },
          ['proc.exec apply_patch', 'proc.exec.opaque'],
        ] as const,
    ),
    [
      'Bash',
      { command: `apply_patch <<'EOF'\n${patch}\nEOF\nrm a` },
      ['proc.exec apply_patch', 'proc.exec.opaque', 'fs.delete ./a'],
    ],
    ['view_image', { path: 'a.png' }, ['fs.read ./a.png']],
    ['spawn_agent', { message: 'go' }, ['worker.call default']],
    ['spawn_agent', { message: 'go', agent_type: ['x'] }, ['worker.call']],
    ['mcp__a___b', {}, ['tool.call', 'mcp.call']],
    ['mcp__tiny__danger', {}, ['mcp.call tiny']],
    ['write_stdin', { session_id: 1, chars: 'rm a\n' }, ['proc.exec.opaque']],
    ['write_stdin', { session_id: 1, chars: '' }, ['tool.call codex.write_stdin']],
    ['multi_agent_v1resume_agent', { id: 'x' }, ['worker.call']],
  ],
  gemini: [
    ['run_shell_command', { command: 'cat a', dir_path: 'src' }, ['proc.exec cat', 'fs.read ./src/a']],
    [
      'replace',
      { file_path: 'a', old_string: 'x', new_string: 'y', instruction: 'i' },
      ['fs.read ./a', 'fs.write ./a'],
    ],
    [
      'web_fetch',
      { prompt: 'read http://a.example/b and https://b.example' },
      ['net.connect a.example', 'net.connect b.example'],
    ],
    ['web_fetch', { prompt: 'read the usual page' }, ['net.connect', 'net.connect.private']],
    ['invoke_agent', { agent_name: 'generalist', prompt: 'p' }, ['worker.call generalist']],
    ['activate_skill', { name: 'x' }, ['proc.exec.opaque']],
    ['discovered_tool_x', {}, ['tool.call', 'proc.exec.opaque']],
    ['mcp_tiny_danger', {}, ['tool.call', 'mcp.call']],
    ['read_mcp_resource', { uri: 'b' }, ['tool.call', 'mcp.call']],
  ],
  copilot: [
    ['skill', { skill: 'x' }, ['proc.exec.opaque']],
    ['session_store_sql', { query: 'SELECT 1' }, ['proc.exec.opaque']],
    ['bash', { command: 'ls' }, ['proc.exec ls']],
    ['bash', { command: 'cat a', shellId: 's' }, ['proc.exec', 'proc.exec.opaque']],
    ['create', { path: 'a', file_text: 'x' }, ['fs.write ./a']],
    ['view', { path: 'a' }, ['fs.read ./a', 'fs.list ./a']],
    ['tiny-danger', {}, ['mcp.call tiny']],
    ['a-b-c', {}, ['tool.call', 'mcp.call']],
    ['-danger', {}, ['tool.call', 'mcp.call']],
    ['task', { prompt: 'p', agent_type: 'general-purpose' }, ['worker.call general-purpose']],
  ],
  opencode: [
    ['skill', { name: 'x' }, ['proc.exec.opaque']],
    ['bash', { command: 'ls', workdir: '/' }, ['proc.exec ls', 'fs.list.outside /']],
    ['bash', { command: 'ls', workdir: ['/'] }, ['proc.exec', 'proc.exec.opaque']],
    ['list', { path: ['/'] }, ['fs.list', 'fs.list.outside']],
    ['edit', { filePath: 'a', oldString: 'x', newString: 'y' }, ['fs.read ./a', 'fs.write ./a']],
    ['webfetch', { url: 'https://a.example', format: 'text' }, ['net.connect a.example']],
    ['task', { prompt: 'p', subagent_type: 'general' }, ['worker.call general']],
    ['tiny_danger', {}, ['mcp.call tiny']],
    ['plan_exit', {}, ['tool.call opencode.plan_exit']],
    ['tiny_big_danger', {}, ['tool.call', 'mcp.call']],
  ],
};

describe('a client’s call', () => {
  it.each(clientNames.flatMap((client) => calls[client].map((call) => [client, ...call] as const)))(
    'of %s, `%s` %j, carries %j',
    async (client, tool, args, expected) => {
      const place = new HookPlace();
      place.write('src/a', '');
      const capabilities = await described(place, client, [tool, args]);
      const found = brief(place, capabilities);
      for (const each of expected) expect(found.some((one) => `${one} `.startsWith(`${each} `))).toBe(true);
      expect(capabilities.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['my server', 'mcp__my_server__danger', 'danger'],
    ['claude.ai Mail', 'mcp__claude_ai_Mail__a__b', 'a__b'],
    ['a_b', 'mcp__a_b__', null],
    ['other', 'mcp__my_server__danger', null],
  ])('of Claude Code names the MCP server as it is configured: %s', (name, tool, expected) => {
    const told = { ...input('claude-code', tool, {}, '/'), mcp_server: { name, source: 'user' } };
    const { server } = clientOf('claude-code').read(told, 'before').call;
    expect(server).toEqual(expected === null ? null : { name, tool: expected });
  });

  it('reports at least one capability for any input', async () => {
    const place = new HookPlace();
    const names = clientNames.flatMap((client) =>
      [...clientOf(client).tools.keys()].map((tool) => [client, tool] as const),
    );
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.constant({}),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.dictionary(
          fc.constantFrom('command', 'path', 'file_path', 'filePath', 'url', 'prompt', '__proto__', 'x'),
          value,
        ),
        async ([client, tool], args) => {
          const capabilities = await described(place, client, [tool, args as JsonObject]);
          return capabilities.length > 0;
        },
      ),
      { numRuns: 150 },
    );
  });

  const folder = new URL('../../../../shared/clients/captures/', import.meta.url);
  it.skipIf(!existsSync(folder))('from a recording of a real client is readable', () => {
    const files = { 'claude-code': 'claude', codex: 'codex', gemini: 'gemini', copilot: 'copilot' } as const;
    for (const [client, file] of Object.entries(files) as [keyof typeof files, string][]) {
      const path = fileURLToPath(new URL(`${file}.jsonl`, folder));
      for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
        const { stdin } = JSON.parse(line) as { stdin: JsonObject };
        const { hook_event_name: event } = stdin;
        const isAfter = ['PostToolUse', 'PostToolUseFailure', 'AfterTool'].some((each) => each === event);
        if (!isAfter && !['PreToolUse', 'BeforeTool', undefined].some((each) => each === event)) continue;
        const stage: HookStage = isAfter ? 'after' : 'before';
        expect(clientOf(client).read(stdin, stage).call.tool).not.toBe('');
      }
    }
  });
});

describe('a patch', () => {
  it.each([
    [
      `*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch`,
      'read a, write a, delete a by mv, write b by mv',
    ],
    [`*** Begin Patch\n*** Delete File: a\n*** End Patch`, 'delete a'],
    [`*** Begin Patch\n  *** Add File: a b \n+x\n*** End Patch\n`, 'write a b'],
    [`*** Begin Patch\n*** Update File: a\n x\n*** End of File\n*** End Patch`, 'read a, write a'],
    [
      `*** Begin Patch\n*** Add File:  a\ufeff\u0085\n+x\n*** End Patch`,
      'read null, write null, delete null',
    ],
    [`*** Begin Patch\n*** Rename File: a\n*** End Patch`, 'read null, write null, delete null'],
    [`*** Add File: a\n+x`, 'read null, write null, delete null'],
    ['', 'read null, write null, delete null'],
  ])('reports the files that it names: %j', (text, expected) => {
    const uses = usesOfPatch(text).map((use) =>
      use.kind === 'file'
        ? `${use.access} ${use.path}${use.by === undefined ? '' : ` by ${use.by}`}`
        : use.kind,
    );
    expect(uses.join(', ')).toBe(expected);
  });
});

describe('an answer', () => {
  it.each([
    ['claude-code', 'allow', 'ask', 'deny'],
    ['codex', '', 'deny', 'deny'],
    ['gemini', 'allow', 'deny', 'deny'],
    ['copilot', 'allow', 'ask', 'deny'],
    ['opencode', 'allow', 'deny', 'deny'],
  ] as const)('follows the format of %s', (client, allow, ask, deny) => {
    const word = (answer: Parameters<ReturnType<typeof clientOf>['write']>[0]) => {
      const { stdout, exit } = clientOf(client).write(answer);
      expect(exit).toBe(0);
      if (stdout === '') return '';
      const value = JSON.parse(stdout) as Record<string, unknown>;
      const inner = (value.hookSpecificOutput ?? value) as Record<string, string>;
      if (answer.kind !== 'allow') expect(Object.values(inner)).toContain('because');
      return inner.permissionDecision ?? inner.decision;
    };
    expect([
      word({ kind: 'allow' }),
      word({ kind: 'ask', reason: 'because' }),
      word({ kind: 'deny', reason: 'because' }),
    ]).toEqual([allow, ask, deny]);
  });
});

describe('a tool of Gemini itself', () => {
  const context = { server_name: 'tiny', tool_name: 'echo' };

  it('belongs to no MCP server, although the input names one', () => {
    const given = { ...input('gemini', 'read_file', { file_path: 'a' }, '/'), mcp_context: context };
    expect(clientOf('gemini').read(given, 'before').call.server).toBe(null);
    const other = { ...given, tool_name: 'mcp_tiny_echo' };
    expect(clientOf('gemini').read(other, 'before').call.server).toEqual({ name: 'tiny', tool: 'echo' });
  });
});
