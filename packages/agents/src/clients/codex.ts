import { readClaude, writeClaude } from './claude-code.js';
import { type Client, silent } from './client.js';
import { plainPaths } from './fields.js';
import { patchInCommand, usesOfPatch } from './patch.js';
import { clientTool, fileTool, toolTable, type Use } from './tool-table.js';

const sendInput = clientTool('codex.agent', 'target id message interrupt', [{ kind: 'agent', worker: null }]);
const waitAgent = clientTool('codex.wait_agent', 'targets ids timeout_ms');

/** Tools and arguments of Codex CLI 0.169 to 0.171. The hook receives the names of some with their namespace as a prefix. */
const tools = toolTable({
  Bash: clientTool('shell.run', 'command', (args) => commandUses(args.text('command'))),
  apply_patch: clientTool('filesystem.edit_file', 'command', (args) => patchUses(args.text('command'))),
  view_image: fileTool('read', 'path detail'),
  spawn_agent: clientTool('codex.agent', 'message agent_type fork_context model reasoning_effort', (args) => [
    { kind: 'agent', worker: args.text('agent_type') ?? 'default' },
  ]),
  send_input: sendInput,
  multi_agent_v1send_input: sendInput,
  update_plan: clientTool('codex.update_plan', 'explanation plan'),
  wait_agent: waitAgent,
  multi_agent_v1wait_agent: waitAgent,
});

/** Models without the tool `apply_patch` write a patch as a command. */
function commandUses(command: string | null): readonly Use[] {
  const patch = patchInCommand(command);
  return patch === null ? [{ kind: 'shell', command }] : patchUses(patch);
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
  read: (input, stage) => readClaude(input, 'codex', stage),
  // Codex runs the tool after an unknown answer, so a permission writes nothing, except for changed
  // arguments.
  write: (answer) =>
    answer.kind === 'allow' && answer.args === undefined ? silent : writeClaude(answer, { canAsk: false }),
};
