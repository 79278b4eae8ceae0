import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, policyOf, type World } from '../world.js';
import { areThere, everything, filesystem, inspector, launch, memory, node22, run } from './installed.js';

/** Starting a server of the registry: what its line of command says, and what it may read. */
const start = 'tools: { toolset.start: pre_approved }\n';
const tiny = fileURLToPath(new URL('../../../../../shared/clients/mcp-tiny.mjs', import.meta.url));

function open(rules: string): World {
  return createWorld(`${policyOf(rules)}${start}`);
}

function gatewayOf({ folder }: World, ...more: readonly string[]): readonly string[] {
  return [launch, 'gateway', '--policy', join(folder, 'policy.yaml'), '--root', folder, ...more];
}

async function connected(
  world: World,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd: world.folder,
    env: { ...world.environment, ...env },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Only those of these names, where any are given: what the policy always blocks is not listed. */
async function toolsOf(client: Client, ...names: readonly string[]): Promise<readonly unknown[]> {
  const { tools } = await client.listTools();
  return tools.filter(({ name }) => names.length === 0 || names.includes(name));
}

describe('a reference server behind the gateway', () => {
  it.skipIf(!areThere(memory))('server-memory stores permitted data, and deletes nothing', async () => {
    const world = open(
      '  mcp.call: { decision: pre_approved, match: { tool: [create_entities, read_graph] } }\n',
    );
    const env = { MEMORY_FILE_PATH: join(world.folder, 'memory.jsonl') };
    const client = await connected(
      world,
      gatewayOf(world, '--env', 'MEMORY_FILE_PATH', '--', process.execPath, memory),
      env,
    );
    const own = await connected(world, [memory], env);
    expect(await toolsOf(client)).toEqual(await toolsOf(own, 'create_entities', 'read_graph'));
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
    const made = await client.callTool({ name: 'create_entities', arguments: { entities } });
    expect(made.structuredContent).toEqual({ entities });
    const blocked = await client.callTool({ name: 'delete_entities', arguments: { entityNames: ['Ada'] } });
    expect(blocked).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('BLOCKED') }] });
    const { structuredContent } = await client.callTool({ name: 'read_graph', arguments: {} });
    expect(structuredContent).toEqual({ entities, relations: [] });
  });

  it.skipIf(!areThere(filesystem))(
    'server-filesystem reads and writes only paths that the map permits',
    async () => {
      const world = open(
        '  mcp.call: pre_approved\n  fs.write: { decision: pre_approved, match: { path: ./out/** } }\n',
      );
      const map = join(world.folder, 'map.yaml');
      writeFileSync(
        map,
        'read_text_file: { name: fs.read, path: { arg: path } }\nwrite_file: { name: fs.write, path: { arg: path } }\ncreate_directory: { name: fs.write, path: { arg: path } }\n',
      );
      const server = [filesystem, world.folder];
      const args = gatewayOf(world, '--carries', map, '--', process.execPath, ...server);
      const client = await connected(world, args);
      expect(await toolsOf(client)).toEqual(await toolsOf(await connected(world, server)));
      const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
      const [inside, outside] = [join(world.folder, 'out/a.txt'), join(world.folder, 'b.txt')];
      expect(await call('create_directory', { path: join(world.folder, 'out') })).not.toHaveProperty(
        'isError',
        true,
      );
      expect(await call('write_file', { path: inside, content: 'hi' })).not.toHaveProperty('isError', true);
      expect(await call('write_file', { path: outside, content: 'hi' })).toMatchObject({ isError: true });
      expect(await call('read_text_file', { path: inside })).toMatchObject({ content: [{ text: 'hi' }] });
      expect([readFileSync(inside, 'utf8'), existsSync(outside)]).toEqual(['hi', false]);
    },
  );

  it.skipIf(!areThere(filesystem))(
    'server-filesystem reads nothing through a link that a call beside it moves there',
    async () => {
      const world = open('  mcp.call: pre_approved\n  fs.write: pre_approved\n  secret.read: blocked\n');
      const place = (name: string) => join(world.folder, name);
      const map = place('map.yaml');
      writeFileSync(
        map,
        'read_text_file: { name: fs.read, path: { arg: path } }\nmove_file: [{ name: fs.write, path: { arg: destination } }, { name: fs.write, path: { arg: source } }]\n',
      );
      writeFileSync(place('.env'), 'the secret');
      const server = ['--', process.execPath, filesystem, world.folder];
      const client = await connected(world, gatewayOf(world, '--carries', map, ...server));
      const call = async (name: string, given: object) =>
        JSON.stringify(await client.callTool({ name, arguments: { ...given } }));
      for (let time = 0; time < 20; time += 1) {
        mkdirSync(place(`from${time}`));
        symlinkSync('../.env', place(`from${time}/l`));
        const [moved, read] = await Promise.all([
          call('move_file', { source: place(`from${time}`), destination: place(`to${time}`) }),
          call('read_text_file', { path: place(`to${time}/l`) }),
        ]);
        expect(moved).toContain('Successfully moved');
        expect(read).toContain('BLOCKED by policy');
      }
    },
  );

  it.skipIf(!areThere(everything))('server-everything reveals no environment variables', async () => {
    const world = open(
      '  mcp.call: { decision: pre_approved, match: { tool: [echo, get-sum, prompts/get, resources/read] } }\n',
    );
    const args = gatewayOf(world, '--', process.execPath, everything);
    const [client, alone] = [await connected(world, args), await connected(world, [everything])];
    expect(await toolsOf(client)).toEqual(await toolsOf(alone, 'echo', 'get-sum'));
    const sum = { name: 'get-sum', arguments: { a: 2, b: 3 } };
    expect(await client.callTool(sum)).toEqual(await alone.callTool(sum));
    expect(await client.callTool({ name: 'get-env', arguments: {} })).toMatchObject({ isError: true });
    expect(await client.listPrompts()).toEqual(await alone.listPrompts());
    expect((await client.listResources()).resources.length).toBe(
      (await alone.listResources()).resources.length,
    );
  });
});

describe('the inspector in front of the gateway', () => {
  it.skipIf(!areThere(node22, inspector, tiny))(
    'gets the same answers as directly from the server',
    async () => {
      const world = open('  mcp.call: { decision: pre_approved, match: { tool: echo } }\n');
      const asked = (server: readonly string[], ...method: readonly string[]) =>
        run(node22, [inspector, '--cli', ...server, ...method], {
          env: world.environment,
          cwd: world.folder,
        });
      const script = join(world.folder, 'gateway.sh');
      const words = [process.execPath, ...gatewayOf(world, '--', process.execPath, tiny)];
      writeFileSync(script, `exec ${words.map((word) => `'${word}'`).join(' ')}\n`);
      const [alone, through] = [
        [process.execPath, tiny],
        ['sh', script],
      ] as const;
      const echo = ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hi'];
      const answers = async (server: readonly string[], ...method: readonly string[]) =>
        JSON.parse((await asked(server, ...method)).stdout);
      expect(await answers(through, ...echo)).toEqual(await answers(alone, ...echo));
      const list = ['--method', 'tools/list'];
      const { tools } = await answers(alone, ...list);
      // What the policy always blocks is not listed.
      const offered = tools.filter(({ name }: { readonly name: string }) => name === 'echo');
      expect(await answers(through, ...list)).toEqual({ tools: offered });
      const danger = ['--method', 'tools/call', '--tool-name', 'danger', '--tool-arg', 'path=x'];
      // It calls only what is listed.
      expect((await asked(through, ...danger)).stdout).toBe('');
      expect((await asked(alone, ...danger)).stdout).not.toBe('');
    },
  );
});
