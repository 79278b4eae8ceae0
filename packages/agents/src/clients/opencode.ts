import { type JsonObject, ownMember } from '@ambit/core';
import { globbed } from './claude-code.js';
import { answered, type Client, type HookStage } from './client.js';
import type { ClientCall, HookEvent } from './client-call.js';
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
import { clientTool, fetched, fileTool, globsIn, opaqueTool, toolTable } from './tool-table.js';

/** Tools and arguments of opencode 1.18. */
const tools = toolTable({
  bash: clientTool('shell.run', 'command timeout workdir description', (args) => [
    { kind: 'shell', command: args.text('command'), folder: args.path('workdir') },
  ]),
  read: fileTool('view', 'filePath offset limit'),
  list: fileTool('list', 'path ignore'),
  glob: clientTool('filesystem.list_files', 'pattern path', (args) =>
    globbed(args.text('pattern'), args.path('path')),
  ),
  grep: clientTool('filesystem.search_files', 'pattern path include', (args) => [
    { kind: 'search', path: args.path('path'), inFolder: true, ...globsIn(args, 'include') },
  ]),
  write: fileTool('write', 'filePath content'),
  edit: fileTool('edit', 'filePath oldString newString replaceAll'),
  // In place of `write` and `edit`, for models of the family GPT.
  apply_patch: clientTool('filesystem.edit_file', 'patchText', (args) => usesOfPatch(args.text('patchText'))),
  lsp: fileTool('read', 'filePath operation line character query'),
  execute: opaqueTool('opencode.execute', 'code', 'the code calls tools of MCP servers'),
  webfetch: clientTool('opencode.web_fetch', 'url format timeout', (args) => fetched(args.text('url'))),
  websearch: clientTool(
    'opencode.web_search',
    'query numResults livecrawl type contextMaxCharacters',
    fetched(null),
  ),
  task: clientTool(
    'opencode.agent',
    'description prompt subagent_type task_id session_id command',
    (args) => [{ kind: 'agent', worker: args.text('subagent_type') }],
  ),
  skill: opaqueTool('opencode.skill', 'name', 'a skill brings instructions and code of its own'),
  todowrite: clientTool('opencode.todo_write', 'todos'),
  todoread: clientTool('opencode.todo_read', ''),
  plan_enter: clientTool('opencode.plan_enter', ''),
  plan_exit: clientTool('opencode.plan_exit', ''),
});

/** The input that the installed plug-in sends to `ambit hook opencode`, and the answer that it accepts. */
export const opencode: Client = {
  name: 'opencode',
  canAsk: false,
  rewrites: 'never',
  tools,
  pathsOf: plainPaths,
  // `SERVER_TOOL`: all tools of its own with an underscore are in the table.
  mayBeServerTool: (tool) => tool.includes('_'),
  read,
  write: (answer) =>
    answered(answer.kind === 'allow' ? { decision: 'allow' } : { decision: 'deny', reason: answer.reason }),
};

function read(given: JsonObject, stage: HookStage): HookEvent {
  const input = requireObject(given, 'input');
  const tool = requireText(input, 'tool');
  // A sub-agent has a session of its own. Its parent is missing if opencode did not tell the plug-in.
  const parent = ownMember(given, 'parent') === undefined ? undefined : optionalText(given, 'parent');
  const call: ClientCall = {
    client: 'opencode',
    session: requireText(input, 'sessionID'),
    parent,
    ...(parent ? actingAs('opencode', optionalText(given, 'agent')) : { chain: ['opencode'] }),
    id: requireText(input, 'callID'),
    folder: requireFolder(given, 'directory'),
    tool,
    args: requireObject(given, 'args'),
    server: tools.has(tool) ? null : serverJoined(tool, '_'),
  };
  if (stage === 'before') return { kind: 'call', call };
  return { kind: 'outcome', call, error: optionalText(given, 'error') };
}
