import { readClaude, writeClaude } from './claude-code.js';
import { type Client, silent } from './client.js';
import { patchInCommand, usesOfPatch } from './patch.js';
import { type ClientTool, clientTool, type Use } from './tool-table.js';

/** Tools and arguments of Codex CLI 0.169. */
const tools: ReadonlyMap<string, ClientTool> = new Map([
  ['Bash', clientTool('shell.run', 'command', (args) => commandUses(args.text('command')))],
  ['apply_patch', clientTool('filesystem.edit_file', 'command', (args) => usesOfPatch(args.text('command')))],
  [
    'view_image',
    clientTool('filesystem.read_file', 'path detail', (args) => [
      { kind: 'file', access: 'read', path: args.text('path') },
    ]),
  ],
  [
    'spawn_agent',
    clientTool('codex.agent', 'message agent_type fork_context model reasoning_effort', (args) => [
      { kind: 'agent', worker: args.text('agent_type') ?? 'default' },
    ]),
  ],
  // The hook receives the names of some tools with their namespace as a prefix.
  ...['send_input', 'multi_agent_v1send_input'].map((name): [string, ClientTool] => [
    name,
    clientTool('codex.agent', 'target id message interrupt', () => [{ kind: 'agent', worker: null }]),
  ]),
  ['update_plan', clientTool('codex.update_plan', 'explanation plan', () => [])],
  ...['wait_agent', 'multi_agent_v1wait_agent'].map((name): [string, ClientTool] => [
    name,
    clientTool('codex.wait_agent', 'targets ids timeout_ms', () => []),
  ]),
]);

/** Models without the tool `apply_patch` write a patch as a command. */
function commandUses(command: string | null): readonly Use[] {
  const patch = patchInCommand(command);
  return patch === null ? [{ kind: 'shell', command }] : usesOfPatch(patch);
}

export const codex: Client = {
  name: 'codex',
  canAsk: false,
  rewrites: 'permitted',
  tools,
  mayBeServerTool: (tool) => tool.startsWith('mcp__'),
  read: (input, stage) => readClaude(input, 'codex', stage),
  // Codex runs the tool after an unknown answer, so a permission writes nothing, except for changed
  // arguments.
  write: (answer) =>
    answer.kind === 'allow' && answer.args === undefined ? silent : writeClaude(answer, { canAsk: false }),
};
