import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json, JsonObject } from '@ambit/core';
import { type Files, type Workplace, worker, workplace } from '../session.js';

const serve = fileURLToPath(new URL('../../../toolsets/test/mcp/serve.mjs', import.meta.url));

/** The text of a server's program, which has `serve`, `send`, `ask`, `tool` and `text` at hand. */
export function program(script: string): string {
  return `import { appendFileSync } from 'node:fs';
import { ask, send, serve, text, tool } from ${JSON.stringify(serve)};
appendFileSync(new URL('./started', import.meta.url), \`\${process.pid} \`);
${script}
`;
}

/** A worker file's reference to a server of this folder. */
export function serverAt(file: string, more: JsonObject = {}): JsonObject {
  return { command: process.execPath, args: [file], ...more };
}

/** A working folder with one server, `mcp-x`, which has the tools `hello` and `bye`. */
export function mcpPlace(files: Files = {}): Workplace {
  return workplace({
    'policy.yaml': allowing({ 'proc.exec': 'pre_approved', 'mcp.call': 'pre_approved' }),
    'server.mjs': program(
      `serve({ tools: [tool('hello'), tool('bye')], call: ({ name }) => text(name + '!') });`,
    ),
    'main.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs') } }),
    'script.yaml': { main: [{ call: [{ tool: 'hello', args: {} }] }, { say: 'done' }] },
    ...files,
  });
}

export function allowing(capabilities: Json): Json {
  return {
    version: 1,
    default: 'blocked',
    capabilities: {
      'content.untrusted': 'pre_approved',
      'code.load': 'pre_approved',
      'fs.read': 'pre_approved',
      'proc.exec.opaque': 'pre_approved',
      ...(capabilities as JsonObject),
    },
  };
}

/** How often the server was started. */
export function starts({ text }: Workplace): number {
  return pidsOf(text('started')).length;
}

function pidsOf(text: string | null): readonly string[] {
  return (text ?? '').split(' ').filter((pid) => pid !== '');
}

/** The processes that run in a folder, or were told of it. */
export function processesAbout(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const told =
        readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
      return told.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      // It has ended meanwhile, or is none of ours.
      return false;
    }
  });
}
