import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { readRegularSync } from '@ambit/audit';
import { isJsonObject, type JsonObject, jsonOr, objectOf, orNull, quotedWord } from '@ambit/core';
import { usualBash } from '@ambit/shell';
import { readClaude, writeClaude } from './claude-code.js';
import { type Client, type HookStage, silent } from './client.js';
import type { HookEvent } from './client-call.js';
import { plainPaths } from './fields.js';
import { patchInCommand, usesOfPatch } from './patch.js';
import { clientTool, fileTool, toolTable, type Use } from './tool-table.js';

const sendInput = clientTool('codex.agent', 'target id message interrupt', [{ kind: 'agent', worker: null }]);
const resumeAgent = clientTool('codex.agent', 'id', [{ kind: 'agent', worker: null }]);
const closeAgent = clientTool('codex.close_agent', 'target id');
const waitAgent = clientTool('codex.wait_agent', 'targets ids timeout_ms');

/** Tools and arguments of Codex CLI 0.169 to 0.171. The hook receives the names of some with their namespace as a prefix. */
const tools = toolTable({
  Bash: clientTool('shell.run', 'command', (args) => commandUses(args.text('command'))),
  apply_patch: clientTool('filesystem.edit_file', 'command', (args) => patchUses(args.text('command'))),
  view_image: fileTool('read', 'path detail'),
  spawn_agent: clientTool('codex.agent', 'message agent_type fork_context model reasoning_effort', (args) => [
    { kind: 'agent', worker: args.has('agent_type') ? args.text('agent_type') : 'default' },
  ]),
  send_input: sendInput,
  multi_agent_v1send_input: sendInput,
  resume_agent: resumeAgent,
  multi_agent_v1resume_agent: resumeAgent,
  close_agent: closeAgent,
  multi_agent_v1close_agent: closeAgent,
  // Without a text, it only waits for output. Codex 0.171 calls no hook for it.
  write_stdin: clientTool('codex.write_stdin', 'session_id chars yield_time_ms max_output_tokens', (args) =>
    args.text('chars') === '' ? [] : [{ kind: 'opaque', why: 'the text goes to a program that runs' }],
  ),
  update_plan: clientTool('codex.update_plan', 'explanation plan'),
  wait_agent: waitAgent,
  multi_agent_v1wait_agent: waitAgent,
});

/** Models without the tool `apply_patch` write a patch as a command. */
function commandUses(command: string | null): readonly Use[] {
  const found = patchInCommand(command);
  if (found === null) return [{ kind: 'shell', command }];
  const inFolder = (path: string) => (isAbsolute(path) ? path : `${found.folder}/${path}`);
  return patchUses(found.patch).map((use) =>
    use.kind === 'file' && use.path !== null ? { ...use, path: inFolder(use.path) } : use,
  );
}

function patchUses(patch: string | null): readonly Use[] {
  return usesOfPatch(patch, { keepsBlanks: true });
}

export const codex: Client = {
  name: 'codex',
  canAsk: false,
  rewrites: 'permitted',
  tools,
  pathsOf: plainPaths,
  mayBeServerTool: (tool) => tool.startsWith('mcp__'),
  read,
  // Codex runs the tool after an unknown answer, so a permission writes nothing, except for changed
  // arguments.
  write: (answer) =>
    answer.kind === 'allow' && answer.args === undefined ? silent : writeClaude(answer, { canAsk: false }),
};

/** The model may choose the shell of a command, and Codex does not tell the hook. Only bash runs it unchanged. */
function read(input: JsonObject, stage: HookStage): HookEvent {
  const found = readClaude(input, 'codex', stage);
  const hasEnded = (id: string) => payloadsOf(input, id).some(isResult);
  const event = { ...found, call: { ...found.call, hasEnded } };
  const { command } = event.call.args;
  const isOther =
    event.kind === 'call' &&
    event.call.tool === 'Bash' &&
    typeof command === 'string' &&
    patchInCommand(command) === null &&
    !isBash(input);
  if (!isOther) return event;
  const argsToRun = { ...event.call.args, command: `${usualBash} -c ${quotedWord(command)}` };
  return { ...event, call: { ...event.call, argsToRun } };
}

/** The bytes at the end of the transcript in which a call is searched. Codex writes it there before it calls the hook. */
const longestTail = 1_000_000;

/** What the transcript says of this call. */
function payloadsOf({ transcript_path: path = null }: JsonObject, id: string): readonly JsonObject[] {
  if (typeof path !== 'string') return [];
  const text = orNull(() => readRegularSync(path, { last: longestTail }).toString()) ?? '';
  const named = text.split('\n').filter((line) => line.includes(JSON.stringify(id)));
  const payloads = named.map((line) => objectOf(objectOf(jsonOr(line, null)).payload));
  return payloads.filter((payload) => payload.call_id === id);
}

/** Codex calls no hook after a patch that failed, and after a command that goes on beside the agent. */
const isResult = ({ type }: JsonObject) => typeof type === 'string' && type.endsWith('_call_output');

/** Whether the transcript certainly says that bash runs this call. */
function isBash(input: JsonObject): boolean {
  const { tool_use_id: id = null } = input;
  const calls = typeof id === 'string' ? payloadsOf(input, id) : [];
  return calls.length > 0 && calls.every((call) => shellOf(call) === 'bash');
}

function shellOf({ type, name, arguments: text }: JsonObject): string | null {
  const args = typeof text === 'string' ? jsonOr(text, null) : null;
  if (type !== 'function_call' || name !== 'exec_command' || !isJsonObject(args)) return null;
  const { shell = orNull(() => userInfo().shell) } = args;
  return typeof shell === 'string' ? shell.replace(/^\/(?:usr\/)?bin\//, '') : null;
}
