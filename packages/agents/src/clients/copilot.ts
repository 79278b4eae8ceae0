import { type JsonObject, ownMember } from '@ambit/core';
import { globbed } from './claude-code.js';
import { answered, type Client, type HookStage } from './client.js';
import { type ClientCall, type HookEvent, HookInputError } from './client-call.js';
import {
  actingAs,
  optionalText,
  plainPaths,
  requireFolder,
  requireObject,
  requireText,
  serverJoined,
} from './fields.js';
import { usesOfPatch } from './patch.js';
import {
  type Arguments,
  clientTool,
  fetched,
  fileTool,
  globsIn,
  opaqueTool,
  toolTable,
} from './tool-table.js';

/** Copilot splits a text that names nothing at its blanks, if each part is a path. It also takes `path` for `paths`. */
function pathsIn(args: Arguments): readonly (string | null)[] {
  const named = ['paths', 'path'].filter((name) => args.has(name));
  const given = (named.length === 0 ? ['paths'] : named).flatMap((name) => args.paths(name));
  const all = given.flatMap((path) => [path, ...(path?.split(' ') ?? [])]);
  return [...new Set(all)].filter((path) => path !== '');
}

const search = clientTool(
  'filesystem.search_files',
  'pattern paths path glob type output_mode -A -B -C -n -i head_limit multiline',
  (args) =>
    pathsIn(args).map(
      (path) => ({ kind: 'search', path, type: args.text('type'), ...globsIn(args, 'glob') }) as const,
    ),
);

/** Tools and arguments of GitHub Copilot CLI 1.0. */
const tools = toolTable({
  // In a persistent shell, the folder is the one that an earlier command changed to.
  bash: clientTool('shell.run', 'command description shellId mode detach initial_wait', (args) => [
    { kind: 'shell', command: args.text('command'), ...(args.has('shellId') ? { folder: null } : {}) },
  ]),
  view: fileTool('view', 'path view_range forceReadLargeFiles'),
  create: fileTool('write', 'path file_text'),
  edit: fileTool('edit', 'path old_str new_str'),
  glob: clientTool('filesystem.list_files', 'pattern paths path', (args) =>
    pathsIn(args).flatMap((path) => globbed(args.text('pattern'), path)),
  ),
  grep: search,
  // For newer models of the family GPT, in place of `grep`, and of `create` and `edit`.
  rg: search,
  apply_patch: clientTool('filesystem.edit_file', 'text', (args) => usesOfPatch(args.text('text'))),
  web_fetch: clientTool('copilot.web_fetch', 'url max_length raw start_index', (args) =>
    fetched(args.text('url')),
  ),
  task: clientTool(
    'copilot.agent',
    'description prompt agent_type name mode model reasoning_effort context_tier',
    (args) => [{ kind: 'agent', worker: args.text('agent_type') }],
  ),
  write_agent: clientTool('copilot.agent', 'agent_id agent_ids scope message', [
    { kind: 'agent', worker: null },
  ]),
  sql: opaqueTool(
    'copilot.sql',
    'query description database',
    'the statements run in a database of the client',
  ),
  session_store_sql: opaqueTool(
    'copilot.session_store_sql',
    'query description source',
    'the statements run in a database of the client',
  ),
  write_bash: opaqueTool(
    'copilot.write_bash',
    'shellId input delay',
    'the text goes to a shell that is open',
  ),
  skill: opaqueTool('copilot.skill', 'skill', 'a skill brings instructions and code of its own'),
  list_bash: clientTool('copilot.list_bash', ''),
  read_bash: clientTool('copilot.read_bash', 'shellId delay'),
  stop_bash: clientTool('copilot.stop_bash', 'shellId'),
  read_agent: clientTool('copilot.read_agent', 'agent_id wait timeout since_turn'),
  report_intent: clientTool('copilot.report_intent', 'intent'),
  update_todo: clientTool('copilot.update_todo', 'todos'),
});

export const copilot: Client = {
  name: 'copilot',
  canAsk: true,
  rewrites: 'permitted',
  tools,
  pathsOf: plainPaths,
  // `SERVER-TOOL`: no tool of its own has a hyphen.
  mayBeServerTool: (tool) => tool.includes('-') || tool.includes('/'),
  read,
  write: (answer) =>
    answered({
      permissionDecision: answer.kind,
      permissionDecisionReason: answer.kind === 'allow' ? 'permitted by policy' : answer.reason,
      ...(answer.kind === 'allow' && answer.args !== undefined ? { modifiedArgs: answer.args } : {}),
    }),
};

/** The dialect of `preToolUse`. Its input does not name the event. */
function read(input: JsonObject, stage: HookStage): HookEvent {
  if (ownMember(input, 'hook_event_name') !== undefined)
    throw new HookInputError(
      'this hook is for `preToolUse` and `postToolUse`: `PreToolUse` sends another dialect',
    );
  const parent = optionalText(input, 'parentAgentId');
  const agent = optionalText(input, 'agentType');
  const tool = requireText(input, 'toolName');
  const call: ClientCall = {
    client: 'copilot',
    session: requireText(input, 'sessionId'),
    parent,
    ...(parent === null && agent === null ? { chain: ['copilot'] } : actingAs('copilot', agent)),
    id: null,
    folder: requireFolder(input, 'cwd'),
    tool,
    args: argsIn(input),
    server: tools.has(tool) ? null : serverJoined(tool, '-'),
  };
  return stage === 'before' ? { kind: 'call', call } : { kind: 'outcome', call, error: errorIn(input) };
}

/** A tool of free form has a text instead of arguments. */
function argsIn(input: JsonObject): JsonObject {
  const text = ownMember(input, 'toolArgs');
  return typeof text === 'string' ? { text } : requireObject(input, 'toolArgs');
}

function errorIn(input: JsonObject): string | null {
  const result = ownMember(input, 'toolResult');
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null;
  const type = (result as JsonObject).resultType;
  return type === undefined || type === 'success' ? null : `the tool ended as ${JSON.stringify(type)}`;
}
