import { toolsetOf } from '@ambit/core';

/** The own names of agents' tools that have another name in policies, in lower case and without underscores. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'claude-code': {
    'shell.run': 'bash monitor',
    'filesystem.read_file': 'read lsp',
    'filesystem.list_files': 'glob',
    'filesystem.search_files': 'grep',
    'filesystem.write_file': 'write',
    'filesystem.edit_file': 'edit multiedit notebookedit',
    'claude-code.agent': 'task sendmessage',
    'claude-code.powershell': 'powershell',
  },
  codex: {
    'shell.run': 'bash',
    'filesystem.read_file': 'viewimage',
    'filesystem.edit_file': 'applypatch',
    'codex.agent': 'spawnagent sendinput resumeagent',
  },
  gemini: {
    'shell.run': 'runshellcommand',
    'filesystem.read_file': 'readfile',
    'filesystem.list_files': 'listdirectory glob',
    'filesystem.search_files': 'grepsearch searchfilecontent',
    'filesystem.write_file': 'writefile',
    'filesystem.edit_file': 'replace',
    'gemini.web_search': 'googlewebsearch',
    'gemini.agent': 'invokeagent',
  },
  copilot: {
    'shell.run': 'bash',
    'filesystem.read_file': 'view',
    'filesystem.list_files': 'glob',
    'filesystem.search_files': 'grep rg',
    'filesystem.write_file': 'create',
    'filesystem.edit_file': 'edit applypatch',
    'copilot.agent': 'task writeagent',
  },
  opencode: {
    'shell.run': 'bash',
    'filesystem.read_file': 'read lsp',
    'filesystem.list_files': 'list glob',
    'filesystem.search_files': 'grep',
    'filesystem.write_file': 'write',
    'filesystem.edit_file': 'edit applypatch',
    'opencode.web_fetch': 'webfetch',
    'opencode.web_search': 'websearch',
    'opencode.agent': 'task',
    'opencode.todo_write': 'todowrite',
    'opencode.todo_read': 'todoread',
  },
};

/** In exactly one way: `a___b` may be the server `a_`. */
const serverTool = /^mcp__(?!_)((?:(?!__).)+)__(?!_)((?:(?!__).)+)$/;

/** The name in policies of a tool that is named as its agent names it: `claude-code.Bash` is `shell.run`. */
export function agentTool(name: string): string | null {
  const agent = toolsetOf(name);
  if (!Object.hasOwn(ownNames, agent)) return null;
  const tool = name.slice(agent.length + 1);
  const words = (text: string) => text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const [, server, ofServer = ''] = serverTool.exec(tool) ?? [];
  const inPolicies =
    server === undefined ? `${agent}.${words(tool)}` : `mcp-${server.toLowerCase()}.${words(ofServer)}`;
  const other = listedAs(tool, agent) ?? inPolicies;
  return other === name ? null : other;
}

/** The names in policies of what agents call so, without the agent's name: of `Bash`, `mcp__github__push`. */
export function agentTools(text: string): readonly string[] {
  const name = text.replace(/\(.*/s, '');
  const [, server] = /^mcp__((?:(?!__)[\w-])+)(?:__\**)?$/.exec(name) ?? [];
  if (server !== undefined) return [`mcp-${server.toLowerCase()}.*`];
  const ofClaude = serverTool.test(name) || /^[A-Z]\w*$/.test(name) ? agentTool(`claude-code.${name}`) : null;
  if (ofClaude !== null) return [ofClaude];
  const found = Object.keys(ownNames).map((agent) => listedAs(name, agent));
  return [...new Set(found)].filter((each) => each !== null);
}

function listedAs(tool: string, agent: string): string | null {
  const own = ownNames[agent] ?? {};
  const letters = tool.toLowerCase().replaceAll('_', '');
  return Object.keys(own).find((each) => own[each]?.split(' ').includes(letters)) ?? null;
}
