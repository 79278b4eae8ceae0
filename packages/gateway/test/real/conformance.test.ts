import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../world.js';
import { areThere, everything, launch, node22, run, serving, suiteOf, suites } from './installed.js';

/** The official suites say the same of a server, and of a client, with the gateway between and without it. */
const versions = ['0.1', '0.2'] as const;
const isThere = areThere(node22, everything, ...Object.values(suites));
const script = (name: string) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url));

/** What the gateway answers by itself, and better than the server behind it. */
const ownEdge = [
  'server-dns-rebinding-protection localhost-host-rebinding-rejected',
  'server-server-session-lifecycle server-session-terminated-returns-404',
];

function open(): World {
  return createWorld(
    'version: 1\ndefault: pre_approved\ncapabilities: { mcp.call.sampling: pre_approved }\n',
  );
}

/** The words that start the gateway. */
function gatewayOf({ folder }: World): readonly string[] {
  const policy = join(folder, 'policy.yaml');
  return [launch, 'gateway', '--name', 'behind', '--policy', policy, '--root', folder];
}

function served(world: World, behind: readonly string[]): Promise<string> {
  const args = [...gatewayOf(world), '--listen', '127.0.0.1:0', ...behind];
  return serving(process.execPath, args, { env: world.environment, cwd: world.folder });
}

/** Imports a program, and says the URL on which it listens. */
const sayingUrl = `
  const { Server } = require('node:net');
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event, ...more) {
    if (event === 'listening') console.log('http://127.0.0.1:' + this.address().port + '/mcp');
    return emit.call(this, event, ...more);
  };
  import(process.argv[1]);
`;

let count = 0;

/** Each check of a run that passed or failed, with how it did. */
async function checks(world: World, suite: string, args: readonly string[]): Promise<Map<string, string>> {
  count += 1;
  const out = join(world.folder, `checks-${count}`);
  const { stderr } = await run(node22, [suite, ...args, '-o', out], { env: world.environment });
  const found = new Map<string, string>();
  for (const scenario of readdirSync(out)) {
    const all = JSON.parse(readFileSync(join(out, scenario, 'checks.json'), 'utf8')) as Check[];
    for (const { id, status } of all.filter((each) => each.status !== 'INFO'))
      found.set(`${scenario.replace(/-20\d\d-\d\d-\d\dT.*$/, '')} ${id}`, status);
  }
  if (found.size === 0) throw new Error(stderr);
  return found;
}

interface Check {
  readonly id: string;
  readonly status: string;
}

function different(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((check) => one.get(check) !== other.get(check)).sort();
}

describe('the official conformance suites', () => {
  for (const version of versions) {
    it.skipIf(!isThere)(`${version}: a server has the same result through the gateway`, async () => {
      const world = open();
      const url = await serving(process.execPath, [script('conformant.mjs'), 'http']);
      const of = (at: string) => checks(world, suiteOf(version), ['server', '--url', at]);
      const alone = await of(url);
      expect([...alone].filter(([, status]) => status !== 'SUCCESS')).toEqual([]);
      expect(alone.size).toBeGreaterThan(30);
      const overHttp = await of(await served(world, ['--url', url]));
      expect(different(alone, overHttp)).toEqual([]);
      const overStdio = await of(await served(world, ['--', process.execPath, script('conformant.mjs')]));
      expect(different(alone, overStdio)).toEqual([]);
    });

    it.skipIf(!isThere)(`${version}: a client has the same result through the gateway`, async () => {
      const world = open();
      const scenarios = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];
      if (version === '0.2') scenarios.push('json-schema-2020-12-preservation');
      for (const scenario of scenarios) {
        const of = (...gateway: readonly string[]) => {
          const command = [process.execPath, script('client.mjs'), ...gateway].join(' ');
          return checks(world, suiteOf(version), ['client', '--command', command, '--scenario', scenario]);
        };
        const alone = await of();
        expect([...alone].filter(([, status]) => status !== 'SUCCESS')).toEqual([]);
        expect(different(alone, await of(process.execPath, ...gatewayOf(world)))).toEqual([]);
      }
    });
  }

  it.skipIf(!isThere)(
    'server-everything has the same result, except for the gateway’s own answers',
    async () => {
      const world = open();
      const behind = ['--', process.execPath, everything];
      // It says no URL. The suite must not begin before it listens.
      const args = ['-e', sayingUrl, everything, 'streamableHttp'];
      const url = await serving(process.execPath, args, { env: { PORT: '0' } });
      const of = (at: string) => checks(world, suiteOf('0.2'), ['server', '--url', at]);
      expect(different(await of(url), await of(await served(world, behind)))).toEqual(ownEdge);
    },
  );

  const stateless = ['tools-list', 'http-header-validation', 'server-stateless', 'caching'];
  const mcpHttp = fileURLToPath(new URL('../../../../../shared/clients/mcp-http.mjs', import.meta.url));
  it.skipIf(!isThere || !areThere(mcpHttp))('the stateless revision has the same result', async () => {
    const world = open();
    const own = join(suites['0.2'], '../../../mcp-http.mjs');
    copyFileSync(mcpHttp, own);
    const url = await serving(process.execPath, [own]);
    const through = await served(world, ['--url', url]);
    for (const scenario of [...stateless, 'dns-rebinding-protection']) {
      const which = ['--spec-version', '2026-07-28', '--scenario', scenario];
      const of = (at: string) => checks(world, suiteOf('0.2'), ['server', '--url', at, ...which]);
      const [alone, gateway] = [await of(url), await of(through)];
      // It has none of the tools that the suite asks for, and an unknown tool is a result for the model here.
      const worse = different(alone, gateway).filter((check) => gateway.get(check) !== 'SUCCESS');
      expect([scenario, worse]).toEqual([scenario, []]);
    }
    const rebound = ['--scenario', 'dns-rebinding-protection', '--url', through];
    const found = await checks(world, suiteOf('0.2'), ['server', ...rebound]);
    expect(new Set(found.values())).toEqual(new Set(['SUCCESS']));
  });
});
