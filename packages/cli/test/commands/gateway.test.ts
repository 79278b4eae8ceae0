import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ambit } from '../host.js';

const program = fileURLToPath(new URL('../../dist/launch.cjs', import.meta.url));
const server = fileURLToPath(new URL('../../../gateway/test/servers/server.mjs', import.meta.url));
const policy = `version: 1
default: blocked
capabilities:
  proc.exec: pre_approved
  proc.exec.opaque: pre_approved
  code.load: pre_approved
  fs.read: pre_approved
  fs.read.outside: pre_approved
  content.untrusted: pre_approved
  mcp.call: { decision: pre_approved, match: { tool: echo } }
`;

let base = '';
let environment: Record<string, string> = {};
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-')));
  writeFileSync(join(base, 'policy.yaml'), policy);
  environment = { HOME: base, AMBIT_HOME: join(base, 'state'), PATH: process.env.PATH ?? '' };
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const run = (...args: readonly string[]) => ambit(['gateway', ...args], { folder: base, environment });

/** A client of the program, which runs in a process of its own. */
async function connected(cwd: string, ...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const started = { command: process.execPath, args: [program, 'gateway', ...args], cwd, env: environment };
  await client.connect(new StdioClientTransport(started), { timeout: 300_000 });
  return client;
}

describe('ambit gateway', () => {
  it('replaces the server for a client of the official SDK, and shows changed definitions', async () => {
    const described = join(base, 'described');
    const own = ['--policy', join(base, 'policy.yaml'), '--name', 'test'];
    own.push('--', process.execPath, server, 'good', '', described);
    const session = () => connected(base, ...own);
    const client = await session();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
    const content = [{ type: 'text', text: 'echo:hi' }];
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({ content });
    expect((await client.callTool({ name: 'danger.run', arguments: {} })).isError).toBe(true);
    await client.close();

    expect(await run('pins', 'list')).toMatchObject({ exit: 0 });
    writeFileSync(described, 'Sends it to me.');
    const again = await session();
    expect((await again.listTools()).tools.map(({ name }) => name)).toEqual([]);
    await again.close();
    const shown = await run('pins', 'list');
    expect(shown.exit).toBe(1);
    expect(shown.out).toMatch(/-.*Says it again[\s\S]*\+.*Sends it to me/);
    const name = shown.out.split(':')[0] ?? '';
    expect((await run('pins', 'accept', name, 'none')).err).toContain('did not change');
    // Once more, after a person looked.
    writeFileSync(described, 'Sends it to everybody.');
    expect(await run(...own)).toMatchObject({ exit: 0 });
    const other = await run('pins', 'accept', name);
    expect(other).toMatchObject({ exit: 1, err: expect.stringContaining('nothing was accepted') });
    expect(other.out).toMatch(/-.*Says it again[\s\S]*\+.*Sends it to everybody/);
    expect(await run(...own)).toMatchObject({ exit: 0 });
    expect((await run('pins', 'accept', name, '--json')).out).toBe('{"accepted":1,"changed":[]}\n');
    expect(await run('pins', 'list')).toMatchObject({ exit: 0 });
  });

  it('serves the servers of a file, each with its map, and reports every mistake in it', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(base, name), text);
      return join(base, name);
    };
    const command = `{ command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}`;
    const config = file(
      'servers.yaml',
      [
        'servers:',
        `  plain: ${command}, good] }`,
        `  mapped: ${command}, good], carries: { echo: { name: fs.read, path: { arg: text } } } }`,
      ].join('\n'),
    );
    const secrets = file('no-secrets.yaml', `${policy}  secret.read: blocked\n`);
    const client = await connected(tmpdir(), '--policy', secrets, '--config', config);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(['plain__echo', 'mapped__echo']);
    const call = (name: string) => client.callTool({ name, arguments: { text: join(base, '.env') } });
    expect((await call('plain__echo')).isError).toBeUndefined();
    expect((await call('mapped__echo')).isError).toBe(true);
    await client.close();

    const bad = file(
      'bad.yaml',
      [
        'servers:',
        '  Notes: { command: node, argz: [a] }',
        '  notes: { url: "https://a.example/mcp", pass: [A] }',
        '  n0tes: { carries: {} }',
        '  other: { command: node, isolate: { hosts: [a.example, "b c"] } }',
      ].join('\n'),
    );
    const { exit, err } = await run('--config', bad);
    expect(exit).toBe(2);
    for (const said of [
      'bad.yaml:2:3 ',
      '`Notes` is not a name of a server',
      'did you mean `args`?',
      '`pass` has no meaning without `command`',
      '`n0tes` looks like `notes`',
      '`command` is missing',
      'bad.yaml:5:57 BAD_VALUE `b c` is not a host',
    ])
      expect(err).toContain(said);
    const unset = file('unset.yaml', 'servers: { a: { command: node, pass: [NOT_SET] } }');
    expect((await run('--config', unset)).err).toContain('the variable NOT_SET of');
    expect((await run('--config', join(base, 'none.yaml'))).exit).toBe(2);
    expect((await run('--config', unset, '--trusted')).err).toContain('--trusted is for one server');
    expect((await run('--config', unset, '--', 'true')).err).toContain('not both');
  });

  it('judges by the map of --carries, and reports its mistakes', async () => {
    const map = join(base, 'carries.yaml');
    const policies = join(base, 'secrets.yaml');
    writeFileSync(policies, `${policy}  secret.read: blocked\n`);
    writeFileSync(map, 'echo: { name: fs.read, path: { arg: text } }\n');
    const named = ['--policy', policies, '--policy', join(base, 'policy.yaml')];
    const own = [...named, '--carries', map, '--', process.execPath, server, 'good'];
    const client = await connected(base, ...own);
    const call = (text: string) => client.callTool({ name: 'echo', arguments: { text } });
    expect((await call('.env')).isError).toBe(true);
    expect((await call('a.txt')).isError).toBeUndefined();
    await client.close();
    writeFileSync(map, 'echo: { nme: fs.read }\n');
    const bad = await run(...own);
    expect([bad.exit, bad.err]).toEqual([2, expect.stringContaining('carries.yaml:1:')]);
    writeFileSync(map, 'ecko: fs.read\n');
    expect((await run(...own)).err).toContain('`carries` names `ecko`');
  });

  it.each([
    ['no server', [], 'no server is named'],
    ['an unset variable', ['--env', 'NOT_SET', '--', 'true'], 'the variable NOT_SET of --env is not set'],
    ['a bad name', ['--name', 'A B', '--', 'true'], 'is not a name of a server'],
    ['an untrusted policy', ['--', 'true'], 'so it is not in force; read it, then run `ambit trust '],
    [
      'a server that does not answer',
      ['--policy', 'policy.yaml', '--start-timeout', '0.5', '--', process.execPath, server, 'hung'],
      'the server was not started: mcp-servers: it did not answer within 0.5 s\n',
    ],
    [
      'a missing folder',
      ['--policy', 'policy.yaml', '--root', 'none', '--', 'true'],
      'the server was not started: the working folder does not exist: ',
    ],
    [
      'a missing list of servers',
      ['--policy', 'policy.yaml', '--config', 'none.yaml'],
      'none.yaml cannot be read: no such file or folder\n',
    ],
    [
      'an issuer without a URL',
      ['--listen', '127.0.0.1:0', '--issuer', 'login.example', '--', 'true'],
      '--issuer must be an `http:` or `https:` URL: `login.example`\nhint: for example: --issuer https://',
    ],
    [
      'a resource without a URL',
      ['--listen', '127.0.0.1:0', '--resource', 'ftp://tools.example', '--', 'true'],
      '--resource must be an `http:` or `https:` URL: `ftp://tools.example`\nhint: for example: --resource https://',
    ],
    ['an unknown server', ['pins', 'accept', 'none'], 'there is no server none'],
  ])('refuses %s with exit code 2 and a reason', async (_, args, said) => {
    const { exit, err } = await run(...args);
    expect(err).toContain(said);
    expect(err).not.toContain('    at ');
    expect(exit).toBe(2);
  });
});
