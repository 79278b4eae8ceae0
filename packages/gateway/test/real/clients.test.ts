import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { policyOf } from '../world.js';
import { areThere, clients, launch } from './installed.js';

/** The programs that drive the real clients against a scripted model. */
const drivers = new URL('../../../../../shared/clients/', import.meta.url);
const tiny = fileURLToPath(new URL('mcp-tiny.mjs', drivers));

interface Driver {
  readonly program: (clients: string) => string;
  readonly run: (options: object) => Promise<{
    readonly results: readonly { readonly text: string }[];
    readonly out: string;
    readonly err: string;
  }>;
}

/** How each client calls a tool of the server `tiny`. */
const calls: Readonly<Record<string, (tool: string) => object>> = {
  claude: (tool) => ({ name: `mcp__tiny__${tool}` }),
  codex: (tool) => ({ name: tool, namespace: 'mcp__tiny' }),
  gemini: (tool) => ({ name: `mcp_tiny_${tool}` }),
  copilot: (tool) => ({ name: `tiny-${tool}` }),
  opencode: (tool) => ({ name: `tiny_${tool}` }),
};

const policy = `${policyOf(`
  mcp.call:
    - { decision: pre_approved, match: { tool: [echo, danger] } }
    - { decision: needs_approval, match: { tool: ask_me } }
  fs.delete: { decision: blocked, match: { path: /x }, reason: danger is dangerous }
`)}tools: { toolset.start: pre_approved }
`;

/** Blocked by its argument: what is blocked whatever the arguments is not listed, and no client calls it. */
const carries = 'danger: { name: fs.delete, path: { arg: path } }\n';

describe('a real client in front of the gateway', () => {
  for (const [client, named] of Object.entries(calls)) {
    const at = new URL(`drive-${client}.mjs`, drivers);
    const load = async () => (await import(/* @vite-ignore */ at.href)) as Driver;
    it.skipIf(!areThere(fileURLToPath(at), tiny))(
      `${client} runs only the permitted call`,
      async (context) => {
        const driver = await load();
        if (!existsSync(driver.program(clients))) context.skip();
        const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-client-')));
        onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
        const [rules, log, map] = ['policy.yaml', 'calls', 'carries.yaml'].map((name) =>
          join(folder, name),
        ) as [string, string, string];
        writeFileSync(rules, policy);
        writeFileSync(map, carries);
        writeFileSync(log, '');
        // Where the client cannot ask, nobody answers here: the refusal is what the model shall read.
        const hold = ['--no-hold', '--root', folder];
        const gateway = ['gateway', '--name', 'tiny', '--policy', rules, '--carries', map, ...hold];
        const mcp = {
          command: process.execPath,
          args: [launch, ...gateway, '--', process.execPath, tiny, log],
        };
        const made = (tool: string, input: object) => ({ tools: [{ ...named(tool), input }] });
        const script = [
          made('danger', { path: '/x' }),
          made('ask_me', {}),
          made('echo', { text: 'hi' }),
          'done',
        ];
        // Otherwise the first turn does not wait for the server.
        const codex = { args: ['-m', 'gpt-5.5'], toml: 'required = true\nstartup_timeout_sec = 120\n' };
        const more = client === 'codex' ? codex : {};
        const { results, out, err } = await driver.run({
          clients,
          work: folder,
          name: 'run',
          timeout: 240_000,
          mcp,
          script,
          ...more,
        });
        const told = results.map(({ text }) => text).join('\n');
        expect(told, `${out}${err}`).toContain('danger is dangerous');
        expect(told).toMatch(/did not approve|needs approval/);
        expect(told).toContain('echo:hi');
        const ran = readFileSync(log, 'utf8').split('\n').filter(Boolean);
        expect(ran.flatMap((line) => JSON.parse(line).call ?? [])).toEqual(['echo']);
      },
    );
  }
});
