import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, type JsonObject, orNull, ownMember } from '@ambit/core';
import { globbed } from './claude-code.js';
import { answered, type Client, type HookStage } from './client.js';
import type { ClientCall, HookEvent } from './client-call.js';
import {
  optionalText,
  type PathOrigin,
  plainPaths,
  requireEvent,
  requireFolder,
  requireObject,
  requireText,
} from './fields.js';
import { clientTool, fetched, fileTool, globsIn, opaqueTool, toolTable, urlsIn } from './tool-table.js';

const search = clientTool(
  'filesystem.search_files',
  'pattern dir_path include_pattern exclude_pattern case_sensitive fixed_strings names_only no_ignore ' +
    'context after before total_max_matches max_matches_per_file',
  // Without its rg, it may search with others that ignore nothing. `:` makes a pattern of git of it, and `!` excludes nothing.
  (args) => {
    const { globs } = globsIn(args, 'include_pattern');
    const chosen = globs.filter((each) => !/^[:!]/.test(each));
    return [{ kind: 'search', path: args.path('dir_path'), isIgnoring: false, globs: chosen }];
  },
);

/** Tools and arguments of Gemini CLI 0.61. */
const tools = toolTable({
  run_shell_command: clientTool(
    'shell.run',
    'command description dir_path is_background delay_ms',
    (args) => [{ kind: 'shell', command: args.text('command'), folder: args.path('dir_path') }],
  ),
  read_file: fileTool('read', 'file_path start_line end_line offset limit'),
  list_directory: fileTool('list', 'dir_path ignore file_filtering_options'),
  glob: clientTool(
    'filesystem.list_files',
    'pattern dir_path case_sensitive respect_git_ignore respect_gemini_ignore',
    (args) => globbed(args.text('pattern'), args.path('dir_path')),
  ),
  grep_search: search,
  // Its earlier name.
  search_file_content: search,
  write_file: fileTool('write', 'file_path content'),
  replace: clientTool(
    'filesystem.edit_file',
    'file_path instruction old_string new_string allow_multiple expected_replacements',
    (args) => {
      // An empty old text writes a new file.
      const file = { path: args.text('file_path'), isSearched: args.text('old_string') !== '' };
      return [
        { kind: 'file', access: 'read', ...file },
        { kind: 'file', access: 'write', ...file },
      ];
    },
  ),
  web_fetch: clientTool('gemini.web_fetch', 'prompt', (args) => urlsIn(args.text('prompt'))),
  google_web_search: clientTool('gemini.web_search', 'query', fetched(null)),
  invoke_agent: clientTool('gemini.agent', 'agent_name prompt wait_for_previous', (args) => [
    { kind: 'agent', worker: args.text('agent_name') },
  ]),
  activate_skill: opaqueTool(
    'gemini.activate_skill',
    'name',
    'a skill brings instructions and code of its own',
  ),
  write_todos: clientTool('gemini.write_todos', 'todos'),
  update_topic: clientTool('gemini.update_topic', 'title summary strategic_intent wait_for_previous'),
});

export const gemini: Client = {
  name: 'gemini',
  canAsk: false,
  rewrites: 'permitted',
  tools,
  pathsOf,
  mayBeServerTool: (tool) => tool.startsWith('mcp_'),
  // The tools of `tools.discoveryCommand`, which a repository may set.
  runsProgram: (tool) => tool.startsWith('discovered_tool_'),
  read,
  write: (answer) => {
    if (answer.kind !== 'allow') return answered({ decision: 'deny', reason: answer.reason });
    const { args } = answer;
    const changed = { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: args } };
    return answered({ decision: 'allow', ...(args === undefined ? {} : changed) });
  },
};

/**
 * Gemini decodes a path like a URL. Where the file is missing, it takes away an `@`, and may then edit the only file of the project
 * whose path ends like that.
 */
function pathsOf(path: string, from: PathOrigin, isSearched = false): readonly (string | null)[] {
  const named = [path, ...(path.startsWith('@') ? [path.slice(1).replace(/^[\\/]+/, '')] : [])];
  const all = named.flatMap((each) => plainPaths(each, from));
  const isElsewhere = isSearched && !isAbsolute(path) && !all.some((each) => existsSync(each));
  const decoded = all.map((each) => resolve(orNull(() => decodeURIComponent(each)) ?? each));
  return [...new Set([...all, ...decoded]), ...(isElsewhere ? [null] : [])];
}

function read(input: JsonObject, stage: HookStage): HookEvent {
  requireEvent(input, [stage === 'before' ? 'BeforeTool' : 'AfterTool']);
  const tool = requireText(input, 'tool_name');
  const call: ClientCall = {
    client: 'gemini',
    session: requireText(input, 'session_id'),
    parent: null,
    // The call of a sub-agent looks like a call of the agent itself.
    chain: ['gemini'],
    hidesAgents: true,
    id: null,
    folder: requireFolder(input, 'cwd'),
    tool,
    ...inOneFolder(tool, requireObject(input, 'tool_input')),
    server: tool.startsWith('mcp_') ? serverIn(input) : null,
  };
  return stage === 'before' ? { kind: 'call', call } : { kind: 'outcome', call, error: errorIn(input) };
}

/** Without a folder, Gemini would also search those of `--include-directories` and `/directory add`. */
function inOneFolder(tool: string, given: JsonObject): Pick<ClientCall, 'args' | 'argsToRun'> {
  if (!searching.has(tool) || (given.dir_path ?? '') !== '') return { args: given };
  const args = { ...given, dir_path: '.' };
  return { args, argsToRun: args };
}

const searching: ReadonlySet<string> = new Set(['glob', 'grep_search', 'search_file_content']);

function serverIn(input: JsonObject): ClientCall['server'] {
  const context = ownMember(input, 'mcp_context');
  if (!isJsonObject(context)) return null;
  const [name, tool] = [optionalText(context, 'server_name'), optionalText(context, 'tool_name')];
  return name === null || tool === null ? null : { name, tool };
}

function errorIn(input: JsonObject): string | null {
  const response = ownMember(input, 'tool_response');
  const error = isJsonObject(response) ? ownMember(response, 'error') : null;
  if (typeof error === 'string') return error;
  return isJsonObject(error) ? (optionalText(error, 'message') ?? 'the tool failed') : null;
}
