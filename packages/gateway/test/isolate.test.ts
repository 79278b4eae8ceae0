import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { findIsolation } from '@ambit/shell';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GatewayError } from '../src/servers/open-upstream.js';
import type { ServerIsolation } from '../src/upstream/server-of.js';
import { readServersFile } from '../src/upstream/servers-file.js';
import { createWorld, type Opened, policyOf, type World } from './world.js';

const script = new URL('servers/escaping.mjs', import.meta.url).pathname;
const calls = '  mcp.call: pre_approved\n';
const writes = ['fs.write', 'fs.delete', 'fs.meta']
  .map((name) => `  ${name}: { decision: pre_approved, match: { path: ./out/** } }\n`)
  .join('');
const network = '  net.connect: pre_approved\n  net.connect.private: pre_approved\n';
const isIsolating = (await findIsolation()) !== null;

interface Confined extends Opened {
  readonly world: World;
  readonly out: string;
  /** A well-known secret. */
  readonly key: string;
  readonly tries: (tool: string, args: object) => Promise<string>;
}

async function opened(
  rules: string,
  { writes: folders = [], network: isOpen = false, hosts = [] }: Partial<ServerIsolation> = {},
  { environment = {}, args = ['ends'] }: { readonly environment?: object; readonly args?: string[] } = {},
): Promise<Confined> {
  const world = createWorld(policyOf(`${calls}${rules}`));
  const out = join(world.folder, 'out');
  const key = join(world.folder, '.ssh/id_ed25519');
  for (const folder of [out, dirname(key)]) mkdirSync(folder);
  for (const file of [key, join(out, '.env')]) writeFileSync(file, 'secret');
  const isolation = { writes: folders.map((name) => join(world.folder, name)), network: isOpen, hosts };
  const command = [process.execPath, script, ...args] as [string, ...string[]];
  const own = { command, isolation, environment: { ...environment } };
  const each = await world.open('good', undefined, own);
  const tries = async (name: string, args: object) => {
    const { content } = await each.client.callTool({ name, arguments: { ...args } });
    return (content as readonly { readonly text: string }[])[0]?.text ?? '';
  };
  return { ...each, world, out, key, tries };
}

/** The command lines of all processes. */
function commands(): readonly string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((name) => {
    try {
      return [readFileSync(`/proc/${name}/cmdline`, 'utf8')];
    } catch {
      return [];
    }
  });
}

async function port(): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(!isIsolating)('a confined server', () => {
  it('cannot write, connect, or read well-known secrets', async () => {
    const { world, tries, out, key } = await opened('');
    for (const path of [join(out, 'a'), join(world.folder, 'a'), '/tmp/ambit-a'])
      expect(await tries('write', { path })).toMatch(/^(?:EROFS|EACCES|EPERM)$/);
    expect(await tries('connect', { port: await port() })).not.toBe('done');
    expect([existsSync(join(out, 'a')), existsSync(join(world.folder, 'a'))]).toEqual([false, false]);
    expect(await tries('read', { path: script })).toContain('An MCP server');
    expect(await tries('read', { path: key })).not.toContain('secret');
  });

  it.each([[[]], [['out']]])(
    'cannot read the secrets of the project, with these writes: %j',
    async (folders) => {
      const each = await opened(writes.replace('./out/**', './**'), { writes: folders });
      const secret = join(each.world.folder, 'out/.env');
      expect(existsSync(secret)).toBe(true);
      expect(await each.tries('read', { path: secret })).not.toContain('secret');
      const written = await each.tries('write', { path: join(each.out, 'a') });
      expect(written === 'done').toBe(folders.length > 0);
    },
  );

  it('can write in its given folders, and connect to permitted hosts', async () => {
    const { world, tries, out } = await opened(
      `${writes}${network}`,
      { writes: ['out'], network: true },
      { environment: { TOKEN: 'abc' } },
    );
    expect(await tries('write', { path: join(out, 'a') })).toBe('done');
    expect(await tries('write', { path: join(world.folder, 'a') })).toBe('EROFS');
    expect(await tries('connect', { port: await port() })).toBe('done');
    expect(await tries('variable', { name: 'TOKEN' })).toBe('abc');
    expect(await tries('variable', { name: 'AMBIT_HOME' })).toBe('none');
    expect([existsSync(join(out, 'a')), existsSync(join(world.folder, 'a'))]).toEqual([true, false]);
  });

  it('reaches permitted hosts by a proxy, and no other host or port', async () => {
    const site = createHttpServer((request, response) => response.end(`${request.method} ${request.url}`));
    onTestFinished(() => void site.close());
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const { port: at } = site.address() as AddressInfo;
    const only = `  net.connect.private: { decision: pre_approved, match: { host: [127.0.0.1, localhost], port: ${at} } }\n`;
    const hosts = [`127.0.0.1:${at}`, `localhost:${at}`];
    const { tries, said, close } = await opened(only, { hosts });
    expect(await tries('fetch', { url: `http://127.0.0.1:${at}/a?b` })).toBe('200 GET /a?b');
    expect(await tries('fetch', { url: `http://localhost:${at}/c` })).toBe('200 GET /c');
    expect(await tries('tunnel', { to: `127.0.0.1:${at}` })).toContain('GET /');
    const other = await port();
    for (const to of [`127.0.0.1:${other}`, `127.0.0.2:${at}`, `[::1]:${at}`, 'example.com:443', 'x'])
      expect([to, await tries('tunnel', { to })]).toEqual([to, '403']);
    expect(await tries('fetch', { url: `http://127.0.0.1:${other}/` })).toBe('403');
    expect(await tries('tunnel', { to: `127.0.0.1:${at}`, secret: 'no' })).toBe('403');
    expect(await tries('connect', { port: at })).toBe('ECONNREFUSED');
    expect(said.filter((line) => line.includes('example.com'))).toEqual([
      'the server may not reach example.com',
    ]);
    const folders = () => readdirSync('/var/tmp').filter((name) => name.startsWith('ambit-'));
    const before = folders().length;
    await close();
    expect(folders().length).toBeLessThan(before);
  });

  it.each([
    ['a host', { hosts: ['api.example.com'] }],
    ['a folder', { writes: ['out'] }],
    ['the network', { network: true }],
  ])('is not started with %s if no rule permits it', async (_, isolation) => {
    await expect(opened('', isolation)).rejects.toThrow(GatewayError);
  });

  it('is not started with an invalid host', async () => {
    for (const host of ['a b', 'a:0', 'a:70000', 'http://a', ''])
      await expect(opened('', { hosts: [host] })).rejects.toThrow('is not a host');
  });

  it('is not started with a folder other than the permitted one', async () => {
    await expect(opened(writes, { writes: ['out', '.'] })).rejects.toThrow();
    await expect(opened(writes, { writes: ['.'] })).rejects.toThrow(GatewayError);
  });

  it('can be chosen for each server of a file, with folders of its own', async () => {
    const world = createWorld(policyOf(`${calls}${writes}`));
    const out = join(world.folder, 'out');
    mkdirSync(out);
    const start = `command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(script)}, ends]`;
    const file = `servers:\n  free: { ${start} }\n  bound: { ${start}, isolate: { write: [out] } }\n  closed: { ${start}, isolate: {} }\n`;
    const read = (text: string) => readServersFile(join(world.folder, 's.yaml'), Buffer.from(text), {});
    const { servers, diagnostics } = read(file);
    expect(diagnostics).toEqual([]);
    const each = await world.open('good', undefined, servers);
    const tries = async (name: string, args: object) => {
      const { content } = await each.client.callTool({ name, arguments: { ...args } });
      return (content as readonly { readonly text: string }[])[0]?.text ?? '';
    };
    expect(await tries('free__write', { path: join(world.folder, 'a') })).toBe('done');
    expect(await tries('bound__write', { path: join(out, 'a') })).toBe('done');
    expect(await tries('bound__write', { path: join(world.folder, 'b') })).toBe('EROFS');
    expect(await tries('closed__write', { path: join(out, 'b') })).toMatch(/^(?:EROFS|EACCES|EPERM)$/);
    const listening = await port();
    expect(await tries('free__connect', { port: listening })).toBe('done');
    expect(await tries('closed__connect', { port: listening })).not.toBe('done');
    const wrong = [
      'a: { command: node, isolate: { folders: [x] } }',
      'a: { command: node, isolate: { write: x } }',
      'a: { command: node, isolate: { network: 1 } }',
      'a: { command: node, isolate: { hosts: a.example } }',
      'a: { command: node, isolate: yes }',
      'a: { url: "https://a.example/mcp", isolate: {} }',
    ];
    for (const entry of wrong) expect(read(`servers: { ${entry} }`).diagnostics).not.toEqual([]);
    expect(() => read('servers: { a: { command: node, isolate: { write: [none] } } }')).toThrow('`isolate`');
  });

  it('ends with all its processes, even if they ignore signals', async () => {
    const { tries, out, close } = await opened(writes, { writes: ['out'] }, { args: [] });
    const beat = join(out, 'beat');
    const size = () => (existsSync(beat) ? statSync(beat).size : 0);
    await tries('leave', { path: beat });
    await expect.poll(size, { timeout: 120_000 }).toBeGreaterThan(0);
    expect(commands().filter((line) => line.includes(beat))).not.toEqual([]);
    await close();
    expect(commands().filter((line) => line.includes(beat))).toEqual([]);
  });
});
