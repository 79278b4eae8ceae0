import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, ownMember } from '@ambit/core';
import { answered, type Client, type HookStage } from './client.js';
import type { ClientCall, HookAnswer, HookEvent } from './client-call.js';
import {
  actingAs,
  optionalText,
  pathFrom,
  requireEvent,
  requireFolder,
  requireObject,
  requireText,
} from './fields.js';
import {
  type Arguments,
  clientTool,
  fetched,
  fileTool,
  globsIn,
  opaqueTool,
  toolTable,
  type Use,
} from './tool-table.js';

const shell = (known: string) =>
  clientTool('shell.run', known, (args) => [{ kind: 'shell', command: args.text('command') }]);

const inWorktree = 'hooks of git and of settings run';

const agent = clientTool(
  'claude-code.agent',
  'description prompt subagent_type run_in_background isolation model effort name',
  (args) => [
    { kind: 'agent', worker: args.has('subagent_type') ? args.text('subagent_type') : 'general-purpose' },
    ...(args.has('isolation') ? [{ kind: 'opaque', why: inWorktree } as const] : []),
  ],
);

/** Tools and arguments of Claude Code 2.1. */
const tools = toolTable({
  Bash: shell('command timeout description run_in_background'),
  Monitor: shell('command description timeout_ms persistent'),
  PowerShell: opaqueTool(
    'claude-code.powershell',
    'command timeout description run_in_background',
    'PowerShell is not described',
  ),
  Read: fileTool('read', 'file_path offset limit pages allow_large'),
  Glob: clientTool('filesystem.list_files', 'pattern path', (args) =>
    globbed(args.text('pattern'), args.path('path')),
  ),
  Grep: clientTool(
    'filesystem.search_files',
    'pattern path glob type output_mode -A -B -C -n -i -o head_limit offset multiline context',
    (args) => [
      { kind: 'search', path: args.path('path'), type: args.text('type'), ...globsIn(args, 'glob', globsOf) },
    ],
  ),
  Write: fileTool('write', 'file_path content'),
  Edit: fileTool('edit', 'file_path old_string new_string replace_all'),
  MultiEdit: fileTool('edit', 'file_path edits'),
  NotebookEdit: fileTool('edit', 'notebook_path cell_id cell_type edit_mode new_source'),
  WebFetch: clientTool('claude-code.web_fetch', 'url prompt offset', (args) => fetched(args.text('url'))),
  // The model's host runs the search.
  WebSearch: clientTool('claude-code.web_search', 'query allowed_domains blocked_domains', fetched(null)),
  // Its text may run commands. Claude Code before 2.1.332 calls no hook for them.
  Skill: opaqueTool('claude-code.skill', 'skill args', 'a skill brings instructions and commands of its own'),
  Agent: agent,
  Task: agent,
  SendMessage: clientTool('claude-code.agent', 'to message', [{ kind: 'agent', worker: null }]),
  Workflow: opaqueTool(
    'claude-code.workflow',
    'script scriptPath args name description title resumeFromRunId',
    'a workflow runs a script of its own',
  ),
  CronCreate: clientTool('claude-code.cron_create', 'cron prompt recurring durable', [
    { kind: 'persists', what: 'cron' },
  ]),
  ScheduleWakeup: clientTool('claude-code.schedule_wakeup', 'delaySeconds prompt reason stop noop', [
    { kind: 'persists', what: 'cron' },
  ]),
  // Files go to the model's host, or come from there.
  Artifact: clientTool(
    'claude-code.artifact',
    'action file_path file_paths favicon icon limit page_token scope title description label url prompt force pin ' +
      'out_dir asset_id after capabilities contract',
    (args) => [
      ...filesRead(args, 'file_path', 'file_paths'),
      // Only the client knows the names of the files that it writes.
      ...(args.has('out_dir') ? [{ kind: 'file', access: 'write', path: null } as const] : []),
      ...fetched(null),
    ],
  ),
  Projects: clientTool(
    'claude-code.projects',
    'method path content local_path present_to_user query n',
    (args) => [...filesRead(args, 'local_path'), ...fetched(null)],
  ),
  // It may start an agent on other machines.
  RemoteTrigger: clientTool('claude-code.remote_trigger', 'action trigger_id session_id cursor body', [
    { kind: 'agent', worker: null },
    ...fetched(null),
  ]),
  LSP: fileTool('read', 'filePath operation line character query'),
  EnterWorktree: opaqueTool('claude-code.enter_worktree', 'name path', inWorktree),
  ExitWorktree: opaqueTool(
    'claude-code.exit_worktree',
    'action discard_changes',
    'hooks of git and of settings run, and a work tree may be deleted',
  ),
  TodoWrite: clientTool('claude-code.todo_write', 'todos'),
  ToolSearch: clientTool('claude-code.tool_search', 'query max_results'),
});

/** Reads of the files that these arguments name. */
function filesRead(args: Arguments, ...names: readonly string[]): readonly Use[] {
  const paths = names.filter((name) => args.has(name)).flatMap((name) => args.paths(name));
  return paths.map((path) => ({ kind: 'file', access: 'read', path }));
}

/** A pattern may match files outside the folder. Its braces may join to `..`, or to a path that begins with `/`; so may `[.]` and `\\.`. */
export function globbed(pattern: string | null, path: string | null): readonly Use[] {
  const leaves = /^\s*[/~]|(?:^|\/)\.(?:\.(?:\/|$)|\.?\{)|[{,][/.,}]|\[[^\]]*\.|\\[./]/;
  const isWithin = pattern !== null && !leaves.test(pattern);
  return [{ kind: 'file', access: 'list', path: isWithin ? path : null }];
}

/** Claude Code splits a text at blanks and commas, but not within braces. */
function globsOf(text: string): readonly string[] {
  const isBraced = (word: string) => word.includes('{') && word.includes('}');
  return text.split(/\s+/).flatMap((word) => (isBraced(word) ? [word] : word.split(',')));
}

export const claudeCode: Client = {
  name: 'claude-code',
  canAsk: true,
  isSerial: true,
  rewrites: 'asked_too',
  tools,
  pathsOf: (path, { home, folder }) => {
    const name = path.trim();
    const found = resolve(/^~(?:\/|$)/.test(name) ? home + name.slice(1) : pathFrom(folder, name));
    // The name of a screenshot that is missing may have the other blank. Claude Code replaces the first such end of a name.
    const [, blank = '', end = ''] = /([ \u202F])((?:AM|PM)\.png)$/.exec(found) ?? [];
    const other = found.replace(`${blank}${end}`, `${blank === ' ' ? '\u202f' : ' '}${end}`);
    return end === '' ? [found] : [found, other];
  },
  mayBeServerTool: (tool) => tool.startsWith('mcp__'),
  read: (input, stage) => readClaude(input, 'claude-code', stage),
  write: (answer, isFixed = false) =>
    writeClaude(answer, isFixed ? { canAsk: false, event: inSkill } : { canAsk: true }),
};

/** A command in the text of a skill. Claude Code runs it as it is, or not at all. */
const inSkill = 'PreSkillShellCommand';

const events = {
  'claude-code': { before: ['PreToolUse', inSkill], after: ['PostToolUse', 'PostToolUseFailure'] },
  codex: { before: ['PreToolUse'], after: ['PostToolUse'] },
} as const;

/** The input format that Claude Code and Codex share. */
export function readClaude(input: JsonObject, client: keyof typeof events, stage: HookStage): HookEvent {
  const event = requireEvent(input, events[client][stage]);
  const call = callIn(input, client);
  if (event === inSkill) return { kind: 'call', call: { ...call, isFixed: true } };
  if (stage === 'before') return { kind: 'call', call };
  const error = event === 'PostToolUseFailure' ? (optionalText(input, 'error') ?? 'the tool failed') : null;
  return { kind: 'outcome', call, error };
}

function callIn(input: JsonObject, client: 'claude-code' | 'codex'): ClientCall {
  const tool = requireText(input, 'tool_name');
  const agentId = optionalText(input, 'agent_id');
  const agentType = optionalText(input, 'agent_type');
  return {
    client,
    session: requireText(input, 'session_id'),
    parent: null,
    ...(agentId === null && agentType === null ? { chain: [client] } : actingAs(client, agentType)),
    id: optionalText(input, 'tool_use_id'),
    folder: requireFolder(input, 'cwd'),
    tool,
    args: requireObject(input, 'tool_input'),
    server: serverIn(input, tool),
  };
}

/** The name of a server within the names of its tools. */
export function serverInTool(server: string): string {
  return server.replace(/[^\w-]/g, '_');
}

/**
 * Reads `mcp__SERVER__TOOL` with the given server name; without one, only if the name can be split in exactly
 * one way.
 */
function serverIn(input: JsonObject, tool: string): ClientCall['server'] {
  const told = ownMember(input, 'mcp_server');
  const name = isJsonObject(told) ? optionalText(told, 'name') : null;
  if (name !== null) {
    const prefix = `mcp__${serverInTool(name)}__`;
    return tool.startsWith(prefix) && tool.length > prefix.length
      ? { name, tool: tool.slice(prefix.length) }
      : null;
  }
  const parts = tool.split('__');
  const [mark, server = '', toolName = ''] = parts;
  // `a___b` may be the server `a_`.
  return mark === 'mcp' && parts.length === 3 && server !== '' && /^[^_]/.test(toolName)
    ? { name: server, tool: toolName }
    : null;
}

export function writeClaude(
  answer: HookAnswer,
  { canAsk, event = 'PreToolUse' }: { readonly canAsk: boolean; readonly event?: string },
) {
  const asking = canAsk ? ('defers' in answer && answer.defers ? 'defer' : 'ask') : 'deny';
  const decision = answer.kind === 'ask' ? asking : answer.kind;
  const reason = answer.kind === 'allow' ? 'permitted by policy' : answer.reason;
  return answered({
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: decision,
      permissionDecisionReason: reason,
      ...(answer.kind === 'deny' || answer.args === undefined ? {} : { updatedInput: answer.args }),
    },
  });
}
