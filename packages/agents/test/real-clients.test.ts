import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type ClientName, clientNames } from '../src/index.js';
import { pluginText } from '../src/install/opencode-plugin.js';
import { usualPolicy } from './place.js';

/** The real clients, where somebody installed them: a folder with one of each, and the programs that drive them. */
const clients = process.env.REAL_CLIENTS ?? '';
const drivers = new URL('../../../../shared/clients/', import.meta.url);
const launch = fileURLToPath(new URL('../../cli/dist/launch.cjs', import.meta.url));
const isThere = clients !== '' && existsSync(clients) && existsSync(drivers) && existsSync(launch);

interface Driver {
  readonly call: { readonly shell: (command: string) => object };
  readonly run: (
    options: object,
  ) => Promise<{ readonly proj: string; readonly results: readonly { readonly text: string }[] }>;
}

const base = isThere ? realpathSync(mkdtempSync(join(tmpdir(), 'real-clients-'))) : '';
afterAll(() => {
  if (isThere) rmSync(base, { recursive: true, force: true });
});

/** The hook in the client's own form. */
function hookOf(client: ClientName, state: string): object {
  const policy = join(base, 'policy.yaml');
  writeFileSync(policy, usualPolicy);
  const args = [
    '-i',
    process.execPath,
    launch,
    'hook',
    client,
    '--policy',
    policy,
    '--home',
    base,
    '--state',
    state,
  ];
  const text = ['/usr/bin/env', ...args].join(' ');
  switch (client) {
    case 'claude-code':
      return { hook: { type: 'command', command: '/usr/bin/env', args, timeout: 30, onFailure: 'block' } };
    case 'codex':
      return { hook: { type: 'command', command: text, timeout: 30 } };
    case 'gemini':
      return { hook: { type: 'command', command: text, timeout: 30_000 } };
    case 'copilot':
      return { hook: { type: 'command', bash: text, timeoutSec: 30 } };
    case 'opencode':
      return { plugin: pluginText({ command: ['/usr/bin/env', ...args], timeout: 30 }) };
  }
}

describe.skipIf(!isThere)('a real client (skipped without REAL_CLIENTS)', { timeout: 600_000 }, () => {
  it.each(clientNames)('%s runs what is permitted, and nothing else', async (client) => {
    const name = client === 'claude-code' ? 'claude' : client;
    const driver = (await import(/* @vite-ignore */ new URL(`drive-${name}.mjs`, drivers).href)) as Driver;
    const drive = async (title: string, command: string) =>
      driver.run({
        clients,
        work: base,
        name: title,
        ...hookOf(client, join(base, `state-${client}`)),
        script: [{ tools: [driver.call.shell(command)] }, 'done'],
        timeout: 180_000,
      });
    const permitted = await drive('permitted', 'mkdir -p out && echo hi > out/ok.txt');
    expect(existsSync(join(permitted.proj, 'out/ok.txt'))).toBe(true);
    const blocked = await drive('blocked', 'echo hi > made.txt');
    expect(existsSync(join(blocked.proj, 'made.txt'))).toBe(false);
    expect(blocked.results[0]?.text).toContain('made.txt is reserved');
    const asked = await drive('asked', 'echo hi > other.txt');
    expect(existsSync(join(asked.proj, 'other.txt'))).toBe(false);
    expect(asked.results[0]?.text).toContain('needs approval');
  });
});
