import type { ClientName } from '../../src/index.js';

/** A call of each client's shell, as a scripted model makes it. */
export const shellCalls: Readonly<Record<ClientName, (command: string) => object>> = {
  'claude-code': (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
  codex: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  gemini: (command) => ({ name: 'run_shell_command', input: { command, description: 'x' } }),
  copilot: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  opencode: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
};
