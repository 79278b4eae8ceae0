import type { ClientName } from '../../src/index.js';

/** The reasons of the rules that block. */
export const reasons = {
  write: 'made-files are reserved',
  read: 'hidden.txt is hidden',
  web: 'hosts elsewhere are closed',
  server: 'danger is dangerous',
  agent: 'that agent stays at home',
};

/** A policy in which a call of each kind is permitted, and another blocked. `port`: of a server on this machine. */
export const policyFor = (port: number) => `version: 1
default: blocked
capabilities:
  fs.list: pre_approved
  fs.delete: pre_approved
  proc.exec: pre_approved
  content.untrusted: pre_approved
  fs.read:
    - pre_approved
    - { id: hidden, decision: blocked, match: { path: ./hidden.txt }, reason: ${reasons.read} }
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** } }
    - { decision: needs_approval, match: { path: ./asked-* } }
    - { id: reserved, decision: blocked, match: { path: ./made-* }, reason: ${reasons.write} }
  net.connect.private:
    - { decision: pre_approved, match: { host: 127.0.0.1, port: ${port} } }
    - { id: far, decision: blocked, match: { host: 127.0.0.2 }, reason: ${reasons.web} }
  mcp.call:
    - { decision: pre_approved, match: { server: tiny, tool: echo } }
    - { id: danger, decision: blocked, match: { tool: danger }, reason: ${reasons.server} }
  worker.call:
    - pre_approved
    - id: homely
      decision: blocked
      match: { worker: [explore, codebase_investigator, worker] }
      reason: ${reasons.agent}
  tool.call: { decision: pre_approved, match: { tool: [gemini.complete_task, codex.wait_agent] } }
`;

/** A call as a scripted model makes it. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly custom?: boolean;
  readonly namespace?: string;
}
const P = '@@PROJ@@';

/** Calls of each kind, in the client's own words: those that the policy blocks, and those that it permits. */
interface Calls {
  readonly blocked: readonly Call[];
  readonly permitted: readonly Call[];
  readonly asked: Call;
  /** A blocked and a permitted call of a sub-agent. */
  readonly inner: readonly Call[];
  readonly last: readonly unknown[];
  /** Files that the permitted calls leave in `out`. */
  readonly made: readonly string[];
}

const innerOf = (bash: (command: string) => Call) => ({
  asked: bash('echo x > asked-shell'),
  inner: [bash('echo x > made-sub'), bash('echo x > out/sub')],
});
const usual = { last: ['done'], made: ['shell', 'sub', 'write'] };

export function callsOf(client: ClientName, url: string): Calls {
  const far = url.replace('127.0.0.1', '127.0.0.2');
  const patch = (name: string) => `*** Begin Patch\n*** Add File: ${name}\n+hello\n*** End Patch\n`;
  const of = (name: string, input: unknown, more: object = {}): Call => ({ name, input, ...more });
  switch (client) {
    case 'claude-code': {
      const bash = (command: string) => of('Bash', { command, description: 'x' });
      const agent = (subagent_type: string) =>
        of('Agent', { description: 'd', prompt: '[[sub]] go', subagent_type, run_in_background: false });
      return {
        blocked: [
          bash('echo x > made-shell'),
          of('Write', { file_path: `${P}/made-write`, content: 'x' }),
          of('Edit', { file_path: `${P}/made-edit`, old_string: '', new_string: 'x' }),
          of('Read', { file_path: `${P}/hidden.txt` }),
          of('mcp__tiny__danger', { path: '/x' }),
          of('WebFetch', { url: `${far}/far`, prompt: 'x' }),
          agent('Explore'),
        ],
        permitted: [
          bash('mkdir -p out && echo x > out/shell'),
          of('Write', { file_path: `${P}/out/write`, content: 'x' }),
          of('Read', { file_path: `${P}/out/write` }),
          of('Edit', { file_path: `${P}/out/write`, old_string: 'x', new_string: 'edited' }),
          of('mcp__tiny__echo', { text: 'hi' }),
          of('WebFetch', { url: `${url}/near`, prompt: 'x' }),
          agent('general-purpose'),
        ],
        ...usual,
        ...innerOf(bash),
      };
    }
    case 'codex': {
      const bash = (cmd: string) => of('exec_command', { cmd });
      const here = (name: string) => bash(`apply_patch <<'EOF'\n${patch(name)}EOF`);
      const agent = (agent_type: string) =>
        of('spawn_agent', { message: '[[sub]] go', agent_type }, { namespace: 'multi_agent_v1' });
      return {
        blocked: [
          bash('echo x > made-shell'),
          here('made-here'),
          of('apply_patch', patch('made-patch'), { custom: true }),
          of('view_image', { path: 'hidden.txt' }),
          of('danger', { path: '/x' }, { namespace: 'mcp__tiny' }),
          agent('worker'),
        ],
        permitted: [
          bash('mkdir -p out && echo x > out/shell'),
          here('out/here'),
          of('apply_patch', patch('out/patch'), { custom: true }),
          of('echo', { text: 'hi' }, { namespace: 'mcp__tiny' }),
          agent('default'),
        ],
        ...usual,
        made: ['here', 'patch', 'shell', 'sub'],
        ...innerOf(bash),
      };
    }
    case 'gemini': {
      const bash = (command: string) => of('run_shell_command', { command, description: 'x' });
      const agent = (agent_name: string) => of('invoke_agent', { agent_name, prompt: '[[sub]] go' });
      return {
        blocked: [
          bash('echo x > made-shell'),
          of('write_file', { file_path: `${P}/made-write`, content: 'x' }),
          of('replace', { file_path: `${P}/made-edit`, instruction: 'x', old_string: '', new_string: 'x' }),
          of('read_file', { file_path: `${P}/hidden.txt` }),
          of('mcp_tiny_danger', { path: '/x' }),
          of('web_fetch', { prompt: `read ${far}/far` }),
          agent('codebase_investigator'),
        ],
        permitted: [
          bash('mkdir -p out && echo x > out/shell'),
          of('write_file', { file_path: `${P}/out/write`, content: 'x' }),
          of('read_file', { file_path: `${P}/out/write` }),
          of('replace', {
            file_path: `${P}/out/write`,
            instruction: 'x',
            old_string: 'x',
            new_string: 'edited',
          }),
          of('mcp_tiny_echo', { text: 'hi' }),
          of('web_fetch', { prompt: `read ${url}/near` }),
          agent('generalist'),
        ],
        ...usual,
        ...innerOf(bash),
        last: [{ tools: [of('complete_task', { result: { response: 'done' } })] }, 'done'],
      };
    }
    case 'copilot': {
      const bash = (command: string) => of('bash', { command, description: 'x' });
      const agent = (agent_type: string) =>
        of('task', { description: 'd', prompt: '[[sub]] go', agent_type, name: 'n', mode: 'sync' });
      return {
        blocked: [
          bash('echo x > made-shell'),
          of('create', { path: `${P}/made-write`, file_text: 'x' }),
          of('edit', { path: `${P}/made-edit`, old_str: '', new_str: 'x' }),
          of('view', { path: `${P}/hidden.txt` }),
          of('tiny-danger', { path: '/x' }),
          of('web_fetch', { url: `${far}/far` }),
          agent('explore'),
        ],
        permitted: [
          bash('mkdir -p out && echo x > out/shell'),
          of('create', { path: `${P}/out/write`, file_text: 'x' }),
          of('view', { path: `${P}/out/write` }),
          of('edit', { path: `${P}/out/write`, old_str: 'x', new_str: 'edited' }),
          of('tiny-echo', { text: 'hi' }),
          of('web_fetch', { url: `${url}/near` }),
          agent('general-purpose'),
        ],
        ...usual,
        ...innerOf(bash),
      };
    }
    case 'opencode': {
      const bash = (command: string) => of('bash', { command, description: 'x' });
      const agent = (subagent_type: string) =>
        of('task', { description: 'd', prompt: '[[sub]] go', subagent_type });
      return {
        blocked: [
          bash('echo x > made-shell'),
          of('write', { filePath: `${P}/made-write`, content: 'x' }),
          of('edit', { filePath: `${P}/made-edit`, oldString: '', newString: 'x' }),
          of('read', { filePath: `${P}/hidden.txt` }),
          of('tiny_danger', { path: '/x' }),
          of('webfetch', { url: `${far}/far`, format: 'text' }),
          agent('explore'),
        ],
        permitted: [
          bash('mkdir -p out && echo x > out/shell'),
          of('write', { filePath: `${P}/out/write`, content: 'x' }),
          of('read', { filePath: `${P}/out/write` }),
          of('edit', { filePath: `${P}/out/write`, oldString: 'x', newString: 'edited' }),
          of('tiny_echo', { text: 'hi' }),
          of('webfetch', { url: `${url}/near`, format: 'text' }),
          agent('general'),
        ],
        ...usual,
        ...innerOf(bash),
      };
    }
  }
}
